package copilot

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// userMessage reads a prompt. Its content is what was typed; what the model got
// besides is in transformedContent. A source marks what no person typed: skill
// text, the prompts of other agents (wild; schema), as does a subagent's line.
func (p *parser) userMessage(data jsondoc.Value) {
	source := data.Get("source")
	injected := p.Thread != "" || data.Get("isAutopilotContinuation").Bool() ||
		len(source.Body()) > 0 && !source.Is("user")
	p.Parts = p.Parts[:0]
	text := core.Token(data.Get("content"))
	if !text.IsEmpty() {
		p.Parts = append(p.Parts, stream.Text(text))
	}
	for a := range data.Get("attachments").Elems() {
		p.Parts = append(p.Parts, p.attachment(a))
	}
	if !injected {
		p.prompt()
	}
	p.User = core.UserTurn{Text: text, Parts: p.Parts}
	p.send(&p.User, injected)
}

// attachment is the part for a file, a selection or a picture.
func (p *parser) attachment(a jsondoc.Value) core.Part {
	if media := a.Get("mimeType"); bytes.HasPrefix(media.Body(), []byte("image/")) {
		return core.Part{Kind: core.ImagePart, MediaType: p.Names.Of(media)}
	}
	return stream.Other(a)
}

// notice reads what the client says in the conversation.
func (p *parser) notice(data jsondoc.Value) { p.put(data.Get("content")) }

// put emits what the client says in the conversation.
func (p *parser) put(content jsondoc.Value) {
	if len(content.Body()) > 0 {
		p.typed(core.Token(content), true)
	}
}

// typed emits a turn of one text.
func (p *parser) typed(text core.Text, injected bool) {
	p.Parts = append(p.Parts[:0], stream.Text(text))
	p.User = core.UserTurn{Text: text, Parts: p.Parts}
	p.send(&p.User, injected)
}

// message holds the members of a response that mean something here.
type message struct{ id, call, content, thinking, requests, model, output, chunk jsondoc.Value }

func messageOf(data jsondoc.Value) message {
	return message{
		id: data.Get("messageId"), call: data.Get("apiCallId"), content: data.Get("content"), thinking: data.Get("reasoningText"),
		requests: data.Get("toolRequests"), model: data.Get("model"), output: data.Get("outputTokens"), chunk: data.Get("chunkIndex"),
	}
}

// assistantMessage reads a response, or one of the chunks of a response.
func (p *parser) assistantMessage(data jsondoc.Value) {
	m := messageOf(data)
	id := m.call
	if len(id.Body()) == 0 {
		id = m.id
	}
	p.Assistant = core.AssistantTurn{
		Text: core.Token(m.content), Thinking: core.Token(m.thinking), Model: p.modelOf(m.model), MessageID: id.Str(),
		Usage: p.usage(&m),
	}
	p.Parts = p.Parts[:0]
	if t := p.Assistant.Thinking; !t.IsEmpty() {
		p.Parts = append(p.Parts, core.Part{Kind: core.ThinkingPart, Text: t})
	}
	if t := p.Assistant.Text; !t.IsEmpty() {
		p.Parts = append(p.Parts, core.Part{Kind: core.TextPart, Text: t})
	}
	for r := range m.requests.Elems() {
		p.Parts = append(p.Parts, core.Part{Kind: core.ToolUsePart, CallID: r.Get("toolCallId").Str(), Name: p.Names.Of(r.Get("name"))})
	}
	p.Assistant.Parts = p.Parts
	p.send(&p.Assistant, false)
	i := len(p.Parts) - m.requests.Len()
	for r := range m.requests.Elems() {
		p.request(p.Parts[i].CallID, p.Parts[i].Name, r.Get("arguments"))
		i++
	}
}

// modelOf is the model of a message; subagents have their own, and say so.
func (p *parser) modelOf(named jsondoc.Value) string {
	if len(named.Body()) > 0 {
		return p.Names.Of(named)
	}
	if p.Thread == "" {
		return p.model
	}
	return ""
}

// usage is what a message adds to the tokens of its response. Before there were usage records, only
// the output was counted (wild 0.0.420 to 1.0.77); chunks of one response may all repeat it.
func (p *parser) usage(m *message) *core.Usage {
	u, ok := p.counts.take(m.call)
	if !ok {
		chunk, _ := m.chunk.Int()
		n, counted := m.output.Int()
		if !counted || chunk > 0 {
			return nil
		}
		u = core.Usage{Output: n}
	}
	p.Tokens = u
	return &p.Tokens
}

// reasoning reads thoughts that stand apart from their message.
func (p *parser) reasoning(data jsondoc.Value) {
	text := core.Token(data.Get("content"))
	if text.IsEmpty() {
		return
	}
	p.Parts = append(p.Parts[:0], core.Part{Kind: core.ThinkingPart, Text: text})
	p.Assistant = core.AssistantTurn{Thinking: text, Model: p.modelOf(jsondoc.Value{}), Parts: p.Parts}
	p.send(&p.Assistant, false)
}

// Before 0.0.342 a session is one document (wild, October 2025):
//
//	{"sessionId","startTime","chatMessages":[…],"timeline":[
//	  {"type":"user"|"copilot"|"info","id","timestamp","text"},
//	  {"type":"tool_call_completed","id","timestamp","callId","name","toolTitle","arguments","result":{"type","log"}}]}
//
// The timeline is what the screen showed; chatMessages are the provider's
// messages, and are all that is left of some sessions.

// document reads a whole session. The document is rewritten with every turn, and is
// read again from its start; ids of entries keep the events the same.
func (p *parser) document(v jsondoc.Value) {
	if id := v.Get("sessionId"); len(id.Body()) > 0 {
		p.Session = id.Str()
	}
	p.Time = core.ParseTime(v.Get("startTime").Str())
	p.ID = p.Session
	p.start(v)
	entries := 0
	for e := range v.Get("timeline").Elems() {
		entries++
		p.entry(e)
	}
	if entries > 0 {
		return
	}
	i := 0
	for m := range v.Get("chatMessages").Elems() {
		i++
		p.ID, p.Parent, p.Scope = p.Session+":"+strconv.Itoa(i), "", ""
		p.chatMessage(m)
	}
}

// entry reads an entry of the timeline.
func (p *parser) entry(e jsondoc.Value) {
	p.rec.root = e
	p.ID, p.Parent, p.Scope = e.Get("id").Str(), "", ""
	if stream.IsUUID(p.ID) {
		p.Scope = p.ID
	}
	p.Time = core.ParseTime(e.Get("timestamp").Str())
	p.Emitted = false
	kind := e.Get("type")
	switch string(kind.Body()) {
	case "user":
		p.typed(core.Token(e.Get("text")), false)
	case "copilot":
		p.replied(core.Token(e.Get("text")))
	case "tool_call_requested", "tool_call_completed":
		p.toolEntry(kind, e)
	}
	if !p.Emitted {
		p.unknownRecord(kind.Str(), timelineKind(kind))
	}
}

func timelineKind(kind jsondoc.Value) bool {
	switch string(kind.Body()) {
	case "user", "copilot", "tool_call_completed", "info": // wild
		return true
	case "tool_call_requested", "error", "warning": // unverified
		return true
	}
	return false
}

// replied emits what the model said.
func (p *parser) replied(text core.Text) {
	p.Parts = append(p.Parts[:0], stream.Text(text))
	p.Assistant = core.AssistantTurn{Text: text, Parts: p.Parts}
	p.send(&p.Assistant, false)
}

// toolEntry reads a call, which stands together with its result.
func (p *parser) toolEntry(kind, e jsondoc.Value) {
	id := e.Get("callId").Str()
	name := cmp.Or(p.Names.Of(e.Get("name")), p.Names.Of(e.Get("toolTitle")))
	if p.calls.Get(id) == nil {
		p.request(id, name, e.Get("arguments"))
	}
	result := e.Get("result")
	if !kind.Is("tool_call_completed") || !result.Exists() {
		return
	}
	a := answer{id: id, told: result.Get("log"), detail: result.Get("log"), call: p.calls.Take(id)}
	a.args = p.calls.args(&a.call)
	a.ok = result.Get("type").Is("success") && codeInText(a.told.Body()) == 0
	p.answer(&a, result)
}

// chatMessage reads a message in the provider's form. Nothing says whether its calls succeeded.
func (p *parser) chatMessage(m jsondoc.Value) {
	p.rec.root = m
	p.Emitted = false
	content := m.Get("content")
	switch role := m.Get("role"); {
	case role.Is("user"):
		p.typed(core.Token(content), false)
	case role.Is("assistant"):
		if len(content.Body()) > 0 {
			p.replied(core.Token(content))
		}
		for c := range m.Get("tool_calls").Elems() {
			f := c.Get("function")
			p.Call = core.ToolCall{CallID: c.Get("id").Str(), Name: p.Names.Of(f.Get("name")), Args: core.RawValue(f.Get("arguments"))}
			p.send(&p.Call, false)
		}
	case role.Is("tool"):
		p.Result = core.ToolResult{CallID: m.Get("tool_call_id").Str(), OK: true, Output: core.RawValue(content)}
		p.send(&p.Result, false)
	}
	if !p.Emitted {
		p.unknownRecord("chat/"+m.Get("role").Str(), true)
	}
}
