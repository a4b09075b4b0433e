package copilot

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kinds returns what each kind of record becomes.
//
// It is the table of the events, those included that the vendor's schema marks ephemeral,
// and of the rows of the database.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: "user.message", Known: "rec", Read: (*parser).userMessage,
			Becomes: "`user_turn`; injected with a `source`, in autopilot, or on a subagent's line (wild, src)",
		},
		{
			Names: "assistant.message", Known: "rec", Read: (*parser).assistantMessage,
			Becomes: "`assistant_turn` and a `tool_call` per request; chunks of one response share `apiCallId` (src)",
		},
		{Names: "assistant.reasoning", Known: "wild", Becomes: "`assistant_turn` with thoughts only", Read: (*parser).reasoning},
		{Names: "tool.execution_start", Known: "rec", Becomes: "`tool_call`, if no message asked for it", Read: (*parser).callStart},
		{Names: "tool.user_requested", Known: "wild", Becomes: "`tool_call`", Read: (*parser).callStart},
		{Names: "tool.execution_complete", Known: "rec", Becomes: "`tool_result`, and a `file_edit` per file", Read: (*parser).callComplete},

		{Names: "session.start", Known: "rec", Becomes: "`session_start` with cwd, git, model, version", Read: (*parser).start},
		{Names: "session.resume", Known: "rec", Becomes: "`session_start` if there was none; cwd and git from there on", Read: (*parser).resumed},
		{Names: "session.context_changed", Known: "src", Read: func(p *parser, data jsondoc.Value) { p.follow(data) }},
		{Names: "session.model_change", Known: "rec", Read: (*parser).modelChange},
		{Names: "session.usage_record", Known: "rec", Read: func(p *parser, data jsondoc.Value) { p.counts.add(data.Get("usage")) }},
		{Names: "session.compaction_start", Known: "rec", Read: func(p *parser, _ jsondoc.Value) { p.window.end, p.window.open = p.Last, true }},
		{Names: "session.compaction_complete", Known: "rec", Becomes: "`compaction`, with `success`", Read: (*parser).compacted},
		{Names: "session.usage_checkpoint", Known: "rec", Becomes: "`rewind`, with a pending `rewind`", Read: (*parser).checkpoint},
		{Names: "session.snapshot_rewind", Known: "src", Becomes: "`rewind` to before the event that it names (printed stream)", Read: (*parser).snapshotRewind},
		{Names: "session.shutdown", Known: "rec", Becomes: "`session_end`", Read: (*parser).shutdown},
		{Names: "session.mode_notice_delivered skill.context_delivered", Known: "src 1.0.102", Becomes: "injected `user_turn`", Read: (*parser).notice},
		{Names: "system.notification", Known: "wild", Becomes: "injected `user_turn`", Read: (*parser).notice},
		{Names: "skill.invoked", Known: "wild", Becomes: "injected `user_turn`", Read: (*parser).notice},
		{Names: "permission.requested", Known: "wild", Read: (*parser).asked},
		{Names: "permission.completed", Known: "wild; refusals src", Becomes: "the verdict of the call's result", Read: (*parser).answered},
		{Names: "subagent.started", Known: "wild", Becomes: "the line that a call has started", Read: (*parser).agentStarted},

		{Names: rowSession, Known: "rec 1.0.102", Becomes: "row of `sessions`: `session_start` with cwd and branch, an echo", Read: (*parser).sessionRow},
		{Names: rowTurn, Known: "rec 1.0.102", Becomes: "row of `turns`: `user_turn`, and `assistant_turn` with the last answer, echoes", Read: (*parser).turnRow},
		{
			Names: rowUsage, Known: "rec 1.0.102; a subagent's unv", Read: (*parser).usageRow,
			Becomes: "row of `assistant_usage_events`: `assistant_turn` with nothing but model and tokens, an echo",
		},
		{Names: rowFile, Known: "rec 1.0.102"},
		{Names: rowCheckpoint + " " + rowRef, Known: "src: the tables of a database of 1.0.102, which had no such row"},

		{Known: "rec 1.0.102", Names: `session.permissions_changed system.message assistant.turn_start assistant.turn_end subagent.configured`},
		{Known: "rec 1.0.102, when a summary is asked for by command", Names: `model.turn_started model.turn_ended model.model_call_started model.model_call_success model.message model.response
			model.messages_snapshot`},
		{Known: "wild 0.0.420 to 1.0.77", Names: `session.info session.error hook.start hook.end abort subagent.completed session.warning session.binary_asset result
			session.mode_changed session.task_complete session.truncation session.auto_mode_resolved`},
		{Known: "src: the schemas of 0.0.384, August 2026 and 1.0.102", Names: `session.remote_steerable_changed session.schedule_created session.schedule_cancelled session.schedule_rearmed
			session.autopilot_objective_changed session.session_limits_changed session.plan_changed session.workspace_file_changed
			session.handoff session.context_cleared session.canvas.recorded session.canvas.removed tool_search.activated subagent.failed
			subagent.selected subagent.deselected external_tool.requested external_tool.completed session.import_legacy
			session.completion_receipt session.fusion_commit_started session.fusion_completed session.fusion_handoff session.fusion_resolved
			session.fusion_route_failed session.fusion_route_started session.auto_tier_recommendation session.auto_tier_switch_failed
			assistant.fusion_phase_completed assistant.fusion_phase_failed assistant.fusion_phase_started permission.assentDetected
			permission.carriedForward permission.contextualAuthorization permission.messageAuthorization
			permission.messageAuthorizationDegraded permission.messageAuthorizationRead skill.invoked_ref skill.context_delivered_ref
			session.idle session.title_changed session.todos_changed session.usage_info session.custom_notification
			session.managed_settings_resolved session.managed_settings_enforced session.tools_updated session.background_tasks_changed
			session.skills_loaded session.custom_agents_updated session.mcp_servers_loaded session.mcp_server_status_changed
			session.extensions_loaded session.canvas.opened session.canvas.registry_changed session.canvas.closed session.canvas.unavailable
			session.extensions.attachments_pushed assistant.intent assistant.server_tool_progress assistant.reasoning_delta
			assistant.tool_call_delta assistant.streaming_delta assistant.message_start assistant.message_delta assistant.idle
			assistant.usage model.call_start model.call_failure pending_messages.modified tool.execution_partial_result
			tool.execution_progress hook.progress user_input.requested user_input.completed elicitation.requested elicitation.completed
			sampling.requested sampling.completed mcp.oauth_required mcp.oauth_completed mcp.headers_refresh_required
			mcp.headers_refresh_completed mcp.tools.list_changed mcp.resources.list_changed mcp.prompts.list_changed
			mcp_app.tool_call_complete ui.ephemeral_query command.queued command.execute command.completed commands.changed
			capabilities.changed auto_mode_switch.requested auto_mode_switch.completed session_limits_exhausted.requested
			session_limits_exhausted.completed exit_plan_mode.requested exit_plan_mode.completed factory.run_updated factory.run_started
			factory.run_settled agent.interrupted assistant.fusion_phase_activity assistant.turn_retry model.call_finished
			prompt_cache_break sandbox.decision session.mcp_server_needs_reconnect session.mcp_server_removed session.memory_changed`},
	}
}
