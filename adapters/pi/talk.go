package pi

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

func knownRole(role jsondoc.Value) bool {
	switch string(role.Body()) {
	case "user", "assistant", "toolResult", "bashExecution", // recorded 0.73.1; bashExecution wild
		"system",                                                      // the client's own words to the model; recorded 0.87.1
		"custom", "hookMessage", "branchSummary", "compactionSummary": // source
		return true
	}
	return false
}

// said reads a message by its role.
func (p *parser) said(m jsondoc.Value) {
	switch role := m.Get("role"); string(role.Body()) {
	case "user":
		p.prompt(m.Get("content"))
	case "assistant":
		p.response(m)
	case "toolResult":
		p.callResult(m)
	case "bashExecution":
		p.ran(m)
	case "custom", "hookMessage":
		p.put(m.Get("content"))
	case "branchSummary", "compactionSummary":
		p.put(m.Get("summary"))
	}
}

// prompt reads what a person typed, without what the client put before it: the
// text of a skill, or files named on the command line (source).
func (p *parser) prompt(content jsondoc.Value) {
	p.collect(content)
	text := stream.Joined(p.texts)
	injected, typed, cut := split(text)
	if cut {
		p.user = core.UserTurn{Text: core.Plain(injected)}
		if typed == "" && len(p.parts) == len(p.texts) {
			p.send(&p.user, true)
			p.tree.speak(p.Last)
			return
		}
		text = core.Plain(typed)
		p.keepOthers(text)
	}
	turn := core.UserTurn{Text: text, Parts: p.parts}
	put := p.user
	p.user = turn
	p.send(&p.user, false)
	if cut {
		p.user = put
		p.send(&p.user, true)
	}
	p.tree.speak(p.Last)
}

// keepOthers replaces the texts among the parts by one.
func (p *parser) keepOthers(text core.Text) {
	kept := p.parts[:0]
	for _, part := range p.parts {
		if part.Kind != core.TextPart {
			kept = append(kept, part)
		}
	}
	p.parts = append(kept, stream.Text(text))
}

// split takes what the client put before a prompt off it.
func split(text core.Text) (injected, typed string, cut bool) {
	var head [8]byte
	if text.Size() < len(head) {
		return "", "", false
	}
	s := text.String()
	rest := s
	for {
		end := ""
		switch {
		case strings.HasPrefix(rest, `<skill name="`):
			end = "</skill>"
		case strings.HasPrefix(rest, `<file name="`):
			end = "</file>"
		default:
			return strings.TrimSpace(s[:len(s)-len(rest)]), rest, len(rest) < len(s)
		}
		_, after, ok := strings.Cut(rest, end)
		if !ok {
			return "", "", false
		}
		rest = strings.TrimLeft(after, "\n")
	}
}

// collect sorts content into texts and parts.
func (p *parser) collect(content jsondoc.Value) {
	p.parts, p.texts = p.parts[:0], p.texts[:0]
	if content.Kind() == jsondoc.String {
		p.addText(core.Token(content))
		return
	}
	for block := range content.Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("text"):
			p.addText(core.Token(block.Get("text")))
		case kind.Is("image"):
			p.parts = append(p.parts, core.Part{Kind: core.ImagePart, MediaType: p.Names.Of(block.Get("mimeType"))})
		default:
			p.parts = append(p.parts, core.Part{Kind: core.OtherPart, Raw: core.RawValue(block)})
		}
	}
}

func (p *parser) addText(text core.Text) {
	if text.IsEmpty() {
		return
	}
	p.texts = append(p.texts, text)
	p.parts = append(p.parts, stream.Text(text))
}

// put emits what the client or an extension says in the conversation.
func (p *parser) put(content jsondoc.Value) {
	p.collect(content)
	if len(p.parts) == 0 {
		return
	}
	p.user = core.UserTurn{Text: stream.Joined(p.texts), Parts: p.parts}
	p.send(&p.user, true)
}

// ran reads a command that the person ran: no words of theirs.
func (p *parser) ran(m jsondoc.Value) {
	command := core.Token(m.Get("command"))
	p.parts = append(p.parts[:0], core.Part{Kind: core.TextPart, Text: command}, core.Part{Kind: core.OtherPart, Raw: core.RawValue(m)})
	p.user = core.UserTurn{Text: command, Parts: p.parts}
	p.send(&p.user, true)
	p.files.Ran(m.Get("command").Str())
}

// response reads a response of the model, and the calls that it makes.
func (p *parser) response(m jsondoc.Value) {
	a := &p.assistant
	*a = core.AssistantTurn{
		Model: p.Names.Of(m.Get("model")), MessageID: m.Get("responseId").Str(), Usage: p.usage(m.Get("usage")),
	}
	p.parts, p.texts = p.parts[:0], p.texts[:0]
	content := m.Get("content")
	if content.Kind() == jsondoc.String {
		p.addText(core.Token(content))
	}
	for block := range content.Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("text"):
			p.addText(core.Token(block.Get("text")))
		case kind.Is("thinking"):
			text := core.Token(block.Get("thinking"))
			if a.Thinking.IsEmpty() {
				a.Thinking = text
			} else {
				a.Thinking = core.Plain(a.Thinking.String() + "\n\n" + text.String())
			}
			p.parts = append(p.parts, core.Part{Kind: core.ThinkingPart, Text: text})
		case kind.Is("toolCall"):
			p.parts = append(p.parts, core.Part{Kind: core.ToolUsePart, CallID: block.Get("id").Str(), Name: p.Names.Of(block.Get("name"))})
		default:
			p.parts = append(p.parts, core.Part{Kind: core.OtherPart, Raw: core.RawValue(block)})
		}
	}
	a.Text, a.Parts = stream.Joined(p.texts), p.parts
	p.send(a, false)
	p.toolCalls(content)
	p.tree.speak(p.Last)
}

// toolCalls emits the calls of a response.
func (p *parser) toolCalls(content jsondoc.Value) {
	for block := range content.Elems() {
		if !block.Get("type").Is("toolCall") {
			continue
		}
		id, name, args := block.Get("id").Str(), p.Names.Of(block.Get("name")), block.Get("arguments")
		p.calls.open(id, name, args)
		p.call = core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)}
		p.send(&p.call, false)
	}
}

func (p *parser) usage(v jsondoc.Value) *core.Usage {
	if v.Kind() != jsondoc.Object {
		return nil
	}
	p.tokens = stream.Tokens(v, "input", "output", "cacheRead", "cacheWrite", "")
	return &p.tokens
}
