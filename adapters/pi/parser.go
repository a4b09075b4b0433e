package pi

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser is the fold over the records of one session.
type parser struct {
	emit    func(*core.Event)
	ev      core.Event
	emitted bool   // the current record gave an event
	first   uint64 // seq of the current record's first event
	last    uint64 // seq of the last event
	rec     record

	session string
	project *core.Project
	forked  core.Time // when the session was copied off another one
	// Of the current record.
	id, parentID, copyOf string
	time                 core.Time

	tree  tree
	from  uint64 // seq of the first event that the model can see
	calls calls
	files edit.Files
	names map[string]string

	// Bodies and lists, used again for every event.
	user      core.UserTurn
	assistant core.AssistantTurn
	call      core.ToolCall
	result    core.ToolResult
	unknown   core.Unknown
	edit      core.FileEdit
	tokens    core.Usage
	parts     []core.Part
	texts     []core.Text
}

// record holds the members of a record.
type record struct {
	root, kind, id, parent, time jsondoc.Value
	message, cwd, summary        jsondoc.Value
}

func (r *record) read(root jsondoc.Value) {
	*r = record{root: root}
	for name, v := range root.Fields() {
		switch string(name.Body()) {
		case "type":
			r.kind = v
		case "id":
			r.id = v
		case "parentId":
			r.parent = v
		case "timestamp":
			r.time = v
		case "message":
			r.message = v
		case "cwd":
			r.cwd = v
		case "summary":
			r.summary = v
		}
	}
}

func newParser(info core.StreamInfo) *parser {
	// <moment>_<session>.jsonl
	stem, _, _ := strings.Cut(path.Base(info.Path), ".")
	if _, id, ok := strings.Cut(stem, "_"); ok {
		stem = id
	}
	return &parser{session: stem}
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.emit, p.emitted = emit, false
	p.id, p.parentID, p.copyOf, p.time = "", "", "", core.Time{}
	if rec.Doc == nil {
		p.unreadable(rec)
		return
	}
	r := &p.rec
	r.read(rec.Doc.Root())
	if r.root.Kind() != jsondoc.Object {
		p.unknownRecord(r.root.Kind().String(), false)
		return
	}
	p.place(r)
	p.dispatch(r)
	if !p.emitted {
		p.unknownRecord(r.kind.Str(), bookkeeping(r))
	}
	if p.id != "" && !r.kind.Is("session") {
		p.tree.add(r.id.Str(), node{first: p.first, last: p.last, time: p.time})
	}
}

func (p *parser) unreadable(rec core.Record) {
	reason := "not JSON"
	if rec.Err != nil {
		reason = rec.Err.Error()
	}
	p.unknown = core.Unknown{Raw: core.RawBytes(rec.Bytes), Reason: reason}
	p.send(&p.unknown, false)
}

// place names the record. The ids are unique within a file only, and are the
// same in the copies that a fork makes, as are the moments (recorded 0.73.1):
// both together name an entry.
func (p *parser) place(r *record) {
	p.time = core.ParseTime(r.time.Str())
	if id := r.id.Str(); id != "" {
		p.id = key(id, p.time)
	}
	if parent := r.parent.Str(); parent != "" {
		p.parentID = parent
		if n, ok := p.tree.nodes[parent]; ok {
			p.parentID = key(parent, n.time)
		}
	}
	if !p.forked.IsZero() && !p.time.IsZero() && p.time.Compare(p.forked) < 0 {
		p.copyOf = p.id
	}
}

func key(id string, at core.Time) string {
	if at.IsZero() {
		return id
	}
	return id + "@" + at.String()
}

// dispatch reads a record by its type.
func (p *parser) dispatch(r *record) {
	if r.kind.Is("session") {
		p.header(r)
		return
	}
	if to, ok := p.tree.branch(r, p.session); ok {
		p.rewind(to)
	}
	switch string(r.kind.Body()) {
	case "message":
		p.said(r.message)
	case "compaction", "compactionSummary": // recorded; one fixture
		p.compacted(r)
	case "branch_summary", "branchSummary": // source; one fixture
		p.put(r.summary)
	case "custom_message": // source; wild, OpenClaw
		p.put(r.root.Get("content"))
	}
}

// bookkeeping reports whether a record's type is described and carries nothing
// that was said or done.
func bookkeeping(r *record) bool {
	switch string(r.kind.Body()) {
	case "session", "model_change", "thinking_level_change", "compaction", // recorded 0.73.1
		"custom",                                                    // wild
		"label", "session_info", "branch_summary", "custom_message", // source
		"branchSummary", "compactionSummary": // one fixture
		return true
	case "message":
		return knownRole(r.message.Get("role"))
	}
	return false
}

// header opens the session. A second header is that of a file whose first one
// was written again; only the first counts.
func (p *parser) header(r *record) {
	p.id = r.id.Str()
	if p.tree.started {
		return
	}
	p.tree.started = true
	if p.id != "" {
		p.session = p.id
	}
	if r.root.Get("parentSession").Kind() == jsondoc.String {
		p.forked = p.time
	}
	body := core.SessionStart{Cwd: r.cwd.Str(), Model: r.root.Get("modelId").Str()} // the model: version 1, wild
	if body.Cwd != "" {
		p.project = &core.Project{Cwd: body.Cwd}
	}
	p.copyOf = ""
	p.send(&body, false)
	p.tree.root = node{first: p.last, last: p.last, time: core.Time{}}
}

// compacted emits a compaction: what stands before the first entry that was
// kept is replaced. Newer ones carry what was kept themselves (source).
func (p *parser) compacted(r *record) {
	body := core.Compaction{Summary: core.Token(r.summary)}
	from, end := p.from, p.last
	p.from = p.last
	if kept, ok := p.tree.nodes[r.root.Get("firstKeptEntryId").Str()]; ok {
		p.from, end = kept.first, max(kept.first, 1)-1
	}
	if end > from {
		body.Start, body.End = from, end
	}
	p.send(&body, false)
}

// rewind emits a rewind, under an id of its own: the record's id is the
// record's.
func (p *parser) rewind(to mark) {
	id, copyOf := p.id, p.copyOf
	p.id, p.copyOf = "rewind:"+id, ""
	p.send(&core.Rewind{ToEvent: to.id, ToSeq: to.seq}, false)
	p.id, p.copyOf, p.emitted = id, copyOf, false
}

// send emits an event of the current record.
func (p *parser) send(body core.Body, injected bool) {
	p.ev = core.Event{
		Session: p.session, ID: p.id, ParentID: p.parentID, CopyOf: p.copyOf, CallScope: p.id,
		Time: p.time, Injected: injected, Project: p.project, Body: body,
	}
	p.emit(&p.ev)
	if p.last = p.ev.Seq; !p.emitted {
		p.first = p.last
	}
	p.emitted = true
}

func (p *parser) unknownRecord(rawType string, known bool) {
	if rawType == "message" && !known {
		rawType += "/" + p.rec.message.Get("role").Str()
	}
	p.unknown = core.Unknown{RawType: rawType, Raw: core.RawValue(p.rec.root), Bookkeeping: known}
	p.send(&p.unknown, false)
}

// maxNames bounds the strings that are made once only: names of tools and
// models.
const maxNames = 1024

// name is the text of a string with few distinct values.
func (p *parser) name(v jsondoc.Value) string {
	if v.Kind() != jsondoc.String || v.Escaped() {
		return v.Str()
	}
	if s, ok := p.names[string(v.Body())]; ok {
		return s
	}
	s := v.Str()
	if len(p.names) < maxNames && len(s) <= 128 {
		if p.names == nil {
			p.names = map[string]string{}
		}
		p.names[s] = s
	}
	return s
}
