package qwen

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/chats"
	"github.com/memscribe/memscribe/adapters/internal/genai"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser is the fold over the records of one transcript. What it keeps of a
// record is a few bytes; what it keeps of a call goes with the call's result.
type parser struct {
	info    core.StreamInfo
	old     *chats.Parser // of a document of the first versions, or of a checkpoint
	emit    func(*core.Event)
	ev      core.Event
	emitted bool   // the current record gave an event
	last    uint64 // seq of the last event
	rec     record

	started         bool
	session, thread string
	pathThread      string // of a subagent's own file
	project         *core.Project
	id, parentID    string // of the current record
	copyOf          string
	time            core.Time

	tree  tree
	calls calls

	checkpoints checkpoints

	answer jsondoc.Doc // of a subagent, as it was measured
	files  genai.Files
	names  genai.Names
	usage  usage
	window uint64 // seq of the first event that the model still sees

	// Bodies and lists, used again for every event.
	user      core.UserTurn
	assistant core.AssistantTurn
	call      core.ToolCall
	result    core.ToolResult
	edit      core.FileEdit
	unknown   core.Unknown
	tokens    core.Usage
	turn      turn
}

func newParser(info core.StreamInfo) *parser {
	p := &parser{info: info}
	stem, _, _ := strings.Cut(path.Base(info.Path), ".")
	if agent, ok := strings.CutPrefix(stem, "agent-"); ok {
		p.session, p.pathThread = path.Base(path.Dir(info.Path)), agent
	} else {
		p.session = stem
	}
	return p
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	if p.old != nil {
		p.old.Parse(rec, emit)
		return
	}
	p.emit, p.emitted = emit, false
	p.id, p.parentID, p.copyOf, p.time = "", "", "", core.Time{}
	if rec.Doc == nil {
		p.unreadable(rec)
		return
	}
	r := &p.rec
	r.read(rec.Doc.Root())
	if !p.started && !r.uuid.Exists() && (r.messages.Kind() == jsondoc.Array || chats.IsSaved(r.root)) {
		p.old = chats.New(p.info)
		p.old.Parse(rec, emit)
		return
	}
	if r.root.Kind() != jsondoc.Object {
		p.keep(r.root.Kind().String(), false)
		return
	}
	p.place(r)
	p.tree.enter(r, p.thread)
	p.dispatch(r)
	if !p.emitted {
		p.keep(p.rawType(r), true)
	}
	p.tree.leave(p.last)
}

// unreadable passes on a line that is no JSON: torn, or overwritten with NULs.
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
	p.time = genai.Moment(r.time)
	if id := r.session; id.Kind() == jsondoc.String && !id.Is(p.session) && len(id.Body()) > 0 {
		p.session = id.Str()
	}
	if of := r.forkedFrom.Get("messageUuid"); of.Kind() == jsondoc.String {
		p.copyOf = of.Str()
	}
	p.thread = p.pathThread
	if r.agent.Kind() == jsondoc.String && len(r.agent.Body()) > 0 {
		p.thread = p.names.Of(r.agent)
	}
	p.follow(r)
	if !p.started {
		p.start(r)
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

// start opens the stream. The model is known only if the assistant speaks first.
func (p *parser) start(r *record) {
	p.started = true
	body := core.SessionStart{ToolVersion: r.version.Str(), Model: r.model.Str()}
	if p.project != nil {
		body.Cwd, body.Git = p.project.Cwd, p.project.Git
	}
	id, parent, copyOf := p.id, p.parentID, p.copyOf
	p.id, p.parentID, p.copyOf = p.session, "", ""
	if p.thread != "" {
		p.id = p.thread
	}
	p.send(&body, false)
	p.tree.first, p.tree.origin = p.last, p.id
	p.window = p.last + 1
	p.id, p.parentID, p.copyOf = id, parent, copyOf
	p.emitted = false
}

// dispatch reads a record by its type.
func (p *parser) dispatch(r *record) {
	if p.tree.repeated && p.tree.same(r) {
		return // written twice
	}
	if p.tree.fragments > 1 {
		p.id += "/" + strconv.Itoa(p.tree.fragments) // one more piece of the message before
	}
	switch string(r.kind.Body()) {
	case "user", "tool_result":
		p.userRecord(r)
	case "assistant":
		p.assistantRecord(r)
	case "system":
		p.systemRecord(r)
	default:
		p.keep(p.rawType(r), false)
	}
}

// rawType names a record.
func (p *parser) rawType(r *record) string {
	if r.kind.Kind() != jsondoc.String {
		return r.root.Kind().String()
	}
	if r.subtype.Kind() == jsondoc.String {
		return p.names.Joined(p.names.Of(r.kind)+"/", p.names.Of(r.subtype))
	}
	return p.names.Of(r.kind)
}

// send emits an event of the current record. The ids of calls mean something
// inside their session only, and a fork has another one: its copies are known by
// the record.
func (p *parser) send(body core.Body, injected bool) {
	p.ev = core.Event{
		Session: p.session, Thread: p.thread, ID: p.id, ParentID: p.parentID, CopyOf: p.copyOf,
		CallScope: cmp.Or(p.copyOf, p.id), Time: p.time, Injected: injected, Project: p.project, Body: body,
	}
	p.emit(&p.ev)
	p.last, p.emitted = p.ev.Seq, true
}

// keep passes on what means nothing to the event model.
func (p *parser) keep(rawType string, bookkeeping bool) {
	p.unknown = core.Unknown{RawType: rawType, Raw: core.RawValue(p.rec.root), Bookkeeping: bookkeeping}
	p.send(&p.unknown, false)
}
