package qwen

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/geminilog"
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the records of one transcript. What it keeps of a
// record is a few bytes; what it keeps of a call goes with the call's result.
type parser struct {
	stream.Base
	stream.Bodies

	info core.StreamInfo
	old  *geminilog.Parser // of a document of the first versions, or of a checkpoint
	rec  record

	started    bool
	pathThread string // of a subagent's own file

	tree  tree
	calls calls

	checkpoints checkpoints

	answer jsondoc.Doc // of a subagent, as it was measured
	files  google.Files
	usage  usage
	window uint64 // seq of the first event that the model still sees

	turn google.Turn
}

// NewParser returns a parser for one transcript. A subagent's has the session in the name of its folder.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{info: info}
	p.Init(Adapter{}.Kinds(), info.Path)
	if agent, ok := strings.CutPrefix(p.Session, "agent-"); ok {
		p.Session, p.pathThread = path.Base(path.Dir(info.Path)), agent
	}
	return mcpedits.Edits(p, &p.files)
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	if p.old != nil {
		p.old.Parse(rec, emit)
		return
	}
	p.Parent, p.Scope = "", ""
	if _, ok := p.Begin(rec, emit); !ok {
		return
	}
	r := &p.rec
	r.read(rec.Doc.Root())
	if !p.started && !r.uuid.Exists() && (r.messages.Kind() == jsondoc.Array || geminilog.IsSaved(r.root)) {
		p.old = geminilog.New(p.info)
		p.old.Parse(rec, emit)
		return
	}
	if r.root.Kind() != jsondoc.Object {
		p.keep(r.root.Kind().String(), false)
		return
	}
	p.place(r)
	p.tree.enter(r, p.Thread)
	p.dispatch(r)
	if !p.Emitted {
		p.keep(p.rawType(r), true)
	}
	p.tree.leave(p.Last)
}

// place finds out where a record belongs: session, thread, time and project.
func (p *parser) place(r *record) {
	if r.uuid.Kind() == jsondoc.String {
		p.ID = r.uuid.Str()
	}
	if r.parent.Kind() == jsondoc.String {
		p.Parent = r.parent.Str()
	}
	p.Time = stream.Time(r.time)
	if id := r.session; id.Kind() == jsondoc.String && !id.Is(p.Session) && len(id.Body()) > 0 {
		p.Session = id.Str()
	}
	if of := r.forkedFrom.Get("messageUuid"); of.Kind() == jsondoc.String {
		p.CopyOf = of.Str()
	}
	p.Thread = p.pathThread
	if r.agent.Kind() == jsondoc.String && len(r.agent.Body()) > 0 {
		p.Thread = p.Names.Of(r.agent)
	}
	p.Follow(r.cwd, r.branch)
	if !p.started {
		p.start(r)
	}
}

// start opens the stream. The model is known only if the assistant speaks first.
func (p *parser) start(r *record) {
	p.started = true
	body := core.SessionStart{ToolVersion: r.version.Str(), Model: r.model.Str()}
	if p.Project != nil {
		body.Cwd, body.Git = p.Project.Cwd, p.Project.Git
	}
	id, parent, copyOf := p.ID, p.Parent, p.CopyOf
	p.ID, p.Parent, p.CopyOf = p.Session, "", ""
	if p.Thread != "" {
		p.ID = p.Thread
	}
	p.send(&body, false)
	p.tree.first, p.tree.origin = p.Last, p.ID
	p.window = p.Last + 1
	p.ID, p.Parent, p.CopyOf = id, parent, copyOf
	p.Emitted = false
}

// dispatch reads a record by its type.
func (p *parser) dispatch(r *record) {
	if p.tree.repeated && contentDigest(r) == p.tree.now.digest {
		return // written twice
	}
	if p.tree.fragments > 1 {
		p.ID += "/" + strconv.Itoa(p.tree.fragments) // one more piece of the message before
	}
	p.read("", r.kind, r)
}

// rawType names a record.
func (p *parser) rawType(r *record) string {
	if r.kind.Kind() != jsondoc.String {
		return r.root.Kind().String()
	}
	if r.subtype.Kind() == jsondoc.String {
		return p.Names.Joined(p.Names.Of(r.kind)+"/", p.Names.Of(r.subtype))
	}
	return p.Names.Of(r.kind)
}

// send emits an event of the current record. The ids of calls mean something
// inside their session only, and a fork has another one: its copies are known by
// the record.
func (p *parser) send(body core.Body, injected bool) {
	p.Scope = cmp.Or(p.CopyOf, p.ID)
	p.Put(body, injected)
}

// keep passes on what means nothing to the event model.
func (p *parser) keep(rawType string, bookkeeping bool) {
	p.Note = core.Unknown{RawType: rawType, Raw: core.RawValue(p.rec.root), Bookkeeping: bookkeeping}
	p.send(&p.Note, false)
}

// record holds the members of a record that mean something here. They are collected in
// one pass, and point into the record's bytes.
type record struct {
	root jsondoc.Value

	kind, subtype   jsondoc.Value // "type" and "subtype"
	uuid, parent    jsondoc.Value
	session, agent  jsondoc.Value
	time, source    jsondoc.Value // source is "provenance"
	cwd, branch     jsondoc.Value
	version, model  jsondoc.Value
	message, usage  jsondoc.Value
	result, payload jsondoc.Value // "toolCallResult" and "systemPayload"
	forkedFrom      jsondoc.Value
	messages        jsondoc.Value // of a document of the first versions

	members stream.Members
}

// read collects the members of a record.
func (r *record) read(root jsondoc.Value) {
	if r.members == nil {
		r.members = stream.NewMembers(
			stream.At("uuid", &r.uuid), stream.At("parentUuid", &r.parent), stream.At("sessionId", &r.session), stream.At("timestamp", &r.time),
			stream.At("type", &r.kind), stream.At("subtype", &r.subtype), stream.At("cwd", &r.cwd), stream.At("version", &r.version),
			stream.At("gitBranch", &r.branch), stream.At("agentId", &r.agent), stream.At("provenance", &r.source), stream.At("model", &r.model),
			stream.At("message", &r.message), stream.At("usageMetadata", &r.usage), stream.At("toolCallResult", &r.result),
			stream.At("systemPayload", &r.payload), stream.At("forkedFrom", &r.forkedFrom), stream.At("messages", &r.messages),
		)
	}
	*r = record{root: root, members: r.members}
	r.members.Read(root)
}
