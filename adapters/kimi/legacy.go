package kimi

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// isLegacy reports whether a record is one of the Kimi CLI: a message in an
// envelope, under the time at which it was sent (read in source, protocol 1.10).
func isLegacy(v jsondoc.Value) bool {
	return v.Get("timestamp").Exists() && v.Path("message", "payload").Kind() == jsondoc.Object && v.Path("message", "type").Kind() == jsondoc.String
}

// legacy reads a record of the Kimi CLI.
// An approval names its request, the request the call: a call by the name of "?" and
// the request's id holds that until the answer comes.
func (p *parser) legacy(v jsondoc.Value) {
	h := stream.Head{Time: stream.Seconds(v.Get("timestamp"))}
	stream.Dispatch(p, &p.Base, "", v.Path("message", "type"), h, v.Path("message", "payload"))
}

// legacyPrompt reads what a person said.
func (p *parser) legacyPrompt(h stream.Head, m jsondoc.Value) {
	h.Injected = p.Thread != ""
	text, parts := texts(m.Get("user_input"))
	p.Send(h, &core.UserTurn{Text: text, Parts: parts})
}

// legacyArgs reads a piece of the arguments of a call. More than an edit holds is not
// read as one.
func (p *parser) legacyArgs(_ stream.Head, m jsondoc.Value) {
	p.note(p.step, func(c *call) {
		if len(c.args) < maxArgs {
			c.args = append(c.args, m.Get("arguments_part").Str()...)
		}
	})
}

// legacyCost reads what a response cost.
func (p *parser) legacyCost(h stream.Head, m jsondoc.Value) {
	if used := usage(m.Get("token_usage")); used != nil {
		p.Send(h, &core.AssistantTurn{Model: p.model, MessageID: m.Get("message_id").Str(), Usage: used})
	}
}

// legacyCompacted emits a compaction. Old versions keep no summary of it.
func (p *parser) legacyCompacted(h stream.Head, _ jsondoc.Value) { p.Send(h, &core.Compaction{}) }

// approval notes which call a person is asked about.
func (p *parser) approval(_ stream.Head, m jsondoc.Value) {
	p.note("?"+m.Get("id").Str(), func(c *call) { c.name = m.Get("tool_call_id").Str() })
}

// legacyCall reads a call, whose arguments are a text.
func (p *parser) legacyCall(h stream.Head, m jsondoc.Value) {
	id, f := m.Get("id").Str(), m.Get("function")
	args := f.Get("arguments")
	p.step = id
	p.note(id, func(c *call) { c.name, c.args = f.Get("name").Str(), []byte(args.Str()) })
	p.Send(h, &core.ToolCall{CallID: id, Name: f.Get("name").Str(), Args: core.RawValue(args)})
}

// approved notes what a person said to a call.
func (p *parser) approved(_ stream.Head, m jsondoc.Value) {
	asked := "?" + m.Get("request_id").Str()
	to := p.calls.Take(asked).name
	v := core.Approved
	if m.Get("response").Is("reject") {
		v = core.Rejected
	}
	if to != "" {
		p.note(to, func(c *call) { c.verdict = v })
	}
}

// legacyResult reads the result of a call, and the edit that it made.
func (p *parser) legacyResult(h stream.Head, m jsondoc.Value) {
	p.answered(h, m.Get("tool_call_id").Str(), m.Get("return_value"))
}

// maxArgs bounds the arguments of a call that comes in parts.
const maxArgs = 16 << 20
