package claudecode

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// synthetic is the "model" of what the client says in the assistant's name.
const synthetic = "<synthetic>"

// assistantRecord reads one block or more of a response. A response of several
// blocks is written as several records with the same message id; each gives a
// turn of its own, since nothing says that a record is the last one.
func (p *parser) assistantRecord(r *record) {
	p.unsummarized()
	m, model := r.message, r.message.Get("model")
	injected := r.meta.Bool() || r.apiError.Bool() || model.Is(synthetic)
	a := &p.Assistant
	if id := m.Get("id"); !id.Is(p.called) { // it is mostly that of the record before
		p.called = id.Str()
	}
	*a = core.AssistantTurn{MessageID: p.called}
	if !injected {
		a.Model = p.Names.Of(model)
		a.Usage = p.growth(m.Get("id").Body(), m.Get("usage"))
		p.tree.Answer(p.Last)
	}
	p.turn.reset()
	content := m.Get("content")
	thoughts := p.blocks(content)
	a.Text, a.Thinking, a.Parts = stream.Joined(p.turn.said), stream.Joined(thoughts), p.turn.parts
	if len(a.Parts) == 0 && a.Usage == nil {
		return
	}
	p.send(a, injected)
	p.toolCalls(content)
}

// blocks collects the parts of a response and returns its thoughts.
func (p *parser) blocks(content jsondoc.Value) (thoughts []core.Text) {
	t := &p.turn
	if content.Kind() == jsondoc.String {
		if len(content.Body()) > 0 {
			t.addSaid(core.Token(content))
		}
		return nil
	}
	thoughts = t.put
	for block := range content.Elems() {
		switch kind := block.Get("type"); {
		case kind.Is("text"):
			t.addSaid(core.Token(block.Get("text")))
		case kind.Is("thinking"):
			text := core.Token(block.Get("thinking"))
			thoughts = append(thoughts, text)
			t.parts = append(t.parts, core.Part{Kind: core.ThinkingPart, Text: text})
		case isToolUse(kind):
			t.parts = append(t.parts, core.Part{
				Kind: core.ToolUsePart, CallID: block.Get("id").Str(), Name: p.Names.Of(block.Get("name")),
			})
		default:
			t.parts = append(t.parts, core.Part{Kind: core.OtherPart, Raw: core.RawValue(block)})
		}
	}
	t.put = thoughts[:0]
	return thoughts
}

func isToolUse(kind jsondoc.Value) bool {
	return kind.Is("tool_use") || kind.Is("server_tool_use") || kind.Is("mcp_tool_use")
}

// toolCalls emits the calls of a response, and the results of those that the
// provider's servers ran themselves.
func (p *parser) toolCalls(content jsondoc.Value) {
	i := 0
	for block := range content.Elems() {
		part := &p.turn.parts[i]
		i++
		switch {
		case part.Kind == core.ToolUsePart:
			input := block.Get("input")
			p.Call = core.ToolCall{CallID: part.CallID, Name: part.Name, Args: core.RawValue(input)}
			p.calls.open(part.CallID, part.Name, input)
			p.send(&p.Call, false)
		case part.Kind == core.OtherPart && block.Get("tool_use_id").Exists():
			result := block.Get("content")
			failed := result.Get("error_code").Exists() || block.Get("is_error").Bool()
			p.Result = core.ToolResult{CallID: block.Get("tool_use_id").Str(), OK: !failed, Output: core.RawValue(result)}
			p.send(&p.Result, false)
		}
	}
}

// usage remembers what the latest responses were counted with.
type usage struct {
	seen [8]counted
	next int
}

type counted struct {
	id uint64
	core.Usage
}

// growth is what a record adds to the tokens of its response. All records of a response repeat its
// counts, but the output so far is a placeholder in the earlier ones (seen in 571 of 2,325 split
// responses; the other counts never differ, and none ever shrinks). A fold cannot wait for the last
// record, so the first one carries the counts as they are and a later one what they have grown by:
// the sum over a response is its usage.
func (p *parser) growth(response []byte, counts jsondoc.Value) *core.Usage {
	if counts.Kind() != jsondoc.Object {
		return nil
	}
	now := readUsage(counts)
	u := &p.usage
	id := stream.Hash(response)
	for i := range u.seen {
		was := &u.seen[i]
		if was.id != id || len(response) == 0 {
			continue
		}
		p.Tokens = core.Usage{
			Input: grow(&was.Input, now.Input), Output: grow(&was.Output, now.Output),
			CacheRead: grow(&was.CacheRead, now.CacheRead), CacheCreation: grow(&was.CacheCreation, now.CacheCreation),
			CacheCreation1h: grow(&was.CacheCreation1h, now.CacheCreation1h),
		}
		if p.Tokens == (core.Usage{}) {
			return nil
		}
		p.Tokens.Fast = now.Fast
		return &p.Tokens
	}
	u.seen[u.next] = counted{id: id, Usage: now}
	u.next = (u.next + 1) % len(u.seen)
	p.Tokens = now
	return &p.Tokens
}

// grow raises a count and returns by how much.
func grow(count *int64, now int64) int64 {
	by := max(now-*count, 0)
	*count += by
	return by
}

func readUsage(v jsondoc.Value) core.Usage {
	var u core.Usage
	var nested int64
	for name, n := range v.Fields() {
		switch string(name.Body()) {
		case "input_tokens":
			u.Input, _ = n.Int()
		case "output_tokens":
			u.Output, _ = n.Int()
		case "cache_read_input_tokens":
			u.CacheRead, _ = n.Int()
		case "cache_creation_input_tokens":
			u.CacheCreation, _ = n.Int()
		case "cache_creation":
			for life, part := range n.Fields() {
				tokens, _ := part.Int()
				nested += tokens
				if life.Is("ephemeral_1h_input_tokens") {
					u.CacheCreation1h = tokens
				}
			}
		case "speed":
			u.Fast = n.Is("fast")
		}
	}
	// Before 2.1.152 the sum could be 0 with the parts filled in (changelog).
	u.CacheCreation = max(u.CacheCreation, nested)
	return u
}
