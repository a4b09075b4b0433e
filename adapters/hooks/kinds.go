package hooks

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// reader reads the payload of an event.
type reader = func(*parser)

// Kinds returns what each event of a hook becomes. A name that several tools use means the
// same in all of them. Events that repeat others, or are about the tool itself, become nothing.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "SessionStart", Known: "rec", Becomes: "`session_start`", Read: (*parser).starts},
		{Names: "sessionStart", Known: "src", Becomes: "`session_start`", Read: (*parser).starts},
		{Names: "SessionEnd", Known: "rec", Becomes: "`session_end`", Read: (*parser).ends},
		{Names: "sessionEnd", Known: "src", Becomes: "`session_end`", Read: (*parser).ends},
		{Names: "UserPromptSubmit BeforeAgent", Known: "rec", Becomes: "`user_turn`; injected for a subagent", Read: (*parser).prompted},
		{Names: "userPromptSubmitted beforeSubmitPrompt pre_user_prompt", Known: "src", Becomes: "the same", Read: (*parser).prompted},
		{Names: "PreToolUse BeforeTool", Known: "rec", Becomes: "`tool_call`", Read: (*parser).called},
		{Names: "preToolUse beforeShellExecution beforeMCPExecution pre_run_command pre_mcp_tool_use", Known: "src", Becomes: "`tool_call`", Read: (*parser).called},
		{Names: "PostToolUse AfterTool", Known: "rec", Becomes: "`tool_result`, and a `tool_call` if none was told; `file_edit`", Read: func(p *parser) { p.returned(true) }},
		{
			Names: "postToolUse afterShellExecution afterMCPExecution post_run_command post_mcp_tool_use", Known: "src", Becomes: "the same",
			Read: func(p *parser) { p.returned(true) },
		},
		{Names: "PostToolUseFailure postToolUseFailure", Known: "src", Becomes: "`tool_result` that failed", Read: func(p *parser) { p.returned(false) }},
		{Names: "Stop SubagentStop AfterAgent agent-turn-complete", Known: "rec", Becomes: "`assistant_turn`: what was said last", Read: (*parser).said},
		{Names: "afterAgentResponse post_cascade_response", Known: "src", Becomes: "the same", Read: (*parser).said},
		{Names: "afterAgentThought", Known: "src", Becomes: "`assistant_turn` with a thought", Read: (*parser).thinks},
		{Names: "PostCompact", Known: "rec", Becomes: "`compaction`", Read: (*parser).compacts},
		{Names: "afterFileEdit post_write_code", Known: "src", Becomes: "`tool_call`, `tool_result`, `file_edit`: an edit by a call that the payload does not name", Read: (*parser).edited},

		// Claude Code, Codex, Qwen Code, Gemini CLI.
		{Known: "rec", Names: `PostToolBatch PermissionRequest Notification PreCompact PreCompress StopFailure SubagentStart
			BeforeModel AfterModel BeforeToolSelection`},
		// Claude Code, Codex and Qwen Code; the last three Qwen Code.
		{Known: "src", Names: `PermissionDenied Setup InstructionsLoaded UserPromptExpansion MessageDisplay TaskCreated TaskCompleted TeammateIdle
			ConfigChange CwdChanged DirectoryAdded FileChanged WorktreeCreate WorktreeRemove Elicitation ElicitationResult
			SessionDelete TodoCreated TodoCompleted`},
		// Cursor, Copilot CLI, Windsurf.
		{Known: "src", Names: `beforeReadFile beforeTabFileRead afterTabFileEdit preCompact stop subagentStart subagentStop workspaceOpen
			agentStop permissionRequest notification errorOccurred preMcpToolCall userPromptTransformed
			pre_read_code post_read_code pre_write_code post_cascade_response_with_transcript post_setup_worktree`},
	}
}

func (p *parser) starts() {
	p.send(&core.SessionStart{Cwd: p.cwd, Model: stream.Some(p.root, "model"), ToolVersion: stream.Some(p.root, "cursor_version")})
}

func (p *parser) ends() { p.send(&core.SessionEnd{Reason: stream.Some(p.root, "reason")}) }

func (p *parser) thinks() {
	p.send(&core.AssistantTurn{Thinking: core.Token(p.root.Get("text")), Model: stream.Some(p.root, "model", "model_name")})
}

func (p *parser) compacts() {
	p.send(&core.Compaction{Summary: core.Token(p.root.Get("compact_summary"))})
}
