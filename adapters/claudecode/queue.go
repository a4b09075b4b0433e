package claudecode

import (
	"github.com/memscribe/memscribe/adapters/claudecode/internal/voice"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// queue follows the prompts that were typed while the agent worked.
//
// "enqueue" puts one in. "dequeue" takes one out to be the next prompt: a user record follows (in
// 76 of 79 collected cases with the same text, in 3 as a slash command). "popAll" gives one back to
// the person, who sends it again or not. "remove" hands one to the model in the middle of its turn:
// since 2.1.97 an attachment "queued_command" with its text follows (10 of 10); before that nothing
// does, and the queue is the only place that ever held it (10 of 10 prompts, 2.1.30 to 2.1.63). So
// the user record is the turn, and the attachment is, and in old versions the removal is. What is
// still queued when a transcript ends was never said to the model: its records stay bookkeeping.
type queue struct {
	items   []queued
	due     int    // dequeued, and no user record seen yet
	removed uint64 // text of the last prompt that was emitted at its removal
}

type queued struct {
	hash   uint64
	text   string
	prompt bool // a person's words
}

// maxQueued bounds the queue; the oldest give way.
const maxQueued = 64

// queueRecord reads a change of the queue.
func (p *parser) queueRecord(r *record) { p.read("queue-operation", r.operation, r) }

func (p *parser) enqueued(r *record) { p.queue.put(r.content) }

func (p *parser) dequeued(*record) { p.queue.due = min(p.queue.due+1, len(p.queue.items)) }

func (p *parser) givenBack(r *record) { p.queue.take(r.content) }

func (q *queue) put(content jsondoc.Value) {
	item := queued{hash: stream.Hash(content.Body())}
	if voice.IsPrompt(content.Body()) {
		item.text, item.prompt = content.Str(), true
	}
	if len(q.items) == maxQueued {
		q.items = append(q.items[:0], q.items[1:]...)
	}
	q.items = append(q.items, item)
}

// take takes an item out: the one with this text, else the oldest.
func (q *queue) take(content jsondoc.Value) (queued, bool) {
	if len(q.items) == 0 {
		return queued{}, false
	}
	at := 0
	if h := stream.Hash(content.Body()); content.Exists() {
		for i := range q.items {
			if q.items[i].hash == h {
				at = i
				break
			}
		}
	}
	item := q.items[at]
	q.items = append(q.items[:at], q.items[at+1:]...)
	return item, true
}

// taken notes that a user record came, which may be what was dequeued.
func (q *queue) taken(content jsondoc.Value) {
	if q.due == 0 {
		return
	}
	q.due--
	for el := range content.Elems() {
		content = el.Get("text")
		break
	}
	q.take(content)
}

// removed emits what was handed to the model in the middle of its turn, where
// no attachment will tell.
func (p *parser) removed(r *record) {
	item, ok := p.queue.take(r.content)
	if ok && item.prompt && !p.version.atLeast(2, 1, 97) && p.Thread == "" {
		p.queue.removed = item.hash
		text := core.Plain(item.text)
		p.User = core.UserTurn{Text: text, Parts: append(p.turn.parts[:0], stream.Text(text))}
		p.send(&p.User, false)
	}
}

// queuedCommand reads the attachment that hands a queued text to the model.
func (p *parser) queuedCommand(r *record) {
	att := r.attachment
	prompt := att.Get("prompt")
	from := recordVoice(r, p.Thread)
	switch mode, kind := att.Get("commandMode"), att.Path("origin", "kind"); {
	case mode.Exists() && !mode.Is("prompt"), att.Get("isMeta").Bool():
		from = voice.Client
	case kind.Exists() && !kind.Is("human"):
		from = voice.Client
	case p.queue.removed != 0 && p.queue.removed == stream.Hash(prompt.Body()):
		from, p.queue.removed = voice.Client, 0
	}
	if p.ID == "" {
		p.ID = att.Get("source_uuid").Str()
	}
	p.turn.reset()
	p.collect(r, prompt, from)
	t := &p.turn
	if len(t.said) > 0 || len(t.parts) > 0 {
		p.User = core.UserTurn{Text: stream.Joined(t.said), Parts: t.parts}
		p.send(&p.User, false)
	}
	if len(t.put) > 0 || len(t.putParts) > 0 {
		p.User = core.UserTurn{Text: stream.Joined(t.put), Parts: t.putParts}
		p.send(&p.User, true)
	}
}
