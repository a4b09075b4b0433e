package codex

import (
	"bytes"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// event reads an event for the user interface. Which ones are kept depends on the version and on
// whether the thread is paginated. What a subagent or a fork has inherited is kept as bookkeeping.
func (p *parser) event(v jsondoc.Value) {
	kind := v.Get("type")
	if kind.Is("task_started") || kind.Is("turn_started") {
		p.betweenTurns = false
		p.lineage.Turn(v.Get("turn_id"))
	}
	p.lineage.Told()
	if p.inherited() {
		p.note(p.Kinds.Of("event_msg", kind).Name, true)
		return
	}
	p.read("event_msg", kind, v)
}

// userMessage reads a person's turn and the pictures that came with it.
func (p *parser) userMessage(v jsondoc.Value) {
	p.Parts = p.Parts[:0]
	for _, name := range [...]string{"images", "local_images"} {
		for image := range v.Get(name).Elems() {
			if image.Kind() == jsondoc.String {
				p.Parts = append(p.Parts, core.Part{Kind: core.ImagePart, MediaType: mediaType(image)})
			}
		}
	}
	message := v.Get("message")
	if p.review.asks() {
		p.askedOfReviewer(core.Token(message))
		return
	}
	p.typed("", core.Token(message), message, v.Get("kind"))
}

// askedOfReviewer emits what the client asks in a person's name.
func (p *parser) askedOfReviewer(text core.Text) {
	p.prompts.told, p.prompts.pending = true, ""
	p.User = core.UserTurn{Text: text, Parts: p.pieces(text)}
	p.saidByUser("", false)
}

// review is one that an event has begun. What is asked of the reviewer stands meanwhile as a
// person's turn, once or twice (0.135, recorded): these are the client's words, but for what was
// typed for it, the first time. It lasts until the review ends or the turn does.
type review struct {
	on    bool
	typed bool // and not yet told
}

func (r *review) begin(v jsondoc.Value) {
	prompt := v.Get("prompt") // in older versions, which show what was typed (source)
	typed := v.Path("target", "type").Is("custom") || prompt.Exists() && prompt.Str() == v.Get("user_facing_hint").Str()
	*r = review{on: true, typed: typed}
}

// asks reports whether what comes next is what the client asks.
func (r *review) asks() bool {
	asks := r.on && !r.typed
	r.typed = false
	return asks
}

// agentMessage reads what the model said, told by an event.
func (p *parser) agentMessage(v jsondoc.Value) {
	p.flush()
	text := core.Token(v)
	if p.heard(text, rollout.AsEvent) {
		p.note("event_msg/agent_message", true)
		return
	}
	p.Parts = p.Parts[:0]
	p.Assistant = core.AssistantTurn{Text: text, Model: p.model, Parts: p.pieces(text)}
	p.emit("", &p.Assistant, v.Is(compactDone))
}

// agentReasoning reads a part of what the model thought, told by an event.
func (p *parser) agentReasoning(v jsondoc.Value) {
	p.flush()
	text := core.Token(v)
	if p.heard(text, rollout.AsEvent) {
		p.note("event_msg/agent_reasoning", true)
		return
	}
	p.Assistant = core.AssistantTurn{Thinking: text, Model: p.model}
	p.put("", &p.Assistant)
}

func (p *parser) patchEnd(v jsondoc.Value) {
	status := v.Get("status")
	ok := v.Get("success").Bool() && (!status.Exists() || status.Is("completed"))
	if status.Is("declined") {
		p.declined(v.Get("call_id"))
	}
	p.patchEvent(v.Get("call_id"), v.Get("changes"), ok)
	if !p.Emitted {
		p.note("event_msg/patch_apply_end", true)
	}
}

// turnEnded ends a turn, and with it the review, unless migrate-rollouts has put the
// turn around an event.
func (p *parser) turnEnded(v jsondoc.Value) {
	if !bytes.HasPrefix(v.Get("turn_id").Body(), []byte("rollout-")) {
		p.review = review{}
	}
	p.flush()
	p.betweenTurns, p.Emitted = true, false
}

// milestone keeps an event to which a rollback may go back: the end of a turn, or
// what the client wrote down before the next one (0.166 in a terminal, recorded).
// In a paginated thread it has an id for that.
func (p *parser) milestone(kind string, known bool) {
	id := ""
	if p.ordinal >= 0 {
		id = p.ordinalID(p.ordinal)
	}
	p.Anchor = id != ""
	p.noteAs(id, kind, known)
	p.Anchor = false
}

// settings reads what was set for the thread.
func (p *parser) settings(v jsondoc.Value) {
	p.uses(v.Get("model"))
	p.Follow(v.Get("cwd"), jsondoc.Value{})
}

// ended takes in how a command ended.
func (p *parser) ended(callID, v jsondoc.Value) {
	c := p.calls.Get(callID.Str())
	if c == nil {
		return
	}
	status := v.Get("status")
	if status.Is("declined") {
		c.rejected = true
	}
	if code, ok := v.Get("exit_code").Int(); ok && code != 0 || status.Is("failed") {
		c.failed = true
	}
}

func (p *parser) failed(callID jsondoc.Value) {
	if c := p.calls.Get(callID.Str()); c != nil {
		c.failed = true
	}
}

func (p *parser) declined(callID jsondoc.Value) {
	if c := p.calls.Get(callID.Str()); c != nil {
		c.rejected = true
	}
}

// toolAnswered and toolItem take in that a call of a tool of the client's own failed.
func (p *parser) toolAnswered(v jsondoc.Value) {
	if s := v.Get("success"); s.Kind() == jsondoc.Bool && !s.Bool() {
		p.failed(v.Get("call_id"))
	}
}

func (p *parser) toolItem(it jsondoc.Value) {
	if it.Get("status").Is("failed") {
		p.failed(it.Get("id"))
	}
}

// agentActive takes in that a call started an agent.
func (p *parser) agentActive(callID, v jsondoc.Value) {
	if v.Get("kind").Is("started") {
		p.spawned(callID, v.Get("agent_thread_id"))
	}
}

// spawned takes in which thread a call started.
func (p *parser) spawned(callID, thread jsondoc.Value) {
	if _, c := p.outer(callID, func(string) bool { return false }); c != nil && c.spawned == "" {
		c.spawned = thread.Str()
	}
}
