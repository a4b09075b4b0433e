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

// sign is how the telemetry of a tool can be known: by its service, by the library
// that makes the records (recorded; Copilot's: read in source), or by how the names
// of its events begin. A "*" stands for what follows.
type sign struct {
	tool                   core.Tool
	service, scope, prefix string
}

func signs() []sign {
	return []sign{
		{core.ClaudeCode, "claude-code*", "com.anthropic.claude_code*", "claude_code."},
		// The originator: codex_cli_rs, codex_exec, codex_vscode. The crate that logs: codex_otel.log_only, codex_otel::…
		{core.Codex, "codex*", "codex_*", "codex."},
		{core.Gemini, "gemini-cli", "gemini-cli", "gemini_cli."},
		{core.Qwen, "qwen-code", "qwen-code", "qwen-code."},
		{core.VSCode, "copilot-chat", "copilot-chat", "copilot_chat."},
		{core.Copilot, "github-copilot", "", ""},
		{core.OpenCode, "opencode", "", ""}, // whatever the environment says (its issue 25839); plugins take the name too
	}
}

// fits reports whether a name is the one that a sign has.
func fits(pattern, name string) bool {
	if begins, more := strings.CutSuffix(pattern, "*"); more {
		return strings.HasPrefix(name, begins)
	}
	return pattern != "" && pattern == name
}

// tool names the tool that sends. What a service is called, its user may say
// (OTEL_SERVICE_NAME), and Codex takes the name of the program that drives it;
// then the scope tells, and what the record itself is called.
func (s sender) tool(r *record) core.Tool {
	service := s.service.get("service.name").str()
	for _, known := range signs() {
		if fits(known.service, service) {
			return known.tool
		}
	}
	for _, known := range signs() {
		if fits(known.scope, s.scope) {
			return known.tool
		}
	}
	for _, name := range []string{
		r.attrs.get("event.name").str(), r.raw.Get("eventName").Str(), r.raw.Get("name").Str(), r.raw.Path("body", "stringValue").Str(),
	} {
		for _, known := range signs() {
			if known.prefix != "" && strings.HasPrefix(name, known.prefix) {
				return known.tool
			}
		}
	}
	return core.OTel
}
