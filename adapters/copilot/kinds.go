package copilot

// knownKind describes the types of event that carry nothing that was said or
// done.
func knownKind(kind string) bool {
	return lasting(kind) || fleeting(kind)
}

// lasting are the types that reach the disk.
func lasting(kind string) bool {
	switch kind {
	case "session.start", "session.resume", "session.shutdown", "session.permissions_changed", "session.compaction_start",
		"session.compaction_complete", "session.usage_checkpoint", "session.usage_record", "system.message",
		"assistant.turn_start", "assistant.turn_end", "tool.execution_start": // recorded 1.0.102
		return true
	case "session.model_change", "session.info", "session.mode_changed", "session.task_complete", "session.truncation",
		"session.error", "session.auto_mode_resolved", "hook.start", "hook.end", "abort", "permission.requested",
		"permission.completed", "subagent.started", "subagent.completed": // wild 0.0.420 to 1.0.77
		return true
	case "session.remote_steerable_changed", "session.schedule_created", "session.schedule_cancelled",
		"session.schedule_rearmed", "session.autopilot_objective_changed", "session.warning",
		"session.session_limits_changed", "session.plan_changed", "session.workspace_file_changed", "session.handoff",
		"session.context_changed", "session.context_cleared", "session.binary_asset", "session.canvas.recorded",
		"session.canvas.removed", "tool_search.activated", "subagent.failed", "subagent.selected", "subagent.deselected",
		"external_tool.requested", "external_tool.completed": // the vendor's schema of August 2026
		return true
	case "subagent.configured", // recorded 1.0.102; the others when a summary is asked for by command
		"model.turn_started", "model.turn_ended", "model.model_call_started", "model.model_call_success",
		"model.message", "model.response", "model.messages_snapshot":
		return true
	case "session.import_legacy", // the schemas of 0.0.384 to 1.0.6: the file of before is read itself
		"session.completion_receipt", "session.fusion_commit_started", "session.fusion_completed",
		"session.fusion_handoff", "session.fusion_resolved", "session.fusion_route_failed", "session.fusion_route_started",
		"session.auto_tier_recommendation", "session.auto_tier_switch_failed", "assistant.fusion_phase_completed",
		"assistant.fusion_phase_failed", "assistant.fusion_phase_started", "permission.assentDetected",
		"permission.carriedForward", "permission.contextualAuthorization", "permission.messageAuthorization",
		"permission.messageAuthorizationDegraded", "permission.messageAuthorizationRead", "skill.invoked_ref",
		"skill.context_delivered_ref": // the schema of 1.0.102
		return true
	}
	return false
}

// fleeting are the types that the vendor's schema of August 2026 marks
// ephemeral, and those of the printed stream that it does not have.
func fleeting(kind string) bool {
	switch kind {
	case "session.idle", "session.title_changed", "session.todos_changed", "session.snapshot_rewind", "session.usage_info",
		"session.custom_notification", "session.managed_settings_resolved", "session.managed_settings_enforced",
		"session.tools_updated", "session.background_tasks_changed", "session.skills_loaded",
		"session.custom_agents_updated", "session.mcp_servers_loaded", "session.mcp_server_status_changed",
		"session.extensions_loaded", "session.canvas.opened", "session.canvas.registry_changed",
		"session.canvas.closed", "session.canvas.unavailable", "session.extensions.attachments_pushed":
		return true
	case "assistant.intent", "assistant.server_tool_progress", "assistant.reasoning_delta", "assistant.tool_call_delta",
		"assistant.streaming_delta", "assistant.message_start", "assistant.message_delta", "assistant.idle",
		"assistant.usage", "model.call_start", "model.call_failure", "pending_messages.modified",
		"tool.execution_partial_result", "tool.execution_progress", "hook.progress", "result":
		return true
	case "user_input.requested", "user_input.completed", "elicitation.requested", "elicitation.completed",
		"sampling.requested", "sampling.completed", "mcp.oauth_required", "mcp.oauth_completed",
		"mcp.headers_refresh_required", "mcp.headers_refresh_completed", "mcp.tools.list_changed",
		"mcp.resources.list_changed", "mcp.prompts.list_changed", "mcp_app.tool_call_complete", "ui.ephemeral_query":
		return true
	case "command.queued", "command.execute", "command.completed", "commands.changed", "capabilities.changed",
		"auto_mode_switch.requested", "auto_mode_switch.completed", "session_limits_exhausted.requested",
		"session_limits_exhausted.completed", "exit_plan_mode.requested", "exit_plan_mode.completed",
		"factory.run_updated", "factory.run_started", "factory.run_settled":
		return true
	case "agent.interrupted", "assistant.fusion_phase_activity", "assistant.turn_retry", "model.call_finished",
		"prompt_cache_break", "sandbox.decision", "session.mcp_server_needs_reconnect", "session.mcp_server_removed",
		"session.memory_changed": // the schema of 1.0.102
		return true
	}
	return false
}
