package codex

import (
	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads one rollout. It serves one goroutine, from the first record to the last;
// the fields say for how long each of them counts.
type parser struct {
	stream.Base
	stream.Bodies

	// For the whole file: who works, as the header and later records say.
	id      string // of this file's thread
	part    string // of the thread, where the file begins it again
	machine bool   // no one types here, but another agent or the tool itself
	started bool   // a header was seen
	model   string
	lineage rollout.Lineage

	// From one record to the next: in which state the conversation is.
	reviewing    bool // a reviewer was sent, with what the client asks of it
	review       review
	keepsEnds    bool // patches leave the ends of lines as the file has them
	betweenTurns bool // one has ended, and none begun

	// For the whole file: what later records refer to.
	voices  rollout.Voices
	prompts prompts
	turns   turns
	calls   calls
	files   edit.Files
	served  mcpedits.Inner
	events  bool // the file records its patches as events
	pages   bool // paginated: every line has an ordinal
	// foretold says that what the model said last was told as an event before it was
	// written as an item.
	foretold bool
	total    core.Usage // tokens that the thread has taken so far

	// The current record.
	root    jsondoc.Value
	line    line
	it      item
	ms      int64 // time since 1970, 0 where that is not known
	ordinal int64 // -1 is none

	buf  []byte // for what is looked at at once
	text []byte // that doc is parsed from
	doc  jsondoc.Doc
}

// NewParser returns a parser for one rollout.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	id, part := rollout.ThreadOfPath(info.Path)
	p := &parser{id: id, part: part}
	p.Init(Adapter{}.Kinds(), id)
	return mcpedits.Edits(p, &p.files)
}

// Parse reads the next record. Every record gives at least one event, if only one that
// keeps it as it is. The bodies belong to the parser and are overwritten by the next.
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.ordinal, p.ms = -1, 0
	p.Scope = p.lineage.Origin
	if _, ok := p.Begin(rec, emit); !ok {
		p.turns.saw(&p.Event)
		return
	}
	p.root = rec.Doc.Root()
	p.record()
	if !p.Emitted {
		p.note("", false)
	}
}

// line is the envelope of a record. Its values point into the record's bytes and are
// valid while it is read.
type line struct {
	time, ordinal, kind, payload, meta jsondoc.Value
	session, items                     jsondoc.Value // of the one record of a TypeScript rollout
}

// record reads the current record. There are three forms:
//
//	{"timestamp","type","payload"}      since September 2025
//	{"session","items":[…]}             the TypeScript version, one document
//	{"id","timestamp",…}, {"type",…}    before September 2025, without envelopes
func (p *parser) record() {
	v := p.root
	p.line = line{
		time: v.Get("timestamp"), ordinal: v.Get("ordinal"), kind: v.Get("type"),
		payload: v.Get("payload"), meta: v.Get("metadata"), session: v.Get("session"),
		items: v.Get("items"),
	}
	l := p.line
	p.Time, p.ms = rollout.Clock(l.time)
	switch {
	case l.payload.Kind() == jsondoc.Object && l.kind.Kind() == jsondoc.String:
		p.envelope(l)
	case l.items.Kind() == jsondoc.Array && l.session.Kind() == jsondoc.Object:
		p.document(l)
	default:
		p.bare(l)
	}
}

// envelope reads a record of the form in use since September 2025.
func (p *parser) envelope(l line) {
	if n, ok := l.ordinal.Int(); ok {
		p.ordinal, p.pages = n, true
	}
	p.lineage.Line(p.ms, p.ordinal)
	p.read("", l.kind, l.payload)
}

// inherited reports whether the record is context that a subagent got from its parent, or a fork
// from a thread that it does not name: the same things are in the rollout of that.
func (p *parser) inherited() bool {
	return p.lineage.Copying && (p.Thread != "" || p.lineage.Origin == "")
}

// put emits an event.
func (p *parser) put(id string, body core.Body) { p.emit(id, body, false) }

// inject emits an event that the tool put into the conversation.
func (p *parser) inject(id string, body core.Body) { p.emit(id, body, true) }

func (p *parser) emit(id string, body core.Body, injected bool) {
	p.ID, p.CopyOf, p.Scope = id, "", p.lineage.Origin
	if p.lineage.Copying {
		p.CopyOf = id
	}
	p.send(body, injected)
}

// send emits an event under the head that was set. Whatever is emitted passes here, so
// that a rollback can be told what stood before a turn.
func (p *parser) send(body core.Body, injected bool) {
	p.Put(body, injected)
	p.turns.saw(&p.Event)
}

// note keeps the current record as it is. Known says that its kind is known
// and carries nothing that was said or done.
func (p *parser) note(kind string, known bool) { p.noteAs("", kind, known) }

func (p *parser) noteAs(id, kind string, known bool) {
	p.Note = core.Unknown{RawType: kind, Raw: core.RawValue(p.root), Bookkeeping: known}
	p.put(id, &p.Note)
}
