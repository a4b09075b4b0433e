// Package otel parses OTLP telemetry as JSON, one request per line, from the
// receiver, a collector's file or a client's request body.
//
// What is said and done is in three forms. The coding agents that export
// telemetry have events of their own, in log records (and spans that repeat them);
// everything else follows the semantic conventions for generative AI, whose
// current form has messages in attributes of spans and whose older ones have an
// event for each message. docs/adapters/otel.md says what is known of each, and how.
//
// A coding agent's own transcript is the better witness: events of one are echoes
// (see [core.Event]), and say whose they are.
//
// One line is one request, and may hold records of many sessions and tools:
//
//	{"resourceLogs":[{"resource":{"attributes":[service.name = claude-code]},
//	  "scopeLogs":[{"logRecords":[
//	    {"attributes":[event.name = user_prompt, prompt = "Use UTC.", session.id = s]},      user_turn
//	    {"attributes":[event.name = tool_result, tool_name = Edit, success = true, …]}]}]}]}  tool_call, tool_result, file_edit
//
// A request to a model carries the whole conversation again. Of each message as many
// are new as are in the request beyond those that were told before: "yes" typed twice
// is two turns, and a retry of the same request none.
//
// What is remembered is bounded: maxTalks conversations, maxUsage responses that wait
// for their text. Beyond that all of it is forgotten, and messages may be told once
// more.
package otel

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows OTLP.
type Adapter struct{}

// Tool names the source.
func (Adapter) Tool() core.Tool { return core.OTel }

// Places are none: what is received lies in the journal.
func (Adapter) Places() []core.Place { return nil }

// Detect judges by how the first line begins: nothing else is an object with one
// of these lists in it.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	if !v.Exists() {
		line, _, _ := bytes.Cut(s.Head, []byte("\n"))
		for _, key := range []string{"resourceLogs", "resourceSpans", "resourceMetrics"} {
			if bytes.HasPrefix(bytes.TrimLeft(line, "{ \t\r"), []byte(`"`+key+`"`)) {
				return core.NativeFit
			}
		}
		return core.NoFit
	}
	for _, key := range []string{"resourceLogs", "resourceSpans", "resourceMetrics"} {
		if v.Get(key).Kind() == jsondoc.Array {
			return core.NativeFit
		}
	}
	return core.NoFit
}

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

// signs are what tells a tool: its service, its scope, and how the names of its events begin.
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
