// Package kiro reads the sessions of the Kiro CLI.
//
// A session is a log of prompts, answers and results; a document beside it says where
// the session works.
//
// docs/adapters/kiro.md says what is known of the format, and how.
//
//	{"version":"v1","kind":"Prompt","data":{"message_id":"m1","content":[{"kind":"text",
//	 "data":"Let's use world."}],"meta":{"timestamp":1780612717}}}
package kiro

import (
	"cmp"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows the Kiro CLI.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Kiro }

// Places are the folder of the sessions.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Env: "KIRO_HOME"}, {Path: ".kiro"}}, Patterns: []string{"sessions/cli/*.jsonl"}}}
}

// Sidecars implements [core.SidecarReader].
func (Adapter) Sidecars(name string) []string {
	if id, ok := strings.CutSuffix(path.Base(name), ".jsonl"); ok {
		return []string{id + ".json"}
	}
	return nil
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path)
	about := stream.Beside(info, p.Session+".json")
	p.cwd, p.created = about.Get("cwd").Str(), core.ParseTime(about.Get("created_at").Str())
	p.Session = cmp.Or(about.Get("session_id").Str(), p.Session)
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the first line.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	return stream.Fit(v.Get("version").Exists() && v.Get("kind").Kind() == jsondoc.String && v.Path("data", "content").Kind() == jsondoc.Array,
		strings.Contains(s.Path, "/.kiro/sessions/cli/") && strings.HasSuffix(s.Path, ".jsonl"))
}

// parser reads the log of one session. Its fields last for the log.
type parser struct {
	asked.Talk

	cwd     string
	created core.Time
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	data := v.Get("data")
	h := stream.Head{ID: data.Get("message_id").Str(), Time: stream.Seconds(data.Path("meta", "timestamp"))}
	if v.Get("kind").Str() != "" {
		p.Open(stream.Head{Time: p.created}, p.cwd, core.SessionStart{})
	}
	stream.Dispatch(p, &p.Base, "", v.Get("kind"), h, data)
}

// Kinds returns what each kind of record becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "Prompt", Known: "hear", Becomes: "`user_turn`, at `meta.timestamp`", Read: (*parser).heard},
		{Names: "AssistantMessage", Known: "hear", Becomes: "`assistant_turn`, `tool_call`", Read: (*parser).pieces},
		{Names: "ToolResults", Known: "hear", Becomes: "`tool_result`: it succeeded with the status `success`", Read: (*parser).pieces},
	}
}

// pieces emits the pieces of a message, in order.
func (p *parser) pieces(h stream.Head, data jsondoc.Value) {
	for piece := range data.Get("content").Elems() {
		p.piece(h, piece)
	}
}

// heard reads what a person typed, and pasted.
func (p *parser) heard(h stream.Head, data jsondoc.Value) {
	var typed stream.Prompt
	for piece := range data.Get("content").Elems() {
		if text := piece.Get("data"); piece.Get("kind").Is("text") {
			typed.Say(text)
			continue
		}
		typed.Keep(piece)
	}
	p.Prompted(h, &typed)
}

// piece reads a piece of an answer, or the result of a call.
func (p *parser) piece(h stream.Head, piece jsondoc.Value) {
	data := piece.Get("data")
	switch kind := piece.Get("kind"); {
	case kind.Is("text"):
		if data.Str() != "" {
			p.Says(h, "", core.Token(data))
		}
	case kind.Is("toolUse"):
		p.Call(h, data.Get("toolUseId").Str(), data.Get("name").Str(), data.Get("input"))
	case kind.Is("toolResult"):
		id, ok := data.Get("toolUseId").Str(), data.Get("status").Is("success")
		if name, args := p.Result(h, id, ok, core.RawValue(data.Get("content")), edits); ok && edits(name) {
			p.edited(h, id, name, args)
		}
	default:
		p.Shows(h, "", piece)
	}
}

// edits reports whether a tool edits files; of its two names the second is the older.
func edits(name string) bool { return name == "write" || name == "fs_write" }

// edited tells of an edit. Where lines are put in, the call does not say which stand
// around them.
func (p *parser) edited(h stream.Head, id, name string, args jsondoc.Value) {
	if command := args.Get("command"); command.Is("insert") || command.Is("append") {
		file, added := p.Resolve(asked.Path(args)), stream.Some(args, "content", "new_str")
		p.Files.Forget(file)
		p.Edit(h, id, name, edit.Replaced(file, "", strings.TrimSuffix(added, "\n")))
		return
	}
	p.Asked(h, id, name, args)
}
