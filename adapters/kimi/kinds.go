package kimi

// role is what becomes of a kind of record.
type role uint8

const (
	strange role = iota // no one has described it
	known               // it carries nothing that was said or done
	opens               // says how the log is written: the session begins
	bound               // says in which folder, and with which model
	asks                // a request to the model
	message             // what someone said, or was made to say
	loop                // a piece of the model's answer, a call or a result
	compact             // a summary in the place of what was said
	undo                // takes prompts back
	clears              // begins with an empty context
	sent                // a call has sent a subagent
	judged              // what a person said to a call
	tracked             // what a file was before it is edited
)

// roleOf is the table of the kinds of record, by their types (recorded 2.1.0; those
// that no recording shows are read in source).
//
//nolint:cyclop // it is a table
func roleOf(kind string) role {
	switch kind {
	case "metadata":
		return opens
	case "profile.bind", "config.update":
		return bound
	case "llm.request":
		return asks
	case "context.append_message":
		return message
	case "context.append_loop_event":
		return loop
	case "context.apply_compaction":
		return compact
	case "context.undo":
		return undo
	case "context.clear":
		return clears
	case "subagent.spawned":
		return sent
	case "permission.record_approval_result":
		return judged
	case "file_history.tracked":
		return tracked
	case "turn.prompt", "turn.steer", "turn.cancel", "turn.ended", "turn.step.interrupted", "turn.step.retrying", "agent.message.appended",
		"agent.turn.started", "agent.turn.ended", "agent.switched", "context.undone", "context.update_token_count",
		"prompt.completed", "prompt.aborted", "prompt.steered", "forked", "usage.record", "runtime.set_binding",
		"permission.set_mode", "permission.rules.add", "plugin.session_start", "llm.tools_snapshot", "mcp.tools_discovered",
		"token_counting.measured", "token_counting.turn_recorded", "token_counting.rebased", "token_counting.truncated",
		"file_history.checkpoint", "full_compaction.begin", "full_compaction.complete", "full_compaction.cancel", "micro_compaction.apply",
		"plan_mode.enter", "plan_mode.exit", "plan_mode.cancel", "plan.revision", "swarm_mode.enter", "swarm_mode.exit",
		"tower_mode.enter", "tower_mode.exit", "subagent.started", "subagent.completed", "subagent.failed", "subagent.cancelled",
		"task.started", "task.terminated", "task.waitDelivered", "goal.create", "goal.update", "goal.clear",
		"cron.add", "cron.delete", "cron.cursor", "interaction.request", "interaction.resolved", "interruptionReminder.recorded",
		"tools.set_active_tools", "tools.reset_active_tools", "tools.register_user_tool", "tools.unregister_user_tool", "tools.update_store":
		return known
	}
	return strange
}
