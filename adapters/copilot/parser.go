package copilot

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the events of one session. What it keeps of a call goes with
// the call's result; what is kept for the whole file is bounded.
type parser struct {
	stream.Base
	stream.Bodies

	// Of the current record.
	rec  record
	torn jsondoc.Doc // of what follows a torn record on its line

	// For the whole file.
	started bool
	model   string // of the main line

	// For the whole file: what later records refer to.
	calls     calls
	files     edit.Files
	snapshots snapshots
	file      string // the path of the transcript
	workspace workspace
	consulted bool                          // whether what was said depends on the workspace file
	prompts   map[string]stream.Mark        // by id, the record before each prompt
	recent    [16]stream.Mark               // the latest records
	turns     int                           // records so far, modulo what recent holds
	agents    pending.Calls[string, string] // threads, by the call that started them, where their names differ
	requests  pending.Calls[string, string] // calls, by the request for approval
	counts    counts
	window    window
	rewound   bool // the last checkpoint spoke of a rewind
}

// record holds the members of an event. They point into the record's bytes and are
// valid while it is read.
type record struct {
	root, data       jsondoc.Value
	kind, id, parent jsondoc.Value
	agent, time      jsondoc.Value
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{
		Base: stream.Base{Kinds: stream.NewTable(Adapter{}.Kinds())}, file: info.Path, snapshots: readSnapshots(info.Sidecars), workspace: readWorkspace(info.Sidecars[workspaceFile]),
	}
	p.Session = idOfPath(info.Path)
	if p.Session == "" {
		p.Session, p.consulted = p.workspace.id, true
	}
	return mcpedits.Edits(p, &p.files)
}

// idOfPath takes the session's id out of <id>/events.jsonl, <id>.jsonl or
// session_<id>_<milliseconds>.json.
func idOfPath(file string) string {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	switch stem {
	case "events", "workspace":
		stem = path.Base(path.Dir(file))
	case "index": // of its snapshots
		stem = path.Base(path.Dir(path.Dir(file)))
	}
	stem = strings.TrimPrefix(stem, "session_")
	if id, _, ok := strings.Cut(stem, "_"); ok {
		stem = id
	}
	if stream.IsUUID(stem) {
		return stem
	}
	return ""
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.Echo, p.Thread, p.Parent, p.Scope = false, "", "", ""
	if rec.Doc != nil {
		p.Begin(rec, emit)
		p.root(rec.Doc.Root())
		return
	}
	p.BeginText(rec, emit)
	if p.ReadsText(rec.Bytes) {
		p.workspaceText(rec)
	} else {
		p.Scope = p.Session
		p.unreadable(rec)
	}
}

// root reads one JSON value.
func (p *parser) root(v jsondoc.Value) {
	p.rec = record{
		root: v, kind: v.Get("type"), data: v.Get("data"),
		id: v.Get("id"), parent: v.Get("parentId"), agent: v.Get("agentId"),
		time: v.Get("timestamp"),
	}
	r := &p.rec
	switch {
	case v.Kind() != jsondoc.Object:
		p.unknownRecord(v.Kind().String(), false)
		return
	case !r.kind.Exists() && (v.Get("timeline").Kind() == jsondoc.Array || v.Get("chatMessages").Kind() == jsondoc.Array):
		p.document(v)
	case !r.kind.Exists() && isIndex(v):
		p.unknownRecord("snapshots", true)
		return
	case !r.kind.Exists() && isRow(v):
		p.row(v)
	default:
		p.place(r)
		if !r.kind.Is("session.start") {
			p.elsewhere()
		}
		p.read(r.kind, r.data)
	}
	p.recent[p.turns] = stream.Mark{ID: p.ID, Seq: p.Last}
	p.turns = (p.turns + 1) % len(p.recent)
}

// read reads an event or a row by its kind.
func (p *parser) read(kind, v jsondoc.Value) {
	if k := stream.ReadAs(p, &p.Kinds, "", kind, v); !p.Emitted {
		p.unknownRecord(k.Name, k.Known)
	}
}

// before is the record before the current one.
func (p *parser) before() stream.Mark { return p.recent[(p.turns+len(p.recent)-1)%len(p.recent)] }

// maxRestarts bounds how often a torn line is searched for another event.
const maxRestarts = 16

// unreadable passes on a line that is no JSON. After a crash the next process
// appends to a torn event: what follows on the line is read (reported upstream).
func (p *parser) unreadable(rec core.Record) {
	const start = `{"type":"`
	from := len(start)
	for range maxRestarts {
		if from >= len(rec.Bytes) {
			break
		}
		at := bytes.Index(rec.Bytes[from:], []byte(start))
		if at < 0 {
			break
		}
		from += at
		if n, err := p.torn.Parse(rec.Bytes[from:]); err == nil && n == len(rec.Bytes)-from && p.torn.Root().Get("data").Exists() {
			p.Unreadable(rec.Bytes[:from], rec.Err)
			p.root(p.torn.Root())
			return
		}
		from += len(start)
	}
	p.Unreadable(rec.Bytes, rec.Err)
}

// place finds out where an event belongs.
func (p *parser) place(r *record) {
	p.ID, p.Parent = r.id.Str(), r.parent.Str()
	p.Time = core.ParseTime(r.time.Str())
	if stream.IsUUID(p.ID) {
		p.Scope = p.ID // else call ids are unique within the session, if at all
	}
	agent := r.agent
	if len(agent.Body()) == 0 {
		agent = r.data.Get("parentToolCallId") // before agentId; schema: deprecated
	}
	p.Thread = p.Names.Of(agent)
}

// send emits an event of the current record.
func (p *parser) send(body core.Body, injected bool) {
	scope := p.Scope
	p.Scope = cmp.Or(scope, p.Session)
	p.Put(body, injected)
	p.Scope = scope
}

func (p *parser) unknownRecord(rawType string, bookkeeping bool) {
	p.Note = core.Unknown{RawType: rawType, Raw: core.RawValue(p.rec.root), Bookkeeping: bookkeeping}
	p.send(&p.Note, false)
}
