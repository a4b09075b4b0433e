// Package codebuff parses the chats of Codebuff and Freebuff.
//
// A chat is one document, which is rewritten whole: messages as the screen shows
// them, with blocks of words, calls, and agents that have blocks of their own.
//
// docs/adapters/codebuff.md says what is known of the format, and how.
//
//	[{"id":"user-1","variant":"user","content":"Rename it to b.","timestamp":"11:58 PM"},
//	 {"id":"ai-1","variant":"ai","isComplete":true,"blocks":[{"type":"text",…},
//	  {"type":"tool","toolCallId":"c1","toolName":"write_file","input":{…},"output":"file: n.md"}]}]
package codebuff

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Codebuff.
type Adapter struct{ stream.Documents }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Codebuff }

// file is the name of each chat, and state that of what lies beside it.
const (
	file  = "chat-messages.json"
	state = "run-state.json"
)

// Places are the folders of the chats.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".config/manicode"}}, Patterns: []string{"projects/*/chats/*/" + file}}}
}

// Sidecars implements [core.SidecarReader].
func (Adapter) Sidecars(name string) []string {
	if path.Base(name) == file {
		return []string{state}
	}
	return nil
}

// NewParser returns a parser for one chat. It is named by its folder: the moment at which it began.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path, "chat-messages")
	p.cwd = stream.Beside(info, state).Path("sessionState", "fileContext", "cwd").Str()
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the members of the first message.
func (Adapter) Detect(s core.Sample) core.Fit {
	return stream.Fit(stream.OpeningOf(s).Is("[", "variant", "timestamp", "content"),
		path.Base(s.Path) == file && strings.Contains(s.Path, "/manicode/projects/"))
}

// parser reads the record of one chat.
type parser struct {
	asked.Talk

	cwd string
}

// Kinds returns what each kind of message becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{In: "message", Names: "user", Known: "src", Becomes: "`user_turn`", Read: (*parser).heard},
		{
			In: "message", Names: "ai agent", Known: "src", Read: (*parser).answered,
			Becomes: "`assistant_turn` for words and thoughts, `tool_call`, and `tool_result` if there is an output; `errorMessage` in it is a failure",
		},
		{In: "message", Names: "error", Known: "src"},
	}
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	root, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	if root.Kind() == jsondoc.Array && !stream.AreObjects(root) {
		p.Unknown(stream.Head{}, root.Kind().String())
		return
	}
	p.Open(stream.Head{Time: began(p.Session)}, p.cwd, core.SessionStart{})
	for m := range root.Elems() {
		p.message(m)
	}
	if !p.Emitted {
		p.Known(stream.Head{}, "empty")
	}
}

// began is the moment that the name of a chat's folder says: 2026-07-17T06-58-00.000Z.
func began(name string) core.Time {
	day, clock, ok := strings.Cut(name, "T")
	if !ok {
		return core.Time{}
	}
	return core.ParseTime(day + "T" + strings.ReplaceAll(clock, "-", ":"))
}

// message reads a message by who it is of. What its time is, is known only where it
// says the day: else the screen's clock is there.
func (p *parser) message(m jsondoc.Value) {
	h := stream.Head{ID: m.Get("id").Str()}
	if at := m.Get("timestamp").Str(); strings.Contains(at, "T") {
		h.Time = core.ParseTime(at)
	}
	p.Raw = core.RawValue(m)
	stream.Dispatch(p, &p.Base, "message", m.Get("variant"), h, m)
}

// heard reads what a person said.
func (p *parser) heard(h stream.Head, m jsondoc.Value) {
	var more []core.Part
	for b := range m.Get("blocks").Elems() {
		more = append(more, stream.Other(b))
	}
	p.Said(h, core.Token(m.Get("content")), more...)
}

// answered reads what the model said, in one text or in blocks.
func (p *parser) answered(h stream.Head, m jsondoc.Value) {
	if text := m.Get("content"); text.Str() != "" && m.Get("blocks").Len() == 0 {
		p.Says(h, "", core.Token(text))
	}
	p.blocks(h, m.Get("blocks"))
}

// blocks reads what the model, or an agent that it sent, said and did.
func (p *parser) blocks(h stream.Head, list jsondoc.Value) {
	for b := range list.Elems() {
		switch kind := b.Get("type"); {
		case kind.Is("text") && b.Get("textType").Is("reasoning"):
			p.Thinks(h, "", core.Token(b.Get("content")))
		case kind.Is("text"), kind.Is("plan"):
			p.Says(h, "", core.Token(b.Get("content")))
		case kind.Is("tool"):
			p.call(h, b)
		case kind.Is("agent"):
			p.agent(h, b)
		default:
			p.Shows(h, "", b)
		}
	}
}

// agent reads the blocks of an agent: a thread of its own.
func (p *parser) agent(h stream.Head, b jsondoc.Value) {
	thread := p.Thread
	p.Thread = b.Get("agentId").Str()
	if asked := b.Get("initialPrompt"); asked.Str() != "" {
		put := h
		put.Injected = true
		p.Said(put, core.Token(asked))
	}
	p.blocks(h, b.Get("blocks"))
	p.Thread = thread
}

// call reads a call, and what it came to if it has an answer yet.
func (p *parser) call(h stream.Head, b jsondoc.Value) {
	id, out := b.Get("toolCallId").Str(), b.Get("output")
	p.Call(h, id, b.Get("toolName").Str(), b.Get("input"))
	if !out.Exists() {
		return
	}
	ok := !strings.Contains(out.Str(), "errorMessage")
	name, args := p.Result(h, id, ok, core.RawValue(out), nil)
	if ok && (name == "str_replace" || name == "write_file") {
		p.Asked(h, id, name, args)
	}
}
