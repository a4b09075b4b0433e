package core

// Tool is the name of a coding agent in events and nodes.
type Tool string

// The supported tools.
const (
	ClaudeCode  Tool = "claude_code"
	Codex       Tool = "codex"
	Gemini      Tool = "gemini"
	Qwen        Tool = "qwen"
	Cursor      Tool = "cursor"
	Windsurf    Tool = "windsurf"
	Zed         Tool = "zed"
	VSCode      Tool = "vscode"
	Copilot     Tool = "copilot"
	OpenCode    Tool = "opencode"
	Kilo        Tool = "kilo"
	Hermes      Tool = "hermes"
	Pi          Tool = "pi"
	Cline       Tool = "cline"
	Continue    Tool = "continue"
	OTel        Tool = "otel"
	Kimi        Tool = "kimi"
	Droid       Tool = "droid"
	Amp         Tool = "amp"
	Crush       Tool = "crush"
	Goose       Tool = "goose"
	ClaudeAI    Tool = "claude_ai"
	ChatGPT     Tool = "chatgpt"
	Grok        Tool = "grok"
	OpenHands   Tool = "openhands"
	Vibe        Tool = "vibe"
	Entire      Tool = "entire"
	Antigravity Tool = "antigravity"
	Aider       Tool = "aider"
	SpecStory   Tool = "specstory"
	Kiro        Tool = "kiro"
	CommandCode Tool = "command_code"
	Codebuff    Tool = "codebuff"
	Junie       Tool = "junie"
	Auggie      Tool = "auggie"
	ACP         Tool = "acp"         // any agent that speaks the Agent Client Protocol
	AgentTrace  Tool = "agent_trace" // any agent that writes Agent Trace records
)
