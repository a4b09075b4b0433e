package copilot

import (
	"bytes"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// userMessage reads a prompt. Its content is what was typed; what the model got
// besides stands in transformedContent. A source marks what no person typed: skill
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
	return core.Part{Kind: core.OtherPart, Raw: core.RawValue(a)}
}

// notice reads what the client says in the conversation.
func (p *parser) notice(data jsondoc.Value) { p.put(data.Get("content")) }

// put emits what the client says in the conversation.
func (p *parser) put(content jsondoc.Value) {
	if len(content.Body()) == 0 {
		return
	}
	p.Parts = append(p.Parts[:0], core.Part{Kind: core.TextPart, Text: core.Token(content)})
	p.User = core.UserTurn{Text: core.Token(content), Parts: p.Parts}
	p.send(&p.User, true)
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

// usage is what a message adds to the tokens of its response. Before there were
// usage records, only the output was counted (wild 0.0.420 to 1.0.77); chunks
// of one response may all repeat it.
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
