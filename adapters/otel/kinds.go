package otel

import (
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// reader reads an event.
type reader = func(*parser)

// Kinds returns what each event that an agent has of its own becomes, by name without the
// agent's prefix. A name that several agents use means the same in all of them.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "user_prompt", Known: "rec", Becomes: "`user_turn`", Read: (*parser).prompted},
		{Names: "assistant_response", Known: "rec", Becomes: "`assistant_turn`", Read: (*parser).responded},
		{Names: "api_request api_response sse_event", Known: "rec", Becomes: "`assistant_turn` with what it cost; of Claude Code that waits for its text", Read: (*parser).requested},
		{Names: "tool_result tool_call", Known: "rec", Becomes: "`tool_call`, `tool_result`, `file_edit`", Read: (*parser).called},
		{Names: "conversation_starts config", Known: "rec", Becomes: "`session_start`", Read: (*parser).starts},
		{Names: "session.end", Known: "rec", Becomes: "`session_end`", Read: (*parser).ends},
		{Names: "end_session", Known: "src", Becomes: "`session_end`", Read: (*parser).ends},
		{Names: "compaction", Known: "rec", Becomes: "`compaction`", Read: (*parser).compacts},
		{Names: "chat_compression", Known: "unv", Becomes: "`compaction`", Read: (*parser).compacts},

		{Names: "gen_ai.*", Known: "rec"},
		{Names: "hook_*", Known: "src"},
		{Names: "plugin_*", Known: "src"},
		// Claude Code.
		{Known: "src", Names: `tool_decision api_error api_retries_exhausted api_refusal api_request_body api_response_body permission_mode_changed
			subagent_completed skill_activated at_mention mcp_server_connection auth internal_error feedback_survey retention_sweep
			managed_settings_resolved`},
		// Gemini CLI.
		{Known: "src", Names: `file_operation slash_command rewind agent.start agent.finish agent.recovery_attempt model_routing conversation_finished
			tool_output_truncated tool_output_masking flash_fallback ripgrep_fallback next_speaker_check network_retry_attempt
			chat.content_retry chat.content_retry_failure chat.invalid_chunk startup_stats edit_strategy edit_correction smart_edit_strategy
			smart_edit_correction plan.approval_mode_duration plan.approval_mode_switch loop_detected loop_detection_disabled llm_loop_check
			extension_install extension_enable extension_disable extension_uninstall extension_update web_fetch_fallback_attempt
			approval_mode_switch approval_mode_duration keychain.availability`},
		// Qwen Code.
		{Known: "src", Names: `user_retry api_cancel memory.recall memory.recall.delivery subagent_execution skill_launch session.start malformed_json_response
			ide_connection kitty_sequence_overflow`},
	}
}

func (p *parser) starts() {
	p.send(&core.SessionStart{Model: p.rec.attrs.get("model").str(), ToolVersion: p.version()})
}

func (p *parser) ends() { p.send(&core.SessionEnd{}) }

func (p *parser) compacts() { p.send(&core.Compaction{}) }
