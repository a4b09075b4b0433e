package codex

import (
	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kinds returns what each kind of record becomes.
//
// It is the table of the records of envelopes. The items of bare rollouts are those of
// response_item.
func (Adapter) Kinds() []stream.Kind {
	const once = "`assistant_turn`, once: what was told before is bookkeeping"
	return []stream.Kind{
		{Names: "response_item", Known: "rec", Becomes: "by its type; what a fork or a subagent inherited is bookkeeping", Read: (*parser).responseItem},
		{
			In: "response_item", Names: "message", Known: "rec", Read: func(p *parser, _ jsondoc.Value) { p.message(p.it, p.line.meta) },
			Becomes: "user, developer, system: injected `user_turn` if it is context, else bookkeeping, for an event tells it · assistant: " +
				"`assistant_turn`, once; injected if it is the summary of a compaction",
		},
		{In: "response_item", Names: "reasoning", Known: "rec", Becomes: once, Read: func(p *parser, _ jsondoc.Value) {
			p.thinks(p.it.id, p.it.summary, p.it.content, telling{rollout.AsItem, "response_item/reasoning"})
		}},
		{In: "response_item", Names: "function_call", Known: "rec", Becomes: "`tool_call`", Read: func(p *parser, _ jsondoc.Value) { p.functionCall(p.it) }},
		{In: "response_item", Names: "custom_tool_call", Known: "rec", Becomes: "`tool_call`", Read: func(p *parser, _ jsondoc.Value) { p.customCall(p.it) }},
		{In: "response_item", Names: "local_shell_call", Known: "src", Becomes: "`tool_call`", Read: func(p *parser, _ jsondoc.Value) { p.localShell(p.it) }},
		{
			In: "response_item", Names: "function_call_output custom_tool_call_output", Known: "rec", Read: func(p *parser, _ jsondoc.Value) { p.callOutput(p.it) },
			Becomes: "`tool_result`, with the subagent, the choices or the verdict; and `file_edit` where no event told it",
		},
		{In: "response_item", Names: "tool_search_call", Known: "rec", Becomes: "`tool_call`", Read: (*parser).toolSearch},
		{In: "response_item", Names: "tool_search_output", Known: "rec", Becomes: "`tool_result`", Read: func(p *parser, _ jsondoc.Value) {
			p.callOutput(item{id: p.it.id, callID: p.it.callID, output: p.it.tools, status: p.it.status})
		}},
		{In: "response_item", Names: "web_search_call", Known: "rec", Becomes: "`tool_call`", Read: (*parser).webSearch},
		{In: "response_item", Names: "image_generation_call", Known: "src", Becomes: "`tool_call` and `tool_result`", Read: (*parser).imageMade},
		{In: "response_item", Names: "agent_message", Known: "rec 0.169", Becomes: "injected `user_turn`: agents talking to each other", Read: (*parser).agentsTalk},
		{In: "response_item", Names: "ghost_snapshot additional_tools", Known: "rec"},
		{In: "response_item", Names: "compaction compaction_summary context_compaction compaction_trigger", Known: "src"},

		{Names: "event_msg", Known: "rec", Becomes: "by its type; what a fork or a subagent inherited is bookkeeping", Read: (*parser).event},
		{
			In: "event_msg", Names: "user_message", Known: "rec", Read: (*parser).userMessage,
			Becomes: "`user_turn`; `injected` in subagents, with the marks of old versions, and for a picture sent as a turn of its own (0.47)",
		},
		{In: "event_msg", Names: "agent_message", Known: "rec", Becomes: once, Read: func(p *parser, v jsondoc.Value) { p.agentMessage(v.Get("message")) }},
		{In: "event_msg", Names: "agent_reasoning", Known: "rec", Becomes: once, Read: func(p *parser, v jsondoc.Value) { p.agentReasoning(v.Get("text")) }},
		{In: "event_msg", Names: "patch_apply_end", Known: "rec", Becomes: "`file_edit` per file, if completed", Read: (*parser).patchEnd},
		{In: "event_msg", Names: "thread_rolled_back", Known: "rec 0.105", Becomes: "`rewind` to what stood before the N-th last turn of a person", Read: (*parser).rolledBack},
		{In: "event_msg", Names: "token_count", Known: "rec", Becomes: "`assistant_turn` with `usage` alone", Read: (*parser).tokenCount},
		{In: "event_msg", Names: "mcp_tool_call_end", Known: "rec", Becomes: "`file_edit`, where a server of files made one", Read: func(p *parser, v jsondoc.Value) { p.serverCalled(serverEnd(v)) }},
		{In: "event_msg", Names: "exec_command_end", Known: "rec", Read: func(p *parser, v jsondoc.Value) { p.ended(v.Get("call_id"), v) }},
		{In: "event_msg", Names: "dynamic_tool_call_response", Known: "src", Read: (*parser).toolAnswered},
		{In: "event_msg", Names: "collab_agent_spawn_end", Known: "rec", Read: func(p *parser, v jsondoc.Value) { p.spawned(v.Get("call_id"), v.Get("new_thread_id")) }},
		{In: "event_msg", Names: "sub_agent_activity", Known: "src", Read: func(p *parser, v jsondoc.Value) { p.agentActive(v.Get("event_id"), v) }},
		{In: "event_msg", Names: "thread_settings_applied", Known: "rec", Read: func(p *parser, v jsondoc.Value) { p.settings(v.Get("thread_settings")) }},
		{In: "event_msg", Names: "undo_completed", Known: "rec", Read: func(p *parser, _ jsondoc.Value) { p.files.Clear() }},
		{In: "event_msg", Names: "entered_review_mode", Known: "rec", Read: func(p *parser, v jsondoc.Value) { p.review.begin(v) }},
		{In: "event_msg", Names: "exited_review_mode", Known: "rec", Read: func(p *parser, _ jsondoc.Value) { p.review = review{} }},
		{In: "event_msg", Names: "task_complete turn_aborted", Known: "rec", Read: (*parser).turnEnded},
		{In: "event_msg", Names: "turn_complete", Known: "src", Read: (*parser).turnEnded},
		{In: "event_msg", Names: "task_started context_compacted agent_reasoning_raw_content thread_name_updated web_search_end", Known: "rec"},
		{In: "event_msg", Known: "src", Names: `turn_started thread_goal_updated image_generation_end view_image_tool_call dynamic_tool_call_request
			guardian_assessment error warning stream_error background_event turn_diff plan_update session_configured exec_command_begin
			patch_apply_begin mcp_tool_call_begin web_search_begin agent_reasoning_section_break item_started hook_started hook_completed
			deprecation_notice exec_approval_request apply_patch_approval_request request_user_input elicitation_request collab_agent_spawn_begin
			collab_agent_interaction_begin collab_agent_interaction_end collab_waiting_begin collab_waiting_end collab_close_begin
			collab_close_end collab_resume_begin collab_resume_end model_reroute shutdown_complete undo_started`},

		{In: "event_msg", Names: "item_completed", Known: "rec 0.169", Becomes: "by the type of its item; paginated threads have it in the place of the other events", Read: (*parser).turnItem},
		{In: "item_completed", Names: "UserMessage", Known: "rec", Becomes: "as `user_message`", Read: (*parser).userTurnItem},
		{In: "item_completed", Names: "AgentMessage", Known: "rec", Becomes: once, Read: (*parser).agentItem},
		{In: "item_completed", Names: "Reasoning", Known: "rec", Becomes: once, Read: func(p *parser, it jsondoc.Value) {
			p.thinks(itemID(it), it.Get("summary_text"), it.Get("raw_content"), telling{rollout.AsEvent, "item_completed/Reasoning"})
		}},
		{In: "item_completed", Names: "FileChange", Known: "rec", Becomes: "`file_edit` per file, if completed", Read: (*parser).fileChange},
		{In: "item_completed", Names: "CommandExecution", Known: "rec", Becomes: "`file_edit` for patches of a script that no call showed", Read: (*parser).commandItem},
		{In: "item_completed", Names: "McpToolCall", Known: "rec", Becomes: "as `mcp_tool_call_end`", Read: func(p *parser, it jsondoc.Value) { p.serverCalled(serverItem(it)) }},
		{In: "item_completed", Names: "DynamicToolCall", Known: "src", Read: (*parser).toolItem},
		{In: "item_completed", Names: "CollabAgentToolCall", Known: "rec", Read: (*parser).collab},
		{In: "item_completed", Names: "SubAgentActivity", Known: "rec", Read: func(p *parser, it jsondoc.Value) { p.agentActive(it.Get("id"), it) }},
		{In: "item_completed", Names: "EnteredReviewMode", Known: "rec", Read: (*parser).reviewItem},
		{In: "item_completed", Names: "ExitedReviewMode", Known: "rec", Read: func(p *parser, _ jsondoc.Value) { p.reviewing, p.review = false, review{} }},
		{In: "item_completed", Names: "ContextCompaction", Known: "rec"},
		{In: "item_completed", Names: "Plan HookPrompt WebSearch ImageView ImageGeneration Extension Sleep", Known: "src"},

		{Names: "session_meta", Known: "rec", Becomes: "the first: `session_start`; in the rest of a rolled-back thread `rewind`", Read: (*parser).sessionMeta},
		{Names: "turn_context", Known: "rec", Read: (*parser).turnContext},
		{Names: "compacted", Known: "rec", Becomes: "`compaction`; `replacement_history` lists old items again and is not read", Read: (*parser).compacted},
		{Names: "world_state token_usage_record inter_agent_communication_metadata", Known: "rec"},
		{Names: "inter_agent_communication fork_reference retained_context security_risk_score", Known: "src"},
	}
}

// read reads a record, or an item in it, by its kind. What becomes no event is kept.
func (p *parser) read(in string, kind, v jsondoc.Value) {
	k := stream.ReadAs(p, &p.Kinds, in, kind, v)
	switch {
	case p.Emitted:
	case p.betweenTurns && in == "event_msg":
		p.milestone(k.Name, k.Known)
	default:
		p.note(k.Name, k.Known)
	}
}
