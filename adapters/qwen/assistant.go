package qwen

import (
	"strconv"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// assistantRecord reads a response of the model, or a piece of one.
func (p *parser) assistantRecord(r *record) {
	t := &p.turn
	t.Reset()
	a := &p.Assistant
	*a = core.AssistantTurn{MessageID: r.uuid.Str(), Model: p.Names.Of(r.model), Usage: p.growth(r)}
	calls := 0
	for part := range google.Parts(r.message.Get("parts")) {
		switch part.Kind {
		case google.Text:
			if len(part.Text.Body()) > 0 {
				t.Add(true, core.Token(part.Text))
			}
		case google.Thought:
			text := core.Token(part.Text)
			t.Put = append(t.Put, text)
			t.Parts = append(t.Parts, part.Neutral(&p.Names))
		case google.Call:
			calls++
			use := part.Neutral(&p.Names)
			use.CallID = p.callID(use.CallID, calls)
			t.Parts = append(t.Parts, use)
		default:
			t.Parts = append(t.Parts, part.Neutral(&p.Names))
		}
	}
	a.Text, a.Thinking, a.Parts = stream.Joined(t.Said), stream.Joined(t.Put), t.Parts
	if len(t.Parts) > 0 || a.Usage != nil {
		p.send(a, false)
	}
	p.toolCalls(r)
}

// callID is the id of a call; the first versions wrote none (reported by another
// reader).
func (p *parser) callID(id string, n int) string {
	if id != "" {
		return id
	}
	return p.rec.uuid.Str() + "/" + strconv.Itoa(n)
}

// toolCalls emits the calls of a response, after what was said in it.
func (p *parser) toolCalls(r *record) {
	n := 0
	for part := range google.Parts(r.message.Get("parts")) {
		if part.Kind != google.Call {
			continue
		}
		n++
		args := part.Inner.Get("args")
		id := part.Inner.Get("id").Str()
		p.Call = core.ToolCall{CallID: p.callID(id, n), Name: p.Names.Of(part.Inner.Get("name")), Args: core.RawValue(args)}
		p.calls.open(call{id: p.Call.CallID, name: p.Call.Name, given: id == ""}, args)
		p.send(&p.Call, false)
		if p.Thread == "" {
			p.checkpoints.add(p.Call.Name, args, checkpoint{time: p.Time, id: p.ID, seq: p.Last})
		}
	}
}

// usage is what the pieces of the last response were counted with.
type usage struct {
	uuid string
	core.Usage
}

// growth is what a record adds to the tokens of its response: the pieces of one
// repeat its counts so far (source). The sum over the pieces is the usage.
// A response whose counts did not grow has no usage.
func (p *parser) growth(r *record) *core.Usage {
	if r.usage.Kind() != jsondoc.Object {
		return nil
	}
	now := stream.Tokens(r.usage, "promptTokenCount", "candidatesTokenCount", "cachedContentTokenCount", "", "thoughtsTokenCount")
	was := core.Usage{}
	if r.uuid.Is(p.usage.uuid) && p.usage.uuid != "" {
		was = p.usage.Usage
	}
	p.usage = usage{r.uuid.Str(), now}
	p.Tokens = core.Usage{
		Input: max(now.Input-was.Input, 0), Output: max(now.Output-was.Output, 0), CacheRead: max(now.CacheRead-was.CacheRead, 0),
		Reasoning: max(now.Reasoning-was.Reasoning, 0),
	}
	if p.Tokens == (core.Usage{}) {
		return nil
	}
	return &p.Tokens
}
