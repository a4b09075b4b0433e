package codex

import (
	"bytes"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// turnItem reads an item_completed. A paginated thread has one for everything
// that happened in a turn, in place of the other events; the Responses items
// stand beside them all the same (0.169, recorded).
func (p *parser) turnItem(v jsondoc.Value) {
	it := v.Get("item")
	p.read("item_completed", it.Get("type"), it)
}

func (p *parser) agentItem(it jsondoc.Value) {
	p.flush()
	p.says(itemID(it), it.Get("content"), telling{rollout.AsEvent, "item_completed/AgentMessage"}, false)
}

func (p *parser) commandItem(it jsondoc.Value) {
	p.ended(it.Get("id"), it)
	if p.calls.get(it.Get("id")) == nil {
		p.ran(it)
	}
}

// reviewItem reads that a review begins. Of one's own, what is asked of the reviewer
// was typed.
func (p *parser) reviewItem(it jsondoc.Value) {
	if isCounted(it) {
		p.review.begin(it)
		return
	}
	p.reviewing = !it.Path("target", "type").Is("custom")
}

// userTurnItem reads a person's turn: text, pictures, and what they mentioned. What
// is asked of a reviewer, who has a thread of its own, stands in the thread that
// sent for the review too (0.166, recorded): these are the client's words.
func (p *parser) userTurnItem(it jsondoc.Value) {
	forReviewer := p.reviewing && !p.line.payload.Get("thread_id").Is(p.id)
	text, first := p.content(it.Get("content"))
	switch {
	case isCounted(it) && p.review.asks():
		p.askedOfReviewer(text)
	case forReviewer:
		p.User = core.UserTurn{Text: text, Parts: p.pieces(text)}
		p.inject(itemID(it).Str(), &p.User)
	default:
		p.typed(itemID(it).Str(), text, first, jsondoc.Value{})
	}
}

// isCounted reports whether an item stands in the place of an event without an id. A
// rollout of before, which migrate-rollouts has rewritten with pages, has such
// items: they are counted in their file alone ("item-1", 0.169, recorded).
func isCounted(it jsondoc.Value) bool {
	return bytes.HasPrefix(it.Get("id").Body(), []byte("item-"))
}

// itemID is the id of an item, if it has one of its own.
func itemID(it jsondoc.Value) jsondoc.Value {
	if isCounted(it) {
		return jsondoc.Value{}
	}
	return it.Get("id")
}

func (p *parser) fileChange(it jsondoc.Value) {
	status := it.Get("status")
	if status.Is("declined") {
		p.declined(it.Get("id"))
	}
	p.patchEvent(it.Get("id"), it.Get("changes"), !status.Exists() || status.Is("completed"))
}

// collab reads a call between agents: the one that starts an agent names it.
func (p *parser) collab(it jsondoc.Value) {
	if !it.Get("tool").Is("spawn_agent") && !it.Get("tool").Is("spawn") {
		return
	}
	for thread := range it.Get("receiver_thread_ids").Elems() {
		p.spawned(it.Get("id"), thread)
		return
	}
}
