package rollout

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// IsInjectedItem reports whether an item of the user's side is context. Since
// 0.16x the tool says so itself (0.169, recorded): a person's text is
// "user.text".
func IsInjectedItem(kinds jsondoc.Value, head string) bool {
	if kinds.Kind() == jsondoc.Array {
		for kind := range kinds.Elems() {
			if bytes.HasPrefix(kind.Body(), []byte("user.")) {
				return false
			}
		}
		return true
	}
	return IsContext(head)
}

// IsContextKind reads the mark that user_message has in old versions: "plain"
// is a person's text (0.47, recorded), the others are context (source).
func IsContextKind(kind jsondoc.Value) bool {
	return kind.Is("user_instructions") || kind.Is("environment_context")
}

// IsOldContext recognises the context that versions without that mark may tell
// as a turn. All else that an event tells was typed, however it begins.
func IsOldContext(head string) bool {
	s := strings.TrimLeft(head, " \t\r\n")
	return strings.HasPrefix(s, "<environment_context>") || strings.HasPrefix(s, "<user_instructions>")
}

// IsContext recognises what the tool says in a person's name by how it begins.
// Evidence: recorded and wild; hook_prompt, model_switch and the like in source.
func IsContext(head string) bool {
	s := strings.TrimLeft(head, " \t\r\n")
	for _, start := range [...]string{
		"# AGENTS.md instructions", "Another language model started to solve this problem",
		"Warning: apply_patch was requested via", "Warning: The maximum number of unified exec",
		"Warning: Your account was flagged", "Warning: Model ", "Approved command prefix saved:",
	} {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	if !strings.HasPrefix(s, "<") {
		return false
	}
	end := strings.IndexAny(s, " >\n")
	if end < 0 {
		return false
	}
	switch s[1:end] {
	case "environment_context", "user_instructions", "INSTRUCTIONS", "permissions", "collaboration_mode",
		"skills_instructions", "skill", "subagent_notification", "turn_aborted", "hook_prompt", "model_switch",
		"user_shell_command", "user_action", "personality_spec", "apps_instructions", "plugins_instructions",
		"goal_context", "codex_internal_context", "multi_agent_mode", "multi_agent_role", "tools",
		"realtime_conversation", "memory_context", "recommended_plugins", "context_window":
		return true
	}
	return false
}
