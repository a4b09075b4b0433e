package claudecode

import (
	"cmp"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/claudecode/internal/change"
	"github.com/memscribe/memscribe/adapters/claudecode/internal/lineage"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser is the fold over the records of one transcript. What it keeps of a
// record is a few bytes; what it keeps of a call goes with the call's result.
type parser struct {
	emit    func(*core.Event)
	ev      core.Event
	emitted bool   // the current record gave an event
	last    uint64 // seq of the last event
	rec     record

	started  bool
	first    uint64 // seq of the session's start
	prompted string // session of the last prompt
	// The line of the session that the current record belongs to.
	session, thread string
	pathThread      string // of a subagent's own file
	version         version
	project         *core.Project
	id, parentID    string // of the current record
	copyOf          string
	time            core.Time

	tree   lineage.Tree
	sides  lineage.Sides
	calls  calls
	files  change.Files
	edits  callSet // calls whose edit went out
	queue  queue
	copies copies
	usage  usage
	window window
	names  names

	// Bodies and lists, used again for every event.
	user      core.UserTurn
	assistant core.AssistantTurn
	call      core.ToolCall
	result    core.ToolResult
	unknown   core.Unknown
	tokens    core.Usage
	edit      core.FileEdit
	turn      turn
}

func newParser(info core.StreamInfo) *parser {
	p := &parser{}
	p.session, p.pathThread = idsOfPath(info.Path)
	p.thread = p.pathThread
	return p
}

// idsOfPath takes the ids out of a transcript's path: <session>.jsonl, the older
// agent-<id>.jsonl, <session>/subagents/**/agent-<id>.jsonl.
func idsOfPath(file string) (session, thread string) {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	agent, isAgent := strings.CutPrefix(stem, "agent-")
	if !isAgent {
		if isUUID(stem) {
			return stem, ""
		}
		return "", ""
	}
	dir := path.Dir(file)
	for dir != "." && dir != "/" && path.Base(dir) != "subagents" {
		dir = path.Dir(dir)
	}
	if parent := path.Base(path.Dir(dir)); isUUID(parent) {
		session = parent
	}
	return session, agent
}

func isUUID(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-'
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
	p.tree.Skip()
	if p.thread == "" {
		p.tree.Enter(r.uuid, p.hangsOn(r))
	}
	p.release(r)
	p.dispatch(r)
	if !p.emitted {
		p.unknownRecord(p.names.of(r.kind), true)
	}
	p.settle(r)
	p.tree.Leave(p.last)
	p.copies.see(r, r.kind.Is("user") && p.turn.prompting)
}

// hangsOn is the record on which another one hangs. A compaction starts again, and
// says where.
func (p *parser) hangsOn(r *record) jsondoc.Value {
	if r.parent.Kind() == jsondoc.Null && p.tree.Parted() {
		return r.logicalParent
	}
	return r.parent
}

// unreadable passes on a line that is no JSON: torn, overwritten with NULs, or
// the "//" comment that some people put on top of a copy.
func (p *parser) unreadable(rec core.Record) {
	reason := "not JSON"
	if rec.Err != nil {
		reason = rec.Err.Error()
	}
	p.unknown = core.Unknown{Raw: core.RawBytes(rec.Bytes), Reason: reason}
	p.send(&p.unknown, false)
}

// place finds out where a record belongs: session, thread, time and project.
func (p *parser) place(r *record) {
	if r.uuid.Kind() == jsondoc.String {
		p.id = r.uuid.Str()
	}
	if r.parent.Kind() == jsondoc.String {
		p.parentID = r.parent.Str()
	}
	if r.time.Kind() == jsondoc.String {
		p.time = parseTime(r.time.Body())
	}
	if id := r.session; id.Kind() == jsondoc.String && !id.Is(p.session) && len(id.Body()) > 0 {
		p.session = id.Str()
	}
	if f := r.forkedFrom.Get("messageUuid"); f.Kind() == jsondoc.String {
		p.copyOf = f.Str()
	}
	p.thread = p.threadOf(r)
	p.version.see(r.version)
	p.follow(r)
	if !p.started && (r.cwd.Exists() || r.version.Exists()) && p.id != "" {
		p.start(r)
	}
}

// threadOf is the line of the session that a record belongs to. Only records
// that say so, and those of a subagent's own file, are off the main line.
func (p *parser) threadOf(r *record) string {
	switch {
	case !r.sidechain && p.pathThread == "":
		return ""
	case r.agent.Kind() == jsondoc.String && len(r.agent.Body()) > 0:
		if r.agent.Is(p.thread) {
			return p.thread
		}
		return p.names.of(r.agent)
	case p.pathThread != "":
		return p.pathThread
	default:
		return p.sidechain(r)
	}
}

// follow notes where the work happens now.
func (p *parser) follow(r *record) {
	if r.cwd.Kind() != jsondoc.String {
		return
	}
	was := core.Project{}
	if p.project != nil {
		was = *p.project
	}
	sameBranch := r.branch.Kind() != jsondoc.String || r.branch.Is(was.Git.Branch)
	if p.project != nil && sameBranch && r.cwd.Is(was.Cwd) {
		return
	}
	now := core.Project{Cwd: r.cwd.Str(), Git: was.Git}
	if !sameBranch {
		now.Git = core.Git{Branch: r.branch.Str()}
	}
	p.project = &now
}

// start opens the stream, once the first record with a uuid tells what there is
// to tell. The model is known only if the assistant speaks first.
func (p *parser) start(r *record) {
	p.started = true
	body := core.SessionStart{ToolVersion: r.version.Str()}
	if p.project != nil {
		body.Cwd, body.Git = p.project.Cwd, p.project.Git
	}
	if model := r.message.Get("model"); !model.Is(synthetic) {
		body.Model = model.Str()
	}
	id, parent, copyOf := p.id, p.parentID, p.copyOf
	p.id, p.parentID, p.copyOf = p.session, "", ""
	if p.thread != "" {
		p.id = p.thread
	}
	p.send(&body, false)
	p.first = p.last
	p.id, p.parentID, p.copyOf = id, parent, copyOf
	p.emitted = false
}

// dispatch reads a record by its type.
func (p *parser) dispatch(r *record) {
	switch string(r.kind.Body()) {
	case "user":
		p.userRecord(r)
	case "assistant":
		p.assistantRecord(r)
	case "attachment":
		p.attachmentRecord(r)
	case "system":
		p.systemRecord(r)
	case "progress":
		p.known("progress/", progressKind, r.data.Get("type"))
	case "queue-operation":
		p.queueRecord(r)
	default:
		p.bookkeeping(r)
	}
}

// send emits an event of the current record.
func (p *parser) send(body core.Body, injected bool) {
	var on *core.Strand
	if p.thread == "" {
		on = p.tree.Line()
	}
	p.sendOn(on, body, injected)
}

// sendOn emits an event of the current record, on one of the lines of its thread.
func (p *parser) sendOn(on *core.Strand, body core.Body, injected bool) {
	p.ev = core.Event{
		Session: p.session, Thread: p.thread, Strand: on, ID: p.id, ParentID: p.parentID, CopyOf: p.copyOf,
		CallScope: cmp.Or(p.copyOf, p.id), Time: p.time, Injected: injected, Project: p.project, Body: body,
	}
	p.emit(&p.ev)
	p.last, p.emitted = p.ev.Seq, true
}

func (p *parser) unknownRecord(rawType string, bookkeeping bool) {
	p.unknown = core.Unknown{RawType: rawType, Raw: core.RawValue(p.rec.root), Bookkeeping: bookkeeping}
	p.send(&p.unknown, false)
}

// names keeps strings with few distinct values, so that each is made once.
type names struct {
	known  map[string]string
	latest string
}

// maxNames bounds what names keeps; beyond it every use is a new string.
const maxNames = 1024

// last is the text of v, which is often the same as the call before.
func (n *names) last(v jsondoc.Value) string {
	if !v.Is(n.latest) {
		n.latest = v.Str()
	}
	return n.latest
}

func (n *names) of(v jsondoc.Value) string {
	if v.Kind() != jsondoc.String {
		return ""
	}
	if v.Escaped() {
		return v.Str()
	}
	if s, ok := n.known[string(v.Body())]; ok {
		return s
	}
	s := v.Str()
	if len(n.known) < maxNames && len(s) <= 128 {
		if n.known == nil {
			n.known = map[string]string{}
		}
		n.known[s] = s
	}
	return s
}
