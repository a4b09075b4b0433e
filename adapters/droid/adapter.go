// Package droid reads the sessions of Factory's Droid. A session is a log: a header, and a
// record for each message, whose content is in the blocks of Anthropic's API. What a person
// said is there beside what the client puts before the model in their place.
//
//	{"type":"session_start","id":"s1","title":"t","version":2,"cwd":"/w"}
//	{"type":"message","message":{"role":"user","content":[{"type":"text",…}]},…}
//
// docs/adapters/droid.md says what is known of the format, and how.
package droid

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Droid.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Droid }

// Places are the folder of the sessions, where each project has one of its own.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".factory"}}, Patterns: []string{"sessions/*.jsonl", "sessions/*/*.jsonl"}}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path)
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the header.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	return stream.Fit(v.Get("type").Is("session_start") && v.Get("id").Exists() && v.Get("cwd").Exists(),
		strings.Contains(s.Path, "/.factory/sessions/") && strings.HasSuffix(s.Path, ".jsonl"))
}

// parser reads the records of one session.
type parser struct {
	asked.Talk

	reply jsondoc.Doc // of a result, while it is read
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	h := stream.Head{ID: v.Get("id").Str(), Time: core.ParseTime(v.Get("timestamp").Str())}
	stream.Dispatch(p, &p.Base, "", v.Get("type"), h, v)
}

// Kinds returns what each kind of record becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "session_start", Known: "wild", Becomes: "`session_start` with the folder", Read: (*parser).opened},
		{
			Names: "message", Known: "wild", Read: (*parser).message,
			Becomes: "user: `user_turn` for what was typed; reminders, and files that were referred to, injected; `tool_result` · assistant: " +
				"`assistant_turn` for words and thoughts, `tool_call`",
		},
		{Names: "compaction_state", Known: "hear", Becomes: "`compaction`", Read: (*parser).compacted},
		{Names: "session_end", Known: "hear", Becomes: "`session_end`", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.Send(h, &core.SessionEnd{Reason: v.Get("reason").Str()})
		}},
		{Names: "todo_state", Known: "wild"},
	}
}

func (p *parser) opened(h stream.Head, v jsondoc.Value) {
	if h.ID != "" {
		p.Session = h.ID
	}
	p.Start(h, core.SessionStart{Cwd: v.Get("cwd").Str()})
}

// compacted reads a summary, which stands for what was said before it.
func (p *parser) compacted(h stream.Head, v jsondoc.Value) {
	summary := v.Get("summary")
	if summary.Kind() == jsondoc.Object {
		summary = summary.Get("body")
	}
	p.Compact(h, core.Token(summary), p.Last)
}

// message reads a message, block by block.
func (p *parser) message(h stream.Head, v jsondoc.Value) {
	m := v.Get("message")
	role, content := m.Get("role"), m.Get("content")
	switch {
	case content.Kind() == jsondoc.String && role.Is("assistant"):
		p.Says(h, m.Get("model").Str(), core.Token(content))
	case content.Kind() == jsondoc.String:
		h.Injected = isPutThere(content.Str())
		p.Said(h, core.Token(content))
	case role.Is("assistant"):
		p.answered(h, m)
	case role.Is("user"):
		p.heard(h, content)
	}
}

// answered reads what the model said and did.
func (p *parser) answered(h stream.Head, m jsondoc.Value) {
	model := m.Get("model").Str()
	for block := range m.Get("content").Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("text"):
			p.Says(h, model, core.Token(block.Get("text")))
		case kind.Is("thinking"):
			p.Thinks(h, model, core.Token(block.Get("thinking")))
		case kind.Is("tool_use"):
			p.Call(h, block.Get("id").Str(), block.Get("name").Str(), block.Get("input"))
		default:
			p.Shows(h, model, block)
		}
	}
}

// heard reads what is in a person's place: their words, what the client says
// beside them, and the results of calls.
func (p *parser) heard(h stream.Head, content jsondoc.Value) {
	var typed stream.Prompt
	for block := range content.Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("tool_result"):
			p.result(h, block)
		case kind.Is("text") && isPutThere(block.Get("text").Str()):
			put := h
			put.Injected = true
			p.Said(put, core.Token(block.Get("text")))
		case kind.Is("text"):
			typed.Say(block.Get("text"))
		case kind.Is("image"):
			typed.Show(block.Path("source", "media_type"))
		default:
			typed.Keep(block)
		}
	}
	p.Prompted(h, &typed)
}

// isPutThere reports whether no person typed a text: the client's reminders, and
// the files that were referred to (published sessions).
func isPutThere(text string) bool {
	text = strings.TrimLeft(text, " \n")
	return strings.HasPrefix(text, "<system-reminder>") || strings.HasPrefix(text, "Contents of /") && strings.Contains(text[:min(len(text), 4<<10)], " (lines ")
}

// result reads the result of a call, and the edits that it made.
func (p *parser) result(h stream.Head, v jsondoc.Value) {
	id, out := v.Get("tool_use_id").Str(), v.Get("content")
	ok := !v.Get("is_error").Bool() && !strings.HasPrefix(out.Str(), "Error:")
	if reply := stream.Nested(&p.reply, out); reply.Kind() == jsondoc.Object && reply.Get("success").Exists() {
		ok = ok && reply.Get("success").Bool()
	}
	name, args := p.Result(h, id, ok, core.RawValue(out), nil)
	switch name {
	case "Read":
		p.wasRead(args, out)
	case "Edit", "MultiEdit", "Create", "ApplyPatch":
		if ok {
			p.Asked(h, id, name, args)
		}
	}
}

// maxWhole is the number of lines up to which a read is taken for one of the whole
// file: of longer ones the client shows a part.
const maxWhole = 1000

// wasRead takes in what a file holds, if no part of it was asked for.
func (p *parser) wasRead(args, out jsondoc.Value) {
	file := p.Resolve(asked.Path(args))
	from, _ := args.Get("offset").Int()
	if file == "" || from > 1 || args.Get("limit").Exists() || out.Kind() != jsondoc.String {
		return
	}
	if text := out.Str(); strings.Count(text, "\n") < maxWhole {
		p.Files.Set(file, text)
	}
}
