package kimi

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Kinds returns what each kind of record becomes.
//
// It is the table of the records of Kimi Code, by their types, and of those of the Kimi
// CLI, by the types of their messages.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "metadata", Known: "rec 2.1.0", Becomes: "`session_start`", Read: (*parser).opened},
		{
			Names: "context.append_message", Known: "rec 2.1.0", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.message(h, v.Get("message")) },
			Becomes: "`user_turn`; injected unless its `origin` is `user`, and in the log of a subagent",
		},
		{
			Names: "context.append_loop_event", Known: "rec 2.1.0", Read: func(p *parser, h stream.Head, v jsondoc.Value) { p.loop(h, v.Get("event")) },
			Becomes: "`content.part`: `assistant_turn`, words or thoughts · `tool.call`, `tool.result`: `tool_call`, `tool_result`; of `Edit`, `Write` " +
				"and servers' tools that write files, edits · `step.end`: `assistant_turn` without text: what the response cost",
		},
		{Names: "context.apply_compaction", Known: "wild", Becomes: "`compaction`", Read: (*parser).compacted},
		{Names: "context.undo", Known: "src", Becomes: "`rewind` to before as many prompts as it counts", Read: (*parser).undo},
		{Names: "context.clear", Known: "src", Read: func(p *parser, _ stream.Head, _ jsondoc.Value) { p.Seen, p.prompts = p.Last+1, nil }},
		{Names: "subagent.spawned", Known: "rec 2.1.0", Becomes: "the thread that a call has sent", Read: (*parser).sent},
		{Names: "permission.record_approval_result", Known: "wild", Becomes: "the person's verdict, at the result of the call", Read: (*parser).judged},
		{Names: "file_history.tracked", Known: "rec 2.1.0", Becomes: "what a file was before it is edited", Read: func(p *parser, _ stream.Head, v jsondoc.Value) { p.tracked(v) }},
		{Names: "profile.bind", Known: "rec 2.1.0", Read: (*parser).bound},
		{Names: "config.update", Known: "src", Read: (*parser).bound},
		{Names: "llm.request", Known: "rec 2.1.0", Read: func(p *parser, _ stream.Head, v jsondoc.Value) { p.model = v.Get("model").Str() }},
		{Known: "rec 2.1.0", Names: `turn.prompt turn.cancel turn.ended turn.step.interrupted turn.step.retrying agent.message.appended agent.turn.started
			agent.turn.ended prompt.completed prompt.aborted forked usage.record runtime.set_binding permission.set_mode
			plugin.session_start llm.tools_snapshot mcp.tools_discovered token_counting.measured token_counting.turn_recorded
			file_history.checkpoint subagent.started subagent.completed task.started task.terminated`},
		{Known: "src", Names: `turn.steer agent.switched context.undone context.update_token_count prompt.steered permission.rules.add token_counting.rebased
			token_counting.truncated full_compaction.begin full_compaction.complete full_compaction.cancel micro_compaction.apply
			plan_mode.enter plan_mode.exit plan_mode.cancel plan.revision swarm_mode.enter swarm_mode.exit tower_mode.enter tower_mode.exit
			subagent.failed subagent.cancelled task.waitDelivered goal.create goal.update goal.clear cron.add cron.delete cron.cursor
			interaction.request interaction.resolved interruptionReminder.recorded tools.set_active_tools tools.reset_active_tools
			tools.register_user_tool tools.unregister_user_tool tools.update_store`},

		{Names: "TurnBegin", Known: "rec 1.49.0: the Kimi CLI", Becomes: "`user_turn`; injected in the log of a subagent, and where it begins with `<system-reminder>`", Read: (*parser).legacyPrompt},
		{Names: "SteerInput", Known: "src", Becomes: "the same", Read: (*parser).legacyPrompt},
		{Names: "StepBegin", Known: "rec 1.49.0", Read: (*parser).legacyStep},
		{Names: "ContentPart", Known: "rec 1.49.0", Becomes: "`assistant_turn`", Read: func(p *parser, h stream.Head, m jsondoc.Value) { p.said(h, m, "") }},
		{Names: "TextPart ThinkPart", Known: "src", Becomes: "the same", Read: func(p *parser, h stream.Head, m jsondoc.Value) { p.said(h, m, "") }},
		{Names: "ToolCall", Known: "rec 1.49.0", Becomes: "`tool_call`", Read: (*parser).legacyCall},
		{Names: "ToolCallPart", Known: "src", Read: (*parser).legacyArgs},
		{Names: "ToolResult", Known: "rec 1.49.0", Becomes: "`tool_result`, and the edit that the call made", Read: (*parser).legacyResult},
		{Names: "ApprovalRequest", Known: "src", Read: (*parser).approval},
		{Names: "ApprovalResponse", Known: "src", Becomes: "the person's verdict, at the result of the call", Read: (*parser).approved},
		{Names: "StatusUpdate", Known: "rec 1.49.0", Becomes: "`assistant_turn` without text: what the response cost", Read: (*parser).legacyCost},
		{Names: "CompactionEnd", Known: "rec 1.49.0", Becomes: "`compaction`; its summary stands in `context.jsonl` alone", Read: (*parser).legacyCompacted},
		{Known: "rec 1.49.0", Names: "SubagentEvent", Becomes: "the thread that a call has sent; what it does stands in a log of its own, too", Read: (*parser).legacySent},
		{Known: "rec 1.49.0", Names: "TurnEnd CompactionBegin"},
		{Known: "src", Names: `StepInterrupted StepRetry HookTriggered HookResolved MCPLoadingBegin MCPLoadingEnd
			MCPStatusSnapshot Notification PlanDisplay BtwBegin BtwEnd ApprovalRequestResolved QuestionRequest
			QuestionResponse ToolCallRequest HookRequest`},
	}
}
