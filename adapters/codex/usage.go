package codex

import (
	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// tokenCount reads how many tokens a response took. The count follows what it
// counts, and an event that was emitted is never changed: it is a turn of the
// model's by itself, in which nothing is said. Counts are told again when only
// limits have changed, and then the thread's total is as it was; those that a fork
// holds of its parent's responses are the parent's. A person's words that wait to
// be placed wait on: the count may belong to the response before them.
func (p *parser) tokenCount(v jsondoc.Value) {
	info := v.Get("info")
	if info.Kind() != jsondoc.Object { // it tells of limits alone
		p.note("event_msg/token_count", true)
		return
	}
	total := rollout.ReadTokens(info.Get("total_token_usage"))
	if total == p.total || p.lineage.Copying {
		p.total = total
		p.note("event_msg/token_count", true)
		return
	}
	last := info.Get("last_token_usage")
	p.Tokens = rollout.ReadTokens(last)
	if last.Kind() != jsondoc.Object {
		p.Tokens = core.Usage{
			Input: total.Input - p.total.Input, Output: total.Output - p.total.Output,
			CacheRead: total.CacheRead - p.total.CacheRead, CacheCreation: total.CacheCreation - p.total.CacheCreation,
			Reasoning: total.Reasoning - p.total.Reasoning,
		}
	}
	p.total = total
	p.Parts = append(p.Parts[:0], core.Part{Kind: core.OtherPart, Raw: core.RawValue(v)}) // limits stand there, too
	p.Assistant = core.AssistantTurn{Model: p.model, Usage: &p.Tokens, Parts: p.Parts}
	p.put("", &p.Assistant)
}
