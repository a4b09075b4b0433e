package copilot

import (
	"cmp"
	"strconv"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

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
		p.said(e.Get("text"))
	case "copilot":
		p.replied(e.Get("text"))
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

// said emits a person's turn.
func (p *parser) said(text jsondoc.Value) {
	p.Parts = append(p.Parts[:0], core.Part{Kind: core.TextPart, Text: core.Token(text)})
	p.User = core.UserTurn{Text: core.Token(text), Parts: p.Parts}
	p.send(&p.User, false)
}

// replied emits what the model said.
func (p *parser) replied(text jsondoc.Value) {
	p.Parts = append(p.Parts[:0], core.Part{Kind: core.TextPart, Text: core.Token(text)})
	p.Assistant = core.AssistantTurn{Text: core.Token(text), Parts: p.Parts}
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

// chatMessage reads a message in the provider's form. Nothing says whether its
// calls succeeded.
func (p *parser) chatMessage(m jsondoc.Value) {
	p.rec.root = m
	p.Emitted = false
	content := m.Get("content")
	switch role := m.Get("role"); {
	case role.Is("user"):
		p.said(content)
	case role.Is("assistant"):
		if len(content.Body()) > 0 {
			p.replied(content)
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
