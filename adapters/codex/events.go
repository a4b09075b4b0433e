package codex

import (
	"bytes"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// event reads an event for the user interface. Which ones are kept depends on the
// version and on whether the thread is paginated. What a subagent or a fork has
// inherited is kept as bookkeeping.
func (p *parser) event(v jsondoc.Value) {
	kind := v.Get("type")
	name := string(kind.Body())
	if name == "task_started" || name == "turn_started" {
		p.betweenTurns = false
		p.lineage.Turn(v.Get("turn_id"))
	}
	p.lineage.Told()
	if p.inherited() {
		p.noteKind("event_msg/", kind, true)
		return
	}
	switch name {
	case "user_message":
		p.userMessage(v)
	case "agent_message":
		p.agentMessage(v.Get("message"))
	case "agent_reasoning":
		p.agentReasoning(v.Get("text"))
	case "item_completed":
		p.turnItem(v)
	case "patch_apply_end":
		p.patchEnd(v)
	case "thread_rolled_back":
		p.rolledBack(v)
	default:
		p.aside(v, kind)
	}
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

// review is one that an event has begun. What is asked of the reviewer stands meanwhile
// as a person's turn, once or twice (0.135, recorded): these are the client's words,
// but for what was typed for it, the first time. It lasts until the review ends or the
// turn does.
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

// aside reads an event that is no part of the conversation, but may tell
// something about one.
func (p *parser) aside(v, kind jsondoc.Value) {
	known := true
	switch string(kind.Body()) {
	case "mcp_tool_call_end":
		if p.serverCalled(serverEnd(v)); p.Emitted {
			return
		}
	case "exec_command_end":
		p.ended(v.Get("call_id"), v)
	case "dynamic_tool_call_response":
		if s := v.Get("success"); s.Kind() == jsondoc.Bool && !s.Bool() {
			p.failed(v.Get("call_id"))
		}
	case "collab_agent_spawn_end":
		p.spawned(v.Get("call_id"), v.Get("new_thread_id"))
	case "sub_agent_activity":
		if v.Get("kind").Is("started") {
			p.spawned(v.Get("event_id"), v.Get("agent_thread_id"))
		}
	case "thread_settings_applied":
		p.settings(v.Get("thread_settings"))
	case "undo_completed":
		p.files.Clear()
	case "entered_review_mode":
		p.review.begin(v)
	case "exited_review_mode":
		p.review = review{}
	case "task_complete", "turn_complete", "turn_aborted":
		if !bytes.HasPrefix(v.Get("turn_id").Body(), []byte("rollout-")) { // one that migrate-rollouts has put around an event
			p.review = review{}
		}
		p.turnEnded(kind)
		return
	case "token_count":
		p.tokenCount(v, kind)
		return
	default:
		known = isAside(kind)
	}
	if p.betweenTurns {
		p.milestone(kind, known)
		return
	}
	p.noteKind("event_msg/", kind, known)
}

// turnEnded keeps the end of a turn.
func (p *parser) turnEnded(kind jsondoc.Value) {
	p.flush()
	p.betweenTurns = true
	p.milestone(kind, true)
}

// milestone keeps an event to which a rollback may go back: the end of a turn, or
// what the client wrote down before the next one (0.166 in a terminal, recorded).
// In a paginated thread it has an id for that.
func (p *parser) milestone(kind jsondoc.Value, known bool) {
	id := ""
	if p.ordinal >= 0 {
		id = p.ordinalID(p.ordinal)
	}
	p.Anchor = id != ""
	p.noteAs(id, p.Names.Joined("event_msg/", string(kind.Body())), known)
	p.Anchor = false
}

// isAside lists the events that carry nothing that was said or done. Evidence:
// recorded, wild, or persisted according to the source.
func isAside(kind jsondoc.Value) bool {
	switch string(kind.Body()) {
	case "task_started", "turn_started", "context_compacted", "agent_reasoning_raw_content",
		"entered_review_mode", "exited_review_mode", "thread_goal_updated", "thread_name_updated",
		"web_search_end", "image_generation_end", "view_image_tool_call", "dynamic_tool_call_request",
		"guardian_assessment", "error", "warning", "stream_error", "background_event", "turn_diff", "plan_update",
		"session_configured", "exec_command_begin", "patch_apply_begin", "mcp_tool_call_begin", "web_search_begin",
		"agent_reasoning_section_break", "item_started", "hook_started", "hook_completed", "deprecation_notice",
		"exec_approval_request", "apply_patch_approval_request", "request_user_input", "elicitation_request",
		"collab_agent_spawn_begin", "collab_agent_interaction_begin", "collab_agent_interaction_end",
		"collab_waiting_begin", "collab_waiting_end", "collab_close_begin", "collab_close_end",
		"collab_resume_begin", "collab_resume_end", "model_reroute", "shutdown_complete", "undo_started":
		return true
	}
	return false
}

// settings reads what was set for the thread.
func (p *parser) settings(v jsondoc.Value) {
	p.uses(v.Get("model"))
	p.cwd(v.Get("cwd"))
}

// ended takes in how a command ended.
func (p *parser) ended(callID, v jsondoc.Value) {
	c := p.calls.get(callID)
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
	if c := p.calls.get(callID); c != nil {
		c.failed = true
	}
}

func (p *parser) declined(callID jsondoc.Value) {
	if c := p.calls.get(callID); c != nil {
		c.rejected = true
	}
}

// spawned takes in which thread a call started.
func (p *parser) spawned(callID, thread jsondoc.Value) {
	if _, c := p.outer(callID, func(string) bool { return false }); c != nil && c.spawned == "" {
		c.spawned = thread.Str()
	}
}
