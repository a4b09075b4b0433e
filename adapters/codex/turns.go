package codex

import (
	"bytes"
	"cmp"
	"strconv"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// turns remembers what stood before each of a person's turns, which is where a rollback
// goes back to: "rolled back 2 turns" takes the last two marks away and goes back to
// the second. Injected events and bookkeeping are no marks.
type turns struct {
	before    []stream.Mark // a person's turns that stand, oldest first
	last      stream.Mark   // the last thing that was said or done
	seq       uint64        // of the last event
	rollbacks int
}

// maxTurns bounds how far back a rollback can reach.
const maxTurns = 4096

// saw takes in an event that was emitted.
func (t *turns) saw(ev *core.Event) {
	t.seq = ev.Seq
	if _, skip := ev.Body.(*core.Unknown); skip || ev.Injected {
		return
	}
	t.last = stream.Mark{ID: cmp.Or(ev.ID, t.last.ID), Seq: ev.Seq}
}

// begin says that a person's turn comes next. Of more than maxTurns the older half is
// forgotten: a rollback of more reaches the oldest that is left.
func (t *turns) begin() {
	if len(t.before) == maxTurns {
		n := copy(t.before, t.before[maxTurns/2:])
		t.before = t.before[:n]
	}
	t.before = append(t.before, t.last)
}

// back takes n turns back and returns what is the last thing then.
func (t *turns) back(n int) stream.Mark {
	at := max(len(t.before)-n, 0)
	if at < len(t.before) {
		t.last = t.before[at]
		t.before = t.before[:at]
	}
	return t.last
}

// rolledBack reads that the last turns of the thread no longer count. Their
// records stay (0.105, recorded). Rollbacks add up in order.
func (p *parser) rolledBack(v jsondoc.Value) {
	n, ok := v.Get("num_turns").Int()
	if !ok || n <= 0 {
		p.note("event_msg/thread_rolled_back", true)
		return
	}
	p.turns.rollbacks++
	to := p.turns.back(int(min(n, maxTurns)))
	id := p.lineage.Origin + ":rollback:" + strconv.Itoa(p.turns.rollbacks)
	p.put(id, &core.Rewind{ToEvent: to.ID, ToSeq: to.Seq})
	p.turns.last = to
}

// tokenCount reads how many tokens a response took. The count follows what it counts, and an event
// that was emitted is never changed: it is a turn of the model's by itself, in which nothing is
// said. Counts are told again when only limits have changed, and then the thread's total is as it
// was; those that a fork holds of its parent's responses are the parent's. A person's words that
// wait to be placed wait on: the count may belong to the response before them.
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
	if p.calls.Get(it.Get("id").Str()) == nil {
		p.ran(it)
	}
}

// reviewItem reads that a review begins. Of one's own, what is asked of the reviewer was typed.
func (p *parser) reviewItem(it jsondoc.Value) {
	if isCounted(it) {
		p.review.begin(it)
		return
	}
	p.reviewing = !it.Path("target", "type").Is("custom")
}

// userTurnItem reads a person's turn: text, pictures, and what they mentioned. What
// is asked of a reviewer, who has a thread of its own, is in the thread that
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

// isCounted reports whether an item takes the place of an event without an id. A
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
