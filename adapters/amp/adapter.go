// Package amp reads the threads of Amp, as its command line tool keeps them. A thread is one
// document that is rewritten whole. Threads are synchronised with a server, so a file may have
// a part of one only.
//
//	{"id":"T-1","messages":[
//	 {"role":"user","content":[{"type":"text",…}],"meta":{"sentAt":1772241201792}},
//	 {"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"edit_file","input":{…}}]},
//	 {"role":"user","content":[{"type":"tool_result","toolUseID":"c1","run":{"status":"done","result":{"diff":…}}}]}],
//	 "env":{"initial":{"trees":[{"uri":"file:///w",…}]}}}
//
// docs/adapters/amp.md says what is known of the format, and how.
package amp

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Amp.
type Adapter struct{ stream.Documents }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Amp }

// Places are the folders of threads. Of Windows readers name three.
func (Adapter) Places() []core.Place {
	threads := []string{"threads/T-*.json"}
	return []core.Place{
		{Roots: []core.Root{{Env: "XDG_DATA_HOME", Path: "amp"}, {Path: ".local/share/amp"}}, Patterns: threads},
		{Roots: []core.Root{{OS: "windows", Env: "LOCALAPPDATA", Path: "amp"}, {OS: "windows", Path: "AppData/Local/amp"}}, Patterns: threads},
		{Roots: []core.Root{{OS: "windows", Env: "APPDATA", Path: "amp"}, {OS: "windows", Path: "AppData/Roaming/amp"}}, Patterns: threads},
	}
}

// NewParser returns a parser for one thread.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the members with which a thread begins.
func (Adapter) Detect(s core.Sample) core.Fit {
	head := stream.OpeningOf(s)
	return stream.Fit(head.Is("{", "created", "messages") && head.Says("id", "T-"), strings.Contains(s.Path, "/amp/threads/T-"))
}

// parser reads the record of one thread.
type parser struct {
	asked.Talk
}

// Kinds returns what each kind of message becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{In: "message", Names: "user", Known: "wild", Becomes: "`user_turn` for what was typed, at `meta.sentAt`; `tool_result`", Read: (*parser).heard},
		{
			In: "message", Names: "assistant", Known: "wild", Read: (*parser).answered,
			Becomes: "`assistant_turn` for words and thoughts, `tool_call`; the first piece carries the usage",
		},
	}
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	p.opened(v)
	for m := range v.Get("messages").Elems() {
		p.message(m)
	}
	if !p.Emitted {
		p.Known(stream.Head{}, "empty")
	}
}

// opened begins the thread: in the first of the folders that it began with.
func (p *parser) opened(v jsondoc.Value) {
	if id := v.Get("id").Str(); id != "" {
		p.Session = id
	}
	initial := v.Path("env", "initial")
	cwd, start := "", core.SessionStart{ToolVersion: initial.Path("platform", "clientVersion").Str()}
	for tree := range initial.Get("trees").Elems() {
		dir := local(tree.Get("uri").Str())
		if dir == "" {
			continue
		}
		cwd, start.Git.SHA = dir, tree.Path("repository", "sha").Str()
		start.Git.Branch = strings.TrimPrefix(tree.Path("repository", "ref").Str(), "refs/heads/")
		break
	}
	created, _ := v.Get("created").Int()
	p.Open(stream.Head{Time: core.UnixMilli(created)}, cwd, start)
}

// local is the path of a file: URI; other places are no folders here.
func local(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	if p := u.Path; len(p) > 2 && p[0] == '/' && p[2] == ':' { // file:///C:/…
		return p[1:]
	}
	return u.Path
}

// message reads a message by its role.
func (p *parser) message(m jsondoc.Value) {
	p.Raw = core.RawValue(m)
	h := stream.Head{ID: p.Session + "/" + string(m.Get("messageId").Raw())}
	stream.Dispatch(p, &p.Base, "message", m.Get("role"), h, m)
}

// heard reads what is in a person's place: their words, and results of calls.
func (p *parser) heard(h stream.Head, m jsondoc.Value) {
	h.Time = stream.Millis(m.Path("meta", "sentAt"))
	var typed stream.Prompt
	for block := range m.Get("content").Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("tool_result"):
			p.result(h, block)
		case kind.Is("text"):
			typed.Say(block.Get("text"))
		case kind.Is("image"):
			typed.Show(block.Path("source", "mediaType"))
		default:
			typed.Keep(block)
		}
	}
	p.Prompted(h, &typed)
}

// answered reads what the model said and did, and what it cost: the first piece of
// an answer carries that.
func (p *parser) answered(h stream.Head, m jsondoc.Value) {
	usage := m.Get("usage")
	h.Time = core.ParseTime(usage.Get("timestamp").Str())
	p.Cost = stream.Costs(usage, "inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens", "")
	model := usage.Get("model").Str()
	for block := range m.Get("content").Elems() {
		switch kind, text := block.Get("type"), block.Get("text"); {
		case kind.Is("text") && strings.TrimSpace(text.Str()) == "":
		case kind.Is("text"):
			p.Says(h, model, core.Token(text))
		case kind.Is("thinking"):
			p.Thinks(h, model, core.Token(block.Get("thinking")))
		case kind.Is("tool_use"):
			p.Call(h, block.Get("id").Str(), block.Get("name").Str(), block.Get("input"))
		default:
			p.Shows(h, model, block)
		}
	}
	p.Paid(h, model)
}

// result reads what a call came to, and the edits that it made. A call that still
// runs has no result yet.
func (p *parser) result(h stream.Head, v jsondoc.Value) {
	id := stream.Some(v, "toolUseID", "tool_use_id")
	run := v.Get("run")
	status := run.Get("status").Str()
	switch status {
	case "in-progress", "queued", "blocked-on-user":
		return
	}
	out := run.Get("result")
	if status != "done" && run.Get("error").Exists() {
		out = run.Get("error")
	}
	ok := status == "done"
	name, args := p.Result(h, id, ok, core.RawValue(out), nil)
	if ok {
		p.edited(h, id, name, args, out.Get("diff").Str())
	}
}

// edited tells what a call that succeeded changed: the diff that is in its result,
// or without one what it asked for.
func (p *parser) edited(h stream.Head, id, name string, args jsondoc.Value, shown string) {
	file := p.Resolve(asked.Path(args))
	switch name {
	case "edit_file", "create_file", "apply_patch":
		if d, err := edit.FromUnified(file, cmp.Or(edit.Fenced(shown), shown)); err == nil && file != "" && d.Added+d.Removed > 0 {
			p.Edit(h, id, name, p.Files.Apply(d))
			return
		}
		p.Asked(h, id, name, args)
	case "undo_edit":
		p.Files.Forget(file) // what it took back it does not say
	}
}
