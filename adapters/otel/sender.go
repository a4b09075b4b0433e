package otel

import (
	"strings"

	"github.com/memscribe/memscribe/core"
)

// sender is who sends a record: a service, and the library in it that made the
// record.
type sender struct {
	service attributes
	scope   string
}

// tool names the tool that sends. What a service is called, its user may say
// (OTEL_SERVICE_NAME), and Codex takes the name of the program that drives it;
// then the scope tells, and what the record itself is called.
func (s sender) tool(r *record) core.Tool {
	if tool := toolOfService(s.service.get("service.name").str()); tool != core.OTel {
		return tool
	}
	if tool := toolOfScope(s.scope); tool != core.OTel {
		return tool
	}
	for _, name := range []string{
		r.attrs.get("event.name").str(), r.raw.Get("eventName").Str(), r.raw.Get("name").Str(), r.raw.Path("body", "stringValue").Str(),
	} {
		for _, own := range ownNames() {
			if strings.HasPrefix(name, own.prefix) {
				return own.tool
			}
		}
	}
	return core.OTel
}

func toolOfService(service string) core.Tool {
	switch {
	case strings.HasPrefix(service, "claude-code"):
		return core.ClaudeCode
	case strings.HasPrefix(service, "codex"): // the originator: codex_cli_rs, codex_exec, codex_vscode
		return core.Codex
	case service == "gemini-cli":
		return core.Gemini
	case service == "qwen-code":
		return core.Qwen
	case service == "copilot-chat":
		return core.VSCode
	case service == "github-copilot":
		return core.Copilot
	case service == "opencode": // whatever the environment says (its issue 25839); plugins take the name too
		return core.OpenCode
	}
	return core.OTel
}

// toolOfScope knows the scopes of the tools (recorded; Copilot's: read in source).
func toolOfScope(scope string) core.Tool {
	switch {
	case strings.HasPrefix(scope, "com.anthropic.claude_code"):
		return core.ClaudeCode
	case strings.HasPrefix(scope, "codex_"): // the crate that logs: codex_otel.log_only, codex_otel::…
		return core.Codex
	case scope == "gemini-cli":
		return core.Gemini
	case scope == "qwen-code":
		return core.Qwen
	case scope == "copilot-chat":
		return core.VSCode
	}
	return core.OTel
}

// ownName is how the names begin that a tool gives its events.
type ownName struct {
	prefix string
	tool   core.Tool
}

func ownNames() []ownName {
	return []ownName{
		{"claude_code.", core.ClaudeCode},
		{"codex.", core.Codex},
		{"gemini_cli.", core.Gemini},
		{"qwen-code.", core.Qwen},
		{"copilot_chat.", core.VSCode},
	}
}
