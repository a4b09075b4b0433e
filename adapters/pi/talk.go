package pi

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// said reads a message by its role.
func (p *parser) said(m jsondoc.Value) { p.read("message", m.Get("role"), m) }

// prompt reads what a person typed, without what the client put before it: the
// text of a skill, or files named on the command line (source).
func (p *parser) prompt(content jsondoc.Value) {
	p.collect(content)
	text := stream.Joined(p.texts)
	injected, typed, cut := split(text)
	if cut {
		p.User = core.UserTurn{Text: core.Plain(injected)}
		if typed == "" && len(p.Parts) == len(p.texts) {
			p.send(&p.User, true)
			p.tree.speak(p.Last)
			return
		}
		text = core.Plain(typed)
		p.keepOthers(text)
	}
	turn := core.UserTurn{Text: text, Parts: p.Parts}
	put := p.User
	p.User = turn
	p.send(&p.User, false)
	if cut {
		p.User = put
		p.send(&p.User, true)
	}
	p.tree.speak(p.Last)
}

// keepOthers replaces the texts among the parts by one.
func (p *parser) keepOthers(text core.Text) {
	kept := p.Parts[:0]
	for _, part := range p.Parts {
		if part.Kind != core.TextPart {
			kept = append(kept, part)
		}
	}
	p.Parts = append(kept, stream.Text(text))
}

// split takes what the client put before a prompt off it.
// For `<file name="a">…</file>` before "Fix it" typed is "Fix it".
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
	p.Parts, p.texts = p.Parts[:0], p.texts[:0]
	if content.Kind() == jsondoc.String {
		p.addText(core.Token(content))
		return
	}
	for block := range content.Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("text"):
			p.addText(core.Token(block.Get("text")))
		case kind.Is("image"):
			p.Parts = append(p.Parts, core.Part{Kind: core.ImagePart, MediaType: p.Names.Of(block.Get("mimeType"))})
		default:
			p.Parts = append(p.Parts, stream.Other(block))
		}
	}
}

// addText adds a text to the texts and the parts.
func (p *parser) addText(text core.Text) {
	if text.IsEmpty() {
		return
	}
	p.texts = append(p.texts, text)
	p.Parts = append(p.Parts, stream.Text(text))
}

// put emits what the client or an extension says in the conversation.
func (p *parser) put(content jsondoc.Value) {
	p.collect(content)
	if len(p.Parts) == 0 {
		return
	}
	p.User = core.UserTurn{Text: stream.Joined(p.texts), Parts: p.Parts}
	p.send(&p.User, true)
}

// ran reads a command that the person ran: no words of theirs.
func (p *parser) ran(m jsondoc.Value) {
	command := core.Token(m.Get("command"))
	p.Parts = append(p.Parts[:0], stream.Text(command), stream.Other(m))
	p.User = core.UserTurn{Text: command, Parts: p.Parts}
	p.send(&p.User, true)
	p.files.Ran(m.Get("command").Str())
}

// response reads a response of the model, and the calls that it makes.
func (p *parser) response(m jsondoc.Value) {
	a := &p.Assistant
	*a = core.AssistantTurn{
		Model: p.Names.Of(m.Get("model")), MessageID: m.Get("responseId").Str(), Usage: p.usage(m.Get("usage")),
	}
	p.Parts, p.texts = p.Parts[:0], p.texts[:0]
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
			p.Parts = append(p.Parts, core.Part{Kind: core.ThinkingPart, Text: text})
		case kind.Is("toolCall"):
			p.Parts = append(p.Parts, core.Part{Kind: core.ToolUsePart, CallID: block.Get("id").Str(), Name: p.Names.Of(block.Get("name"))})
		default:
			p.Parts = append(p.Parts, stream.Other(block))
		}
	}
	a.Text, a.Parts = stream.Joined(p.texts), p.Parts
	p.send(a, false)
	p.toolCalls(content)
	p.tree.speak(p.Last)
}

// toolCalls emits the calls of a response.
func (p *parser) toolCalls(content jsondoc.Value) {
	p.files.AtOnce(p.ID)
	for block := range content.Elems() {
		if !block.Get("type").Is("toolCall") {
			continue
		}
		id, name, args := block.Get("id").Str(), p.Names.Of(block.Get("name")), block.Get("arguments")
		p.calls.open(id, name, args)
		p.Call = core.ToolCall{CallID: id, Name: name, Args: core.RawValue(args)}
		p.send(&p.Call, false)
	}
}

// usage is what a response cost, nil if nothing is said of that.
func (p *parser) usage(v jsondoc.Value) *core.Usage {
	if v.Kind() != jsondoc.Object {
		return nil
	}
	p.Tokens = stream.Tokens(v, "input", "output", "cacheRead", "cacheWrite", "")
	return &p.Tokens
}
