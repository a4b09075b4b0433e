package vscode

import (
	"bytes"
	"cmp"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/adapters/vscode/changed"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads a session: over its one document, or over the lines of its
// log. Of a log it keeps the latest request as it is, and of the others where they
// ended. All fields are for the session, but for these, which are for the open request:
// open to used, told, reply.
type parser struct {
	stream.Base

	parts     stream.Table
	stem      string // of the file's name
	workspace string // folder of the workspace, as the file beside it says
	started   bool
	log       bool
	origin    mark

	forkOf   string          // the session whose requests were copied
	requests []mark          // of the session, as far as they are passed on
	known    map[string]bool // their ids, also of those that were taken back
	open     *changed.Tree   // the request behind them, which is not settled; or the last of them
	openID   string
	settled  bool            // open was passed on
	ended    bool            // open has its result, and the end of its response is yet to come
	done     int             // parts of its response that were passed on
	used     core.Usage      // that was told of it
	told     map[string]bool // ids of its calls that were passed on
	results  bool            // the line in hand holds the result of a request
	undone   []string        // requests behind a checkpoint that was gone back to
	back     map[string]bool // those of them to which that was told
	changed  bytes.Buffer
	doc      jsondoc.Doc
	args     jsondoc.Doc
	files    edit.Files
	openings map[place]opening // that no edit has been told of yet
	reply    reply

	transcript transcript
}

// mark is where a request begins and ends: what a rewind goes back to.
type mark struct {
	id   string
	seq  uint64 // of the last event
	last string // its id
}

// NewParser returns a parser for one session. The folder of the project is in a file beside it, or above.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	stem, _, _ := strings.Cut(path.Base(info.Path), ".")
	workspace := ""
	for _, below := range []string{"../", "", "../../"} {
		workspace = cmp.Or(workspace, filePath(stream.Beside(info, below+workspaceFile).Get("folder")))
	}
	p := &parser{
		parts: stream.NewTable(parts()), Base: stream.Base{Kinds: stream.NewTable(entries())}, stem: stem, workspace: workspace, known: map[string]bool{}, told: map[string]bool{}, openings: openingsOf(info.Sidecars),
	}
	if isTranscript(info.Path) {
		p.Session, p.transcript.told = stem, witnessOf(info)
	}
	return mcpedits.Edits(p, &p.files)
}

// filePath is the path in a URI, which is a string or an object.
// A URI that is not one gives no path.
func filePath(v jsondoc.Value) string {
	text := v.Str()
	if v.Kind() == jsondoc.Object {
		if local := v.Get("fsPath"); local.Kind() == jsondoc.String {
			return local.Str()
		}
		if p := v.Get("path"); p.Kind() == jsondoc.String {
			return drive(p.Str())
		}
		text = v.Get("external").Str()
	}
	if !strings.Contains(text, "://") {
		return text
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return drive(u.Path)
}

// drive takes the slash away that stands before a drive in a URI.
func drive(p string) string {
	if len(p) > 2 && p[0] == '/' && p[2] == ':' {
		return p[1:]
	}
	return p
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.Echo = p.transcript.isEcho(nil)
	root, ok := p.Begin(rec, emit)
	if !ok {
		return
	}
	switch {
	case isChange(root):
		p.log = true
		p.change(root)
		p.restored()
	case isEntry(root):
		p.entry(root)
	case root.Get("table").Is(tableSession) && root.Get("key").Exists():
		p.document(root.Get("data"))
	case stream.AreObjects(root): // the sessions of early 2024 and before
		for v := range root.Elems() {
			p.document(v)
		}
	case root.Kind() == jsondoc.Object:
		p.document(root)
	}
	if !p.Emitted {
		p.keep(rawType(root), root, isChange(root) || p.started)
	}
}

// rawType names a record after what it changes: a number in a path says nothing.
func rawType(v jsondoc.Value) string {
	if !isChange(v) {
		return v.Kind().String()
	}
	kind, _ := v.Get("kind").Int()
	name := []string{[...]string{"initial", "set", "push", "delete"}[kind]}
	for key := range v.Get("k").Elems() {
		if key.Kind() == jsondoc.String && len(name) < 5 {
			name = append(name, key.Str())
		}
	}
	return strings.Join(name, "/")
}

// document reads a session that is written whole.
// A document is rewritten as a whole, and read again from its start: ids make the
// events the same ones.
func (p *parser) document(v jsondoc.Value) {
	list := v.Get("requests")
	switch {
	case v.Get("initialFileContents").Exists(), v.Path("timeline", "fileBaselines").Exists(), v.Get("linearHistory").Exists():
		p.Session = v.Get("sessionId").Str()
		p.keep("editingSession", v, true)
		return
	case list.Kind() != jsondoc.Array:
		p.keep("object", v, false)
		return
	}
	p.Session, p.started = "", false
	p.start(v)
	removed := ""
	for r := range list.Elems() {
		before := p.before()
		p.request(r, 0)
		if removed == "" && isRemoved(r.Get("shouldBeRemovedOnSend")) {
			removed = r.Get("requestId").Str()
			defer p.rewound(removed, before)
		}
	}
}

// start opens the stream with what a session says of itself.
func (p *parser) start(v jsondoc.Value) {
	if p.started {
		p.locate(v)
		return
	}
	p.started = true
	var first jsondoc.Value
	exported := "" // an export has no id of its own
	for r := range v.Get("requests").Elems() {
		if !first.Exists() {
			first = r
		}
		exported = cmp.Or(exported, r.Path("result", "metadata", "sessionId").Str())
	}
	p.Session = cmp.Or(v.Get("sessionId").Str(), exported, first.Get("requestId").Str(), p.stem)
	p.locate(v)
	body := core.SessionStart{Model: model(first), ToolVersion: first.Path("agent", "extensionVersion").Str()}
	if p.Project != nil {
		body.Cwd, body.Git = p.Project.Cwd, p.Project.Git
	}
	p.send(stream.Head{ID: p.Session, Time: moment(v.Get("creationDate"))}, &body)
	p.origin = mark{id: p.Session, seq: p.Last, last: p.Session}
}

// locate notes where the work happens.
func (p *parser) locate(v jsondoc.Value) {
	cwd, repo := cmp.Or(filePath(v.Get("workingDirectory")), p.workspace), v.Get("repoData")
	git := core.Git{SHA: repo.Get("localHeadCommit").Str(), Branch: repo.Get("localBranch").Str()}
	if p.Project != nil {
		cwd, git = cmp.Or(cwd, p.Project.Cwd), cmp.Or(git, p.Project.Git)
	}
	if cwd != "" || git != (core.Git{}) {
		p.Project = &core.Project{Cwd: cwd, Git: git}
	}
}

// relativeTo notes where the work happens, if nothing else says it: what a response
// refers to is relative to the folder of the workspace, and the result names that.
func (p *parser) relativeTo(request jsondoc.Value) {
	if p.Project != nil && p.Project.Cwd != "" {
		return
	}
	at := request.Path("result", "metadata", "cacheKey")
	for part := range request.Get("response").Elems() {
		if base := part.Get("baseUri"); base.Kind() == jsondoc.Object {
			at = base
			break
		}
	}
	if p.workspace = strings.TrimSuffix(filePath(at), "/"); p.workspace != "" {
		p.locate(jsondoc.Value{})
	}
}

// moment reads a count of milliseconds, which some versions write as a string.
func moment(v jsondoc.Value) core.Time {
	if v.Kind() == jsondoc.Number {
		return stream.Millis(v)
	}
	n, err := strconv.ParseInt(v.Str(), 10, 64)
	if err != nil || n <= 0 {
		return core.Time{}
	}
	return core.UnixMilli(n)
}

// before is the event before the next request.
func (p *parser) before() mark {
	if n := len(p.requests); n > 0 {
		return p.requests[n-1]
	}
	return p.origin
}

// rewound passes on that a request and all behind it were taken back.
func (p *parser) rewound(request string, to mark) {
	p.send(stream.Head{ID: "rewind:" + request}, &core.Rewind{ToEvent: to.last, ToSeq: to.seq})
}

// send emits an event of the current record.
func (p *parser) send(h stream.Head, body core.Body) {
	p.Echo = p.transcript.isEcho(body)
	p.Send(h, body)
}

// keep passes on what means nothing to the event model.
func (p *parser) keep(name string, v jsondoc.Value, bookkeeping bool) {
	p.send(stream.Head{}, &core.Unknown{RawType: name, Raw: core.RawValue(v), Bookkeeping: bookkeeping})
}
