package claudecode

import (
	"cmp"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/claudecode/internal/change"
	"github.com/memscribe/memscribe/adapters/claudecode/internal/lineage"
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

	// The current record. Base has its head, and the project as far as it is known.
	rec  record
	turn turn // what it says, until it is known whose words they are

	// From one record to the next.
	prompted string // session of the last prompt
	called   string // id of the latest response
	version  version
	queue    queue
	window   window

	// For the whole file.
	started    bool
	first      uint64 // seq of the session's start
	pathThread string // of a subagent's own file
	tree       lineage.Tree
	sides      lineage.Sides
	calls      calls
	files      change.Files
	edits      callSet // calls whose edit went out
	copies     copies
	usage      usage
}

// NewParser returns a parser for one transcript.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), "")
	p.Session, p.pathThread = idsOfPath(info.Path)
	p.Thread = p.pathThread
	return mcpedits.Edits(p, &p.files)
}

// idsOfPath takes the ids out of a transcript's path: <session>.jsonl, the older
// agent-<id>.jsonl, <session>/subagents/**/agent-<id>.jsonl.
func idsOfPath(file string) (session, thread string) {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	agent, isAgent := strings.CutPrefix(stem, "agent-")
	if !isAgent {
		if stream.IsUUID(stem) {
			return stem, ""
		}
		return "", ""
	}
	dir := path.Dir(file)
	for dir != "." && dir != "/" && path.Base(dir) != "subagents" {
		dir = path.Dir(dir)
	}
	if parent := path.Base(path.Dir(dir)); stream.IsUUID(parent) {
		session = parent
	}
	return session, agent
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.Parent, p.Head = "", stream.Head{}
	if rec.Doc == nil {
		p.aim()
	}
	if _, ok := p.Begin(rec, emit); !ok {
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
	if p.Thread == "" {
		p.tree.Enter(r.uuid, p.hangsOn(r))
	}
	p.release(r)
	p.read("", r.kind, r)
	p.settle(r)
	p.tree.Leave(p.Last)
	p.copies.see(r, r.kind.Is("user") && p.turn.prompting)
}

// hangsOn is the record on which another one hangs. A compaction starts again, and says where.
func (p *parser) hangsOn(r *record) jsondoc.Value {
	if r.parent.Kind() == jsondoc.Null && p.tree.Parted() {
		return r.logicalParent
	}
	return r.parent
}

// place finds out where a record belongs: session, thread, time and project.
func (p *parser) place(r *record) {
	if r.uuid.Kind() == jsondoc.String {
		p.ID = r.uuid.Str()
	}
	if r.parent.Kind() == jsondoc.String {
		p.Parent = r.parent.Str()
	}
	if r.time.Kind() == jsondoc.String {
		p.Time = core.ParseTimeBytes(r.time.Body())
	}
	if id := r.session; id.Kind() == jsondoc.String && !id.Is(p.Session) && len(id.Body()) > 0 {
		p.Session = id.Str()
	}
	if f := r.forkedFrom.Get("messageUuid"); f.Kind() == jsondoc.String {
		p.CopyOf = f.Str()
	}
	p.Thread = p.threadOf(r)
	p.version.see(r.version)
	p.Follow(r.cwd, r.branch)
	if !p.started && (r.cwd.Exists() || r.version.Exists()) && p.ID != "" {
		p.start(r)
	}
}

// threadOf is the line of the session that a record belongs to. Only records
// that say so, and those of a subagent's own file, are off the main line.
func (p *parser) threadOf(r *record) string {
	switch {
	case !r.sidechain.Bool() && p.pathThread == "":
		return ""
	case r.agent.Kind() == jsondoc.String && len(r.agent.Body()) > 0:
		if r.agent.Is(p.Thread) {
			return p.Thread
		}
		return p.Names.Of(r.agent)
	case p.pathThread != "":
		return p.pathThread
	default:
		return p.sidechain(r)
	}
}

// start opens the stream, once the first record with a uuid tells what there is
// to tell. The model is known only if the assistant speaks first.
func (p *parser) start(r *record) {
	p.started = true
	body := core.SessionStart{ToolVersion: r.version.Str()}
	if p.Project != nil {
		body.Cwd, body.Git = p.Project.Cwd, p.Project.Git
	}
	if model := r.message.Get("model"); !model.Is(synthetic) {
		body.Model = model.Str()
	}
	id, parent, copyOf := p.ID, p.Parent, p.CopyOf
	p.ID, p.Parent, p.CopyOf = p.Session, "", ""
	if p.Thread != "" {
		p.ID = p.Thread
	}
	p.send(&body, false)
	p.first = p.Last
	p.ID, p.Parent, p.CopyOf = id, parent, copyOf
	p.Emitted = false
}

// aim has events be on the line of the session that the current record is on, which
// is known by what was read of it so far.
func (p *parser) aim() {
	p.On, p.Scope = nil, cmp.Or(p.CopyOf, p.ID)
	if p.Thread == "" {
		p.On = p.tree.Line()
	}
}

// send emits an event of the current record.
func (p *parser) send(body core.Body, injected bool) {
	p.aim()
	p.Put(body, injected)
}

func (p *parser) unknownRecord(rawType string, bookkeeping bool) {
	p.Note = core.Unknown{RawType: rawType, Raw: core.RawValue(p.rec.root), Bookkeeping: bookkeeping}
	p.send(&p.Note, false)
}

// record holds the members of a record that mean something here. They are
// collected in one pass: a record has up to fifty.
type record struct {
	root jsondoc.Value

	kind, subtype jsondoc.Value // "type" and "subtype"
	uuid, parent  jsondoc.Value
	session       jsondoc.Value
	agent         jsondoc.Value
	time          jsondoc.Value
	cwd, branch   jsondoc.Value
	version       jsondoc.Value

	message    jsondoc.Value
	result     jsondoc.Value // toolUseResult
	content    jsondoc.Value
	attachment jsondoc.Value
	data       jsondoc.Value
	operation  jsondoc.Value

	origin, source jsondoc.Value // who a user record is from; see voice
	forkedFrom     jsondoc.Value
	fromTool       jsondoc.Value // sourceToolUseID
	decision       jsondoc.Value // permissionDecision
	logicalParent  jsondoc.Value
	retracted      jsondoc.Value
	refused        jsondoc.Value

	sidechain, meta jsondoc.Value
	summary, hidden jsondoc.Value // isCompactSummary, isVisibleInTranscriptOnly
	apiError        jsondoc.Value
	older           jsondoc.Value // the session, by the name that it had first

	members stream.Members
}

// read collects the members of a record.
func (r *record) read(root jsondoc.Value) {
	if r.members == nil {
		r.members = stream.NewMembers(
			stream.At("parentUuid", &r.parent), stream.At("logicalParentUuid", &r.logicalParent), stream.At("isSidechain", &r.sidechain),
			stream.At("agentId", &r.agent), stream.At("type", &r.kind), stream.At("subtype", &r.subtype), stream.At("content", &r.content),
			stream.At("operation", &r.operation), stream.At("attachment", &r.attachment), stream.At("data", &r.data),
			stream.At("message", &r.message), stream.At("isMeta", &r.meta), stream.At("isCompactSummary", &r.summary),
			stream.At("isVisibleInTranscriptOnly", &r.hidden), stream.At("isApiErrorMessage", &r.apiError), stream.At("uuid", &r.uuid),
			stream.At("timestamp", &r.time), stream.At("toolUseResult", &r.result), stream.At("sourceToolUseID", &r.fromTool),
			stream.At("permissionDecision", &r.decision), stream.At("retractedMessageUuids", &r.retracted),
			stream.At("refusedUserMessageUuid", &r.refused), stream.At("origin", &r.origin), stream.At("promptSource", &r.source),
			stream.At("cwd", &r.cwd), stream.At("sessionId", &r.session), stream.At("session_id", &r.older), stream.At("version", &r.version),
			stream.At("gitBranch", &r.branch), stream.At("forkedFrom", &r.forkedFrom),
		)
	}
	*r = record{root: root, members: r.members}
	r.members.Read(root)
	if !r.session.Exists() {
		r.session = r.older
	}
}
