package claudecode

import "github.com/memscribe/memscribe/core/jsondoc"

// known emits a record that is bookkeeping if its inner type is described, and
// unknown if it is not. An attachment or a progress report of a new type may
// carry anything, so a new type has to show.
func (p *parser) known(family string, describe func(string) bool, inner jsondoc.Value) {
	name := p.Names.Of(inner)
	p.unknownRecord(p.Names.Joined(family, name), describe(name))
}

// bookkeeping passes on the records without a uuid. Nothing in them was said or
// done: titles, modes, costs, snapshots, copies of requests.
func (p *parser) bookkeeping(r *record) {
	p.unknownRecord(p.Names.Of(r.kind), plainKind(string(r.kind.Body())))
}

func plainKind(kind string) bool {
	switch kind {
	case "summary", "custom-title", "ai-title", "agent-name", "agent-setting", "tag", // recorded 1.0.128, 2.1.329; wild
		"last-prompt", "mode", "permission-mode", "atis-latch", "cost-state", // recorded 2.1.329, 2.1.330
		"api-request", "api-request-shape", "api-request-blob", "tools-used", // recorded 2.1.329
		"file-history-snapshot", "file-history-delta", // recorded 2.0.77, 2.1.329
		"worktree-state", "relocated", // recorded 2.1.330
		"pr-link", "frame-link", "bridge-session", "started", "result", // wild 2.1
		"content-replacement", "agent_metadata": // read in the vendor's SDK
		return true
	}
	return len(kind) > 9 && kind[:9] == "artifact-" // reported by other readers
}

func progressKind(kind string) bool {
	switch kind {
	// agent_progress repeats records that stand in the subagent's own file.
	case "agent_progress", "bash_progress", "hook_progress", "mcp_progress",
		"query_update", "search_results_received", "waiting_for_task": // wild 2.1.0 to 2.1.71
		return true
	}
	return false
}

func systemKind(kind string) bool {
	switch kind {
	case "compact_boundary", "api_error", "turn_duration", "stop_hook_summary", // recorded
		"microcompact_boundary", "informational", "error", "away_summary", "session_start",
		"bridge_status", "api_refusal", "model_refusal_fallback", "model_consent_fallback", // wild 2.1
		"scheduled_task_fire", "init": // reported by other readers
		return true
	}
	return false
}

// attachmentKind describes what the client attaches to a conversation by
// itself: context for the model that no person said.
func attachmentKind(kind string) bool {
	switch kind {
	case "agent_listing_delta", "auto_mode", "date", "deferred_tools_delta", "deferred_tools_record", "environment",
		"file", "instructions", "model", "prompt_snapshot", "remote_session_change", "session_context", "silent_turn_reminder",
		"skill_listing": // recorded 2.1.329
		return true
	case "batching_reminder_sent", "budget_usd", "command_permissions", "compact_file_reference", "date_change",
		"diagnostics", "dynamic_skill", "edited_text_file", "hook_additional_context", "hook_blocking_error",
		"hook_cancelled", "hook_non_blocking_error", "hook_success", "hook_system_message", "invoked_skills",
		"mcp_instructions_delta", "nested_memory", "opened_file_in_ide", "plan_mode", "plan_mode_exit",
		"read_truncation_notice", "selected_lines_in_ide", "task_reminder", "task_status", "todo_reminder",
		"total_tokens_reminder", "ultra_effort_enter", "ultra_effort_exit": // wild 2.1.92 to 2.1.220
		return true
	}
	return false
}
