// Package vibe reads the sessions of Mistral Vibe.
//
// Before 3.0 a session is a log of messages in the form of the model's API, without times, and
// a file beside it that says where and when the session began. Since then it is a folder:
//
//	meta.json       where and when it began
//	chunks/*.json   lists of what a person sees of it (entries), and other lists
//	journal/*.jsonl what has changed since: the last two turns, at most
//
// docs/adapters/vibe.md says what is known of the format, and how.
package vibe

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

// Adapter knows Mistral Vibe.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Vibe }

// Places are the folder of the sessions.
func (Adapter) Places() []core.Place {
	return []core.Place{{
		Roots:    []core.Root{{Env: "VIBE_HOME"}, {Path: ".vibe"}},
		Patterns: []string{"logs/session/*/" + messages, "logs/session/*/agents/*/" + messages, "logs/session/unified/*/" + meta},
	}}
}

const (
	messages = "messages.jsonl"
	meta     = "meta.json" // beside the messages, and the first file of a folder
)

// Sidecars implements [core.SidecarReader].
func (Adapter) Sidecars(name string) []string {
	if path.Base(name) == messages {
		return []string{meta}
	}
	return nil
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path, "messages", "meta")
	p.beside(stream.Beside(info, meta))
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the first message.
func (Adapter) Detect(s core.Sample) core.Fit {
	if _, is := (Adapter{}).Tree(s.Path); is {
		return stream.Fit(stream.OpeningOf(s).Is("{", "session_id"), true)
	}
	v := stream.FirstLine(s)
	return stream.Fit(v.Get("role").Exists() && v.Get("injected").Exists() && v.Get("message_id").Exists(),
		path.Base(s.Path) == messages && strings.Contains(s.Path, "/.vibe/logs/session/"))
}

// parser reads the messages of one session. Its fields last for the log.
type parser struct {
	asked.Talk

	begun   bool
	started core.Time
	model   string
	git     core.Git
	from    string          // id of the last message that made calls
	entries map[string]bool // of a folder: whether they are complete
	another bool            // the entry that is read was not there before
}

// beside reads the file with what the messages leave out.
func (p *parser) beside(v jsondoc.Value) {
	p.Session = cmp.Or(v.Get("session_id").Str(), p.Session)
	p.started = core.ParseTime(v.Get("start_time").Str())
	p.model = v.Path("config", "active_model").Str()
	p.git = core.Git{Branch: v.Get("git_branch").Str(), SHA: v.Get("git_commit").Str()}
	if dir := v.Path("environment", "working_directory").Str(); dir != "" {
		p.Project = &core.Project{Cwd: dir, Git: p.git}
	}
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	if table, _ := core.Row(v); table != "" {
		p.row(table, v.Get("data"))
		return
	}
	if !p.begun && v.Get("role").Exists() {
		p.begun = true
		p.Start(stream.Head{ID: p.Session, Time: p.started}, core.SessionStart{Model: p.model, Git: p.git})
	}
	p.Scope = ""
	h := stream.Head{ID: v.Get("message_id").Str()}
	stream.Dispatch(p, &p.Base, "", v.Get("role"), h, v)
}

// Kinds returns what each kind of message becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "user", Known: "rec", Becomes: "`user_turn`; injected if the message says so", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			h.Injected = v.Get("injected").Bool()
			p.Said(h, core.Token(v.Get("content")))
		}},
		{Names: "assistant", Known: "rec", Becomes: "`assistant_turn` with words and thoughts (src), `tool_call`", Read: (*parser).answered},
		{
			Names: "tool", Known: "rec", Read: func(p *parser, _ stream.Head, v jsondoc.Value) { p.result(v) },
			Becomes: "`tool_result`: it failed if it begins with `<tool_error>`; of `write_file` and `edit` the edit",
		},
		{Names: "system", Known: "rec"},
		{
			Names: "message reasoning", Known: "rec", Read: (*parser).message,
			Becomes: "`user_turn` or `assistant_turn`, when it is complete; injected if a person neither began nor steered a turn with it",
		},
		{
			Names: "effect", Known: "rec", Read: (*parser).effect,
			Becomes: "`tool_call`, and when it is complete `tool_result`; of `write_file` and `edit` the edit. A command that ends with another code than 0 has failed",
		},
		{Names: "checkpoint", Known: "src", Becomes: "of a compaction `compaction`, without its text", Read: func(p *parser, h stream.Head, e jsondoc.Value) {
			if e.Get("kind").Is("compaction") && p.entries[h.ID] {
				p.Compact(h, core.Text{}, 0)
			}
		}},
		{Names: "notice", Known: "src"},
	}
}

// answered reads what the model said and did.
func (p *parser) answered(h stream.Head, v jsondoc.Value) {
	p.Replies(h, p.model, core.Token(v.Get("content")), core.Token(v.Get("reasoning_content")))
	p.from, p.Scope = h.ID, h.ID // a session that resumes another one begins with its messages, under their ids
	for call := range v.Get("tool_calls").Elems() {
		p.Call(h, call.Get("id").Str(), call.Path("function", "name").Str(), call.Path("function", "arguments"))
	}
}

// result reads what a call came to, and the edit that it made.
func (p *parser) result(v jsondoc.Value) {
	id, said := v.Get("tool_call_id").Str(), v.Get("content").Str()
	p.Scope = p.from
	h := stream.Head{ID: p.from + "/" + id}
	ok := !strings.HasPrefix(said, "<tool_error>") && !strings.HasPrefix(said, "<user_cancellation>")
	name, args := p.Result(h, id, ok, core.RawValue(v.Get("content")), nil)
	switch {
	case !ok:
	case name == "read_file":
		if text, whole := shown(said); whole {
			p.Files.SetOpen(p.Resolve(asked.Path(args)), text)
		}
	case name == "write_file" && !args.Get("overwrite").Bool(): // it refuses a file that is there
		p.Edit(h, id, name, p.Files.Create(p.Resolve(asked.Path(args)), args.Get("content").Str()))
	case name == "write_file", name == "edit", name == "search_replace":
		p.Asked(h, id, name, args)
	}
}

// shown is the text in the result of a read, whose lines are numbered, and whether
// that is all of the file. Whether its last line ends is not shown.
func shown(said string) (text string, whole bool) {
	_, body, ok := strings.Cut(said, "\ncontent: ")
	end := strings.LastIndex(body, "\nnum_lines: ")
	if !ok || end < 0 || !strings.Contains(body[end:], "\nstart_line: 1\n") || !strings.Contains(body[end:], "\nwas_truncated: False") {
		return "", false
	}
	return edit.Unnumbered(body[:end]+"\n", "→")
}
