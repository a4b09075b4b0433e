package zed

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// legacy reads a message as it was before 0.3: by its role, with segments or one
// text. The results of a response's calls stand in it or, in 0.1, in the
// person's message behind it.
func (p *parser) legacy(h stream.Head, m jsondoc.Value, cost *core.Usage) {
	own := map[string]bool{}
	for use := range m.Get("tool_uses").Elems() {
		own[use.Get("id").Str()] = true
	}
	p.results(h, m, own, false)
	text, thinking, parts := segments(m)
	switch role := m.Get("role"); {
	case role.Is("assistant"):
		p.Send(h, &core.AssistantTurn{Text: text, Thinking: thinking, Model: p.model, MessageID: h.ID, Usage: cost, Parts: parts})
	case role.Is("user") && text.IsEmpty() && m.Get("tool_results").Len() > 0: // there is nothing else in it
	default:
		h.Injected = p.Thread != "" || m.Get("is_hidden").Bool() || !role.Is("user")
		p.Send(h, &core.UserTurn{Text: text, Parts: parts})
	}
	for use := range m.Get("tool_uses").Elems() {
		c := call{name: use.Get("name").Str(), input: use.Get("input")}
		p.calls[use.Get("id").Str()] = c
		p.Send(h, &core.ToolCall{CallID: use.Get("id").Str(), Name: c.name, Args: core.RawValue(c.input)})
	}
	p.results(h, m, own, true)
}

// cost is what the request cost that message i answers. Before 0.3 the thread had
// a list of as many as it had messages; what stood for the message before was
// copied to each that no request had been made for.
func (p *parser) cost(i int) *core.Usage {
	if p.costs.Kind() != jsondoc.Array {
		return nil
	}
	var before, own *core.Usage
	n := 0
	for v := range p.costs.Elems() {
		if n > i {
			break
		}
		before, own = own, usageOf(v)
		n++
	}
	if n <= i || own == nil || before != nil && *before == *own {
		return nil
	}
	return own
}

// results reads the results in a message: those of its own calls, or of earlier
// ones.
func (p *parser) results(h stream.Head, m jsondoc.Value, own map[string]bool, wantOwn bool) {
	for r := range m.Get("tool_results").Elems() {
		if id := r.Get("tool_use_id").Str(); own[id] == wantOwn {
			p.result(h, p.calls[id], r)
		}
	}
}

// segments are the texts of a message.
func segments(m jsondoc.Value) (text, thinking core.Text, parts []core.Part) {
	if !m.Get("segments").Exists() {
		text = core.Token(m.Get("text"))
		return text, thinking, []core.Part{stream.Text(text)}
	}
	var said, thought []string
	for s := range m.Get("segments").Elems() {
		switch kind := s.Get("type"); {
		case kind.Is("text"):
			said = append(said, s.Get("text").Str())
			parts = append(parts, core.Part{Kind: core.TextPart, Text: core.Token(s.Get("text"))})
		case kind.Is("thinking"):
			thought = append(thought, s.Get("text").Str())
		default:
			parts = append(parts, stream.Other(s))
		}
	}
	return core.Plain(strings.Join(said, "")), core.Plain(strings.Join(thought, "\n\n")), parts
}
