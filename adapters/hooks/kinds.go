package hooks

// kind says what a hook's event tells.
type kind uint8

const (
	unheard  kind = iota // no one has described it
	aside                // known, and nothing was said or done by it
	starts               // a session
	ends                 // a session
	prompt               // what a person typed
	calls                // a tool is about to run
	returns              // a tool has run
	fails                // a tool could not
	says                 // the model, at the end of its turn
	thinks               // the model
	compacts             // what a compaction left
	edits                // a file, by a call that the payload does not name
)

// kindOf knows the events of all tools by name: those that several have mean the
// same in all of them. The evidence for each stands in docs/hooks.md.
func kindOf(event string) kind {
	switch event {
	case "SessionStart", "sessionStart":
		return starts
	case "SessionEnd", "sessionEnd":
		return ends
	case "UserPromptSubmit", "userPromptSubmitted", "beforeSubmitPrompt", "BeforeAgent", "pre_user_prompt":
		return prompt
	case "PreToolUse", "preToolUse", "BeforeTool", "beforeShellExecution", "beforeMCPExecution", "pre_run_command", "pre_mcp_tool_use":
		return calls
	case "PostToolUse", "postToolUse", "AfterTool", "afterShellExecution", "afterMCPExecution", "post_run_command", "post_mcp_tool_use":
		return returns
	case "PostToolUseFailure", "postToolUseFailure":
		return fails
	case "Stop", "SubagentStop", "AfterAgent", "afterAgentResponse", "post_cascade_response", "agent-turn-complete":
		return says
	case "afterAgentThought":
		return thinks
	case "PostCompact":
		return compacts
	case "afterFileEdit", "post_write_code":
		return edits
	}
	if isAside(event) {
		return aside
	}
	return unheard
}

// isAside knows the events that repeat what others tell, or tell of the tool
// itself.
func isAside(event string) bool {
	switch event {
	case "PostToolBatch", "PermissionRequest", "PermissionDenied", "Notification", "PreCompact", "PreCompress", "StopFailure",
		"SubagentStart", "Setup", "InstructionsLoaded", "UserPromptExpansion", "MessageDisplay", "TaskCreated", "TaskCompleted",
		"TeammateIdle", "ConfigChange", "CwdChanged", "DirectoryAdded", "FileChanged", "WorktreeCreate", "WorktreeRemove",
		"Elicitation", "ElicitationResult", // Claude Code, Codex and Qwen Code
		"BeforeModel", "AfterModel", "BeforeToolSelection", // Gemini CLI: requests and chunks of answers
		"SessionDelete", "TodoCreated", "TodoCompleted", // Qwen Code
		"beforeReadFile", "beforeTabFileRead", "afterTabFileEdit", "preCompact", "stop", "subagentStart", "subagentStop", "workspaceOpen", // Cursor
		"agentStop", "permissionRequest", "notification", "errorOccurred", "preMcpToolCall", "userPromptTransformed", // Copilot CLI
		"pre_read_code", "post_read_code", "pre_write_code", "post_cascade_response_with_transcript", "post_setup_worktree": // Windsurf
		return true
	}
	return false
}
