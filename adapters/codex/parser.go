package codex

import (
	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/served"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads one rollout.
type parser struct {
	// Who and where, as the header and later records say.
	id      string // of this file's thread
	part    string // of the thread, where the file begins it again
	session string // of the root thread
	thread  string // id, if this is a subagent's line
	machine bool   // no one types here, but another agent or the tool itself
	started bool   // a header was seen
	model   string
	project *core.Project
	lineage rollout.Lineage

	reviewing    bool // a reviewer was sent, with what the client asks of it
	review       review
	keepsEnds    bool // patches leave the ends of lines as the file has them
	betweenTurns bool // one has ended, and none begun

	voices  rollout.Voices
	prompts prompts
	turns   turns
	calls   calls
	files   edit.Files
	served  served.Inner
	events  bool // the file records its patches as events
	pages   bool // paginated: every line has an ordinal
	// foretold says that what the model said last was told as an event before it was
	// written as an item.
	foretold bool
	total    core.Usage // tokens that the thread has taken so far

	// The current record.
	out     func(*core.Event)
	root    jsondoc.Value
	time    core.Time
	ms      int64 // time since 1970, 0 where that is not known
	ordinal int64 // -1 is none
	emitted int

	// Scratch: events are valid only during the call that hands them over.
	anchored  bool // a rollback may go back to the event
	ev        core.Event
	unknown   core.Unknown
	user      core.UserTurn
	assistant core.AssistantTurn
	tokens    core.Usage
	call      core.ToolCall
	result    core.ToolResult
	change    core.FileEdit
	parts     []core.Part
	buf       []byte // for what is looked at at once
	text      []byte // that doc is parsed from
	doc       jsondoc.Doc
	kinds     map[string]string
}

func newParser(info core.StreamInfo) *parser {
	id, part := rollout.ThreadOfPath(info.Path)
	return &parser{id: id, part: part, session: id, kinds: map[string]string{}}
}

// Parse reads the next record.
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.out, p.emitted, p.time, p.ordinal = emit, 0, core.Time{}, -1
	p.ms = 0
	if rec.Doc == nil {
		p.malformed(rec)
		return
	}
	p.root = rec.Doc.Root()
	p.record()
	if p.emitted == 0 {
		p.note("", false)
	}
}

func (p *parser) malformed(rec core.Record) {
	p.unknown = core.Unknown{Raw: core.RawBytes(rec.Bytes), Reason: "not JSON"}
	if rec.Err != nil {
		p.unknown.Reason = rec.Err.Error()
	}
	p.put("", &p.unknown)
}

// line is the envelope of a record.
type line struct {
	time, ordinal, kind, payload, meta jsondoc.Value
	session, items                     jsondoc.Value // of the one record of a TypeScript rollout
}

// record reads the current record.
func (p *parser) record() {
	var l line
	for name, v := range p.root.Fields() {
		switch string(name.Body()) {
		case "timestamp":
			l.time = v
		case "ordinal":
			l.ordinal = v
		case "type":
			l.kind = v
		case "payload":
			l.payload = v
		case "metadata":
			l.meta = v
		case "session":
			l.session = v
		case "items":
			l.items = v
		}
	}
	p.time, p.ms = rollout.Clock(l.time)
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
	switch string(l.kind.Body()) {
	case "response_item":
		if p.prompts.answeredAtOnce(l.payload, p.ms) {
			p.lineage.Nameless()
		}
		if p.inherited() {
			p.note("response_item", true)
			return
		}
		p.item(l.payload, l.meta)
	case "event_msg":
		p.event(l.payload)
	case "session_meta":
		p.sessionMeta(l.payload)
	case "turn_context":
		p.turnContext(l.payload)
		p.note("turn_context", true)
	case "compacted":
		p.compacted(l.payload)
	case "world_state", "token_usage_record", "inter_agent_communication", "inter_agent_communication_metadata",
		"fork_reference", "retained_context", "security_risk_score":
		p.noteKind("", l.kind, true)
	default:
		p.noteKind("", l.kind, false)
	}
}

// inherited reports whether the record is context that a subagent got from its
// parent, or a fork from a thread that it does not name: the same things stand in
// the rollout of that.
func (p *parser) inherited() bool {
	return p.lineage.Copying && (p.thread != "" || p.lineage.Origin == "")
}

// put emits an event.
func (p *parser) put(id string, body core.Body) { p.emit(id, body, false) }

// inject emits an event that the tool put into the conversation.
func (p *parser) inject(id string, body core.Body) { p.emit(id, body, true) }

func (p *parser) emit(id string, body core.Body, injected bool) {
	p.ev = core.Event{
		Session: p.session, Thread: p.thread, ID: id, CallScope: p.lineage.Origin, Time: p.time,
		Injected: injected, Project: p.project, Body: body, Anchor: p.anchored,
	}
	if p.lineage.Copying {
		p.ev.CopyOf = id
	}
	p.send()
}

// send emits p.ev.
func (p *parser) send() {
	p.out(&p.ev)
	p.emitted++
	p.turns.saw(&p.ev)
}

// note keeps the current record as it is. Known says that its kind is known
// and carries nothing that was said or done.
func (p *parser) note(kind string, known bool) { p.noteAs("", kind, known) }

func (p *parser) noteAs(id, kind string, known bool) {
	p.unknown = core.Unknown{RawType: kind, Raw: core.RawValue(p.root), Bookkeeping: known}
	p.put(id, &p.unknown)
}

// noteKind is note with a kind that is still a JSON string.
func (p *parser) noteKind(prefix string, kind jsondoc.Value, known bool) {
	p.note(p.kindName(prefix, kind), known)
}

// maxKinds bounds the names that are kept: there are about a hundred.
const maxKinds = 512

// kindName joins a prefix and a kind without making the same string for every
// record.
func (p *parser) kindName(prefix string, kind jsondoc.Value) string {
	p.buf = append(append(p.buf[:0], prefix...), kind.Body()...)
	if name, ok := p.kinds[string(p.buf)]; ok {
		return name
	}
	name := string(p.buf)
	if len(p.kinds) < maxKinds && len(name) < 128 {
		p.kinds[name] = name
	}
	return name
}
