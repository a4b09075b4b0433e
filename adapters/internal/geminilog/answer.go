package geminilog

import (
	"bytes"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// answer reads a message of the model: what of it was not passed on yet.
// It may be called many times for one message; what was passed on is in m.
func (p *Parser) answer(e *entry, m *message, as arrival) {
	a := &p.Assistant
	*a = core.AssistantTurn{MessageID: e.name, Model: p.Names.Of(e.model)}
	t := &p.turn
	t.reset()
	p.thoughts(e, m)
	a.Thinking = stream.Joined(t.Put)
	a.Usage = p.usage(e, m)
	fresh := len(t.Put) > 0 || a.Usage != nil
	text := p.words(e, m, as.copied || p.copying)
	if len(t.Said) > 0 {
		a.Text, fresh = stream.Joined(t.Said), true
	}
	a.Parts = append(t.PutParts, t.Parts...)
	if fresh || !as.known && len(t.Parts) > 0 {
		injected := isReceipt(text) || p.copying && p.whose == foreign
		p.send(a, injected)
		p.compacted = p.compacted && injected
	}
	p.toolCalls(e)
}

// thoughts collects the thoughts that were not passed on yet.
func (p *Parser) thoughts(e *entry, m *message) {
	t := &p.turn
	n := uint16(0)
	for thought := range e.thoughts.Elems() {
		n++
		if n <= m.thoughts {
			continue
		}
		m.thoughts = n
		text := core.Token(thought.Get("description"))
		if subject := thought.Get("subject"); len(subject.Body()) > 0 {
			text = core.Plain(subject.Str() + "\n" + text.String())
		}
		t.Put = append(t.Put, text)
		t.PutParts = append(t.PutParts, core.Part{Kind: core.ThinkingPart, Text: text})
	}
}

// words collects what the model said, once. A copy of what was said before under another id is
// nothing new. Words are passed on once, with the first line that has any.
func (p *Parser) words(e *entry, m *message, copied bool) (text []byte) {
	t := &p.turn
	if m.said {
		p.callParts(e)
		return nil
	}
	for part := range google.Parts(e.content) {
		switch part.Kind {
		case google.Text:
			if body := bytes.TrimSpace(part.Text.Body()); len(body) > 0 {
				text = body
				t.Said = append(t.Said, core.Token(part.Text))
				t.Parts = append(t.Parts, part.Neutral(&p.Names))
			}
		case google.Call:
			p.made(e, part.Inner)
		default:
			t.Parts = append(t.Parts, part.Neutral(&p.Names))
		}
	}
	if len(t.Said) == 0 {
		return nil
	}
	m.said = true
	digest := textDigest(text)
	if _, before := p.said[digest]; before && copied && !e.model.Exists() { // a copy has lost its model
		t.Said, t.Parts = t.Said[:0], t.Parts[:0]
		return nil
	}
	p.said[digest] = struct{}{}
	return text
}

// callParts notes the calls that stand among the parts of a message.
func (p *Parser) callParts(e *entry) {
	if e.content.Kind() != jsondoc.Array {
		return
	}
	for part := range google.Parts(e.content) {
		if part.Kind == google.Call {
			p.made(e, part.Inner)
		}
	}
}

// isReceipt reports whether the client speaks in the model's name: after a
// summary (recorded 0.61.0), or after a picture (source).
func isReceipt(text []byte) bool {
	return string(text) == receipt || string(text) == "Binary content received. Proceeding with analysis."
}

const receipt = "Got it. Thanks for the additional context!"

// usage reads the tokens of a response. They come with the first line of a
// message or with a later one, and do not change any more.
func (p *Parser) usage(e *entry, m *message) *core.Usage {
	if m.counted || e.tokens.Kind() != jsondoc.Object {
		return nil
	}
	p.Tokens = stream.Tokens(e.tokens, "input", "output", "cached", "", "thoughts")
	m.counted = true
	if p.Tokens == (core.Usage{}) {
		return nil
	}
	return &p.Tokens
}
