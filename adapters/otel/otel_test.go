package otel_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/otel"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/testkit/adaptertest"
	"github.com/memscribe/memscribe/testkit/golden"
)

// read reads requests as one stream, as if their sessions had no transcripts, and
// returns what a sink would hold. It shows each event to f.
func read(t testing.TB, data []byte, f func(*core.Event)) map[string]*core.Node {
	t.Helper()
	return adaptertest.Pushed(t, otel.Adapter{}, data, f)
}

// tale writes down what events tell, one a line.
func tale(t testing.TB, data []byte) string {
	t.Helper()
	var b strings.Builder
	read(t, data, func(ev *core.Event) {
		fmt.Fprintf(&b, "%s", ev.Name())
		switch body := ev.Body.(type) {
		case *core.UserTurn:
			fmt.Fprintf(&b, " %q", body.Text.String())
		case *core.AssistantTurn:
			fmt.Fprintf(&b, " %q", body.Text.String())
			if body.Usage != nil {
				fmt.Fprintf(&b, " %d in, %d out", body.Usage.Input, body.Usage.Output)
			}
		case *core.ToolCall:
			fmt.Fprintf(&b, " %s %s", body.CallID, body.Name)
		case *core.ToolResult:
			fmt.Fprintf(&b, " %s ok=%t", body.CallID, body.OK)
		case *core.FileEdit:
			fmt.Fprintf(&b, " %s %s +%d -%d", body.Diff.Change, body.Diff.Path, body.Diff.Added, body.Diff.Removed)
		case *core.Unknown:
			fmt.Fprintf(&b, " %s bookkeeping=%t", body.RawType, body.Bookkeeping)
		}
		if ev.Injected {
			b.WriteString(" injected")
		}
		if ev.Echo {
			fmt.Fprintf(&b, " echo of %s", ev.Source)
		}
		b.WriteByte('\n')
	})
	return b.String()
}

// attrs writes attributes: strings, and JSON where a value begins with "=".
func attrs(pairs ...string) string {
	var list []string
	for i := 0; i < len(pairs); i += 2 {
		v := fmt.Sprintf(`{"stringValue":%q}`, pairs[i+1])
		if raw, ok := strings.CutPrefix(pairs[i+1], "="); ok {
			v = raw
		}
		list = append(list, fmt.Sprintf(`{"key":%q,"value":%s}`, pairs[i], v))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// kv writes a map, as attributes are written.
func kv(pairs ...string) string { return `{"kvlistValue":{"values":` + attrs(pairs...) + `}}` }

func logLine(service string, records ...string) string {
	return `{"resourceLogs":[{"resource":{"attributes":` + attrs("service.name", service) + `},"scopeLogs":[{"logRecords":[` + strings.Join(records, ",") + `]}]}]}` + "\n"
}

func spanLine(service string, spans ...string) string {
	return `{"resourceSpans":[{"resource":{"attributes":` + attrs("service.name", service) + `},"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}` + "\n"
}

func span(id, attributes string) string {
	return `{"traceId":"t1","spanId":"` + id + `","name":"x","startTimeUnixNano":"1700000000000000000","attributes":` + attributes + `}`
}

func record(attributes string) string {
	return `{"timeUnixNano":"1700000000000000000","attributes":` + attributes + `}`
}

const (
	ask    = `{"role":"user","parts":[{"type":"text","content":"Use Postgres instead of MySQL."}]}`
	reply  = `{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"text","content":"Done."},{"type":"tool_call","id":"c1","name":"edit","arguments":{"path":"a"}}],"finish_reason":"tool_call"}`
	back   = `{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"ok"}]}`
	thanks = `{"role":"assistant","parts":[{"type":"text","content":"Bye."}]}`
)

// TestFormerNames wants what requests of older versions of the protocol hold to be
// read like that of today's, and once where a sender says it under both names.
func TestFormerNames(t *testing.T) {
	typed := record(attrs("session.id", "s", "event.name", "user_prompt", "prompt", "Use tabs."))
	chat := span("1", attrs("gen_ai.operation.name", "chat", "gen_ai.conversation.id", "s", "gen_ai.input.messages", "["+ask+"]", "gen_ai.output.messages", "["+thanks+"]"))
	now := logLine("claude-code", typed) + spanLine("app", chat)
	for _, former := range []*strings.Replacer{
		strings.NewReplacer("scopeLogs", "deprecatedScopeLogs", "scopeSpans", "deprecatedScopeSpans"),
		strings.NewReplacer("scopeLogs", "instrumentationLibraryLogs", "scopeSpans", "instrumentationLibrarySpans"),
		strings.NewReplacer("scopeLogs", "instrumentationLibraryLogs", "logRecords", "logs", "scopeSpans", "instrumentationLibrarySpans"),
		strings.NewReplacer(`"scopeLogs"`, `"scopeLogs":[],"deprecatedScopeLogs"`),
		strings.NewReplacer(`"scopeLogs"`, `"deprecatedScopeLogs":[{"logRecords":[`+typed+`]}],"scopeLogs"`),
	} {
		want, got := tale(t, []byte(now)), tale(t, []byte(former.Replace(now)))
		if diff := cmp.Diff(want, got); diff != "" || !strings.Contains(want, "Use tabs.") || !strings.Contains(want, "Bye.") {
			t.Errorf("%s (-now +then):\n%s", former.Replace(now), diff)
		}
	}
}

func TestConventions(t *testing.T) {
	chat := func(id, in, out string) string {
		return span(id, attrs("gen_ai.operation.name", "chat", "gen_ai.conversation.id", "s", "gen_ai.request.model", "m",
			"gen_ai.input.messages", in, "gen_ai.output.messages", out, "gen_ai.usage.input_tokens", `={"intValue":"3"}`,
			"gen_ai.usage.output_tokens", `={"intValue":4}`))
	}
	tests := []struct{ name, lines, want string }{
		{
			"a request carries the whole history again: each message is told once",
			spanLine("app", chat("1", "["+ask+"]", "["+reply+"]")) + spanLine("app", chat("2", "["+ask+","+reply+","+back+","+ask+"]", "["+thanks+"]")),
			`user_turn "Use Postgres instead of MySQL."
assistant_turn "Done." 3 in, 4 out
tool_call c1 edit
tool_result c1 ok=true
user_turn "Use Postgres instead of MySQL."
assistant_turn "Bye." 3 in, 4 out
`,
		},
		{
			"a retry tells nothing new",
			strings.Repeat(spanLine("app", chat("1", "["+ask+"]", "["+reply+"]")), 2),
			`user_turn "Use Postgres instead of MySQL."
assistant_turn "Done." 3 in, 4 out
tool_call c1 edit
unknown span bookkeeping=true
`,
		},
		{
			"messages as structures, and cut off",
			spanLine("app", span("1", attrs("gen_ai.operation.name", "chat", "gen_ai.input.messages",
				`={"arrayValue":{"values":[{"kvlistValue":{"values":[{"key":"role","value":{"stringValue":"user"}},{"key":"content","value":{"stringValue":"Hi \"you\""}}]}}]}}`)),
				span("2", attrs("gen_ai.operation.name", "chat", "gen_ai.input.messages", `[{"role":"user","parts":[{"ty...[truncated]`))),
			"user_turn \"Hi \\\"you\\\"\"\nunknown span bookkeeping=true\n",
		},
		{
			"an event for each message, as conventions up to 1.36 have it",
			logLine("app", `{"spanId":"1","traceId":"t","attributes":`+attrs("event.name", "gen_ai.system.message")+`,"body":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"You are"}}]}}}`,
				`{"spanId":"1","traceId":"t","eventName":"gen_ai.user.message","body":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"Use Postgres."}}]}}}`,
				`{"spanId":"1","traceId":"t","eventName":"gen_ai.choice","body":{"kvlistValue":{"values":[{"key":"index","value":{"intValue":"0"}},{"key":"message","value":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"Done."}}]}}}]}}}`,
				`{"spanId":"2","traceId":"t","eventName":"gen_ai.user.message","body":{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"Use Postgres."}}]}}}`),
			`user_turn "You are" injected
user_turn "Use Postgres."
assistant_turn "Done."
unknown gen_ai.user.message bookkeeping=true
`,
		},
		{
			"events of a span, as conventions up to 1.27 have it",
			spanLine("app", `{"traceId":"t","spanId":"1","attributes":`+attrs("gen_ai.operation.name", "chat")+`,"events":[{"name":"gen_ai.content.prompt","attributes":`+
				attrs("gen_ai.prompt", `[{"role":"user","content":"Hi"}]`)+`},{"name":"gen_ai.content.completion","attributes":`+attrs("gen_ai.completion", `[{"content":"Hello"}]`)+`}]}`),
			"user_turn \"Hi\"\nassistant_turn \"Hello\"\n",
		},
		{
			"whose a message is, the event's name says, and not what its author is called; calls stand beside a choice, or in it",
			logLine("app", `{"spanId":"1","traceId":"t","eventName":"gen_ai.user.message","body":`+kv("content", "Use Postgres.", "role", "customer")+`}`,
				`{"spanId":"1","traceId":"t","eventName":"gen_ai.choice","body":`+kv("index", `={"intValue":"0"}`, "message", "="+kv("content", "Done.", "role", "bot"),
					"tool_calls", `={"arrayValue":{"values":[`+kv("id", "c1", "type", "function", "function", "="+kv("name", "edit", "arguments", "{}"))+`]}}`)+`}`,
				`{"spanId":"2","traceId":"t","eventName":"gen_ai.tool.message","body":`+kv("content", "ok", "id", "c1", "role", "function")+`}`),
			`user_turn "Use Postgres."
assistant_turn "Done."
tool_call c1 edit
tool_result c1 ok=true
`,
		},
		{
			"instructions, tools that the server runs, and what was compacted",
			spanLine("app", span("1", attrs("gen_ai.operation.name", "chat", "gen_ai.system_instructions", `[{"type":"text","content":"You are"}]`,
				"gen_ai.input.messages", "["+ask+`,{"role":"user","parts":[{"type":"compaction","id":"k","content":"All about Postgres."}]}]`,
				"gen_ai.output.messages", `[{"role":"assistant","parts":[{"type":"server_tool_call","id":"s1","name":"web_search","server_tool_call":{"type":"web_search"}},
 {"type":"server_tool_call_response","id":"s1","server_tool_call_response":{"type":"web_search"}},{"type":"text","content":"Found."}]}]`)),
				span("2", attrs("gen_ai.operation.name", "chat", "gen_ai.system_instructions", `[{"type":"text","content":"You are"}]`,
					"gen_ai.input.messages", `[{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","result":"rainy"}]}]`))),
			`user_turn "You are" injected
user_turn "Use Postgres instead of MySQL."
compaction
assistant_turn "Found."
tool_call s1 web_search
tool_result s1 ok=true
tool_result c1 ok=true
`,
		},
		{
			"an agent's span repeats its requests; a server's side of a call repeats the client's",
			spanLine("app", chat("1", "["+ask+"]", "["+thanks+"]"), span("2", attrs("gen_ai.operation.name", "invoke_agent", "gen_ai.conversation.id", "s",
				"gen_ai.input.messages", "["+ask+"]", "gen_ai.output.messages", "["+thanks+"]")),
				`{"traceId":"t1","spanId":"3","name":"tools/call x","kind":2,"attributes":`+attrs("gen_ai.operation.name", "execute_tool", "mcp.method.name", "tools/call", "gen_ai.tool.name", "x")+`}`,
				span("4", attrs("gen_ai.operation.name", "invoke_agent", "gen_ai.conversation.id", "other", "gen_ai.input.messages", "["+ask+"]"))),
			`user_turn "Use Postgres instead of MySQL."
assistant_turn "Bye." 3 in, 4 out
unknown span bookkeeping=true
unknown span bookkeeping=true
user_turn "Use Postgres instead of MySQL."
`,
		},
		{
			"calls of tools, and what has nothing to do with models",
			spanLine("app", span("1", attrs("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "grep", "gen_ai.tool.call.id", "c1", "gen_ai.tool.call.arguments", `{"q":"x"}`)),
				span("2", attrs("gen_ai.operation.name", "execute_tool", "gen_ai.tool.name", "grep", "error.type", "timeout")), span("3", attrs("http.method", "GET"))),
			`tool_call c1 grep
tool_result c1 ok=true
tool_call call-2 grep
tool_result call-2 ok=false
unknown span bookkeeping=true
`,
		},
		{
			"Copilot Chat has its own conversations, and a transcript",
			spanLine("copilot-chat", span("1", attrs("gen_ai.operation.name", "chat", "copilot_chat.chat_session_id", "s", "gen_ai.input.messages", "["+ask+"]"))),
			"user_turn \"Use Postgres instead of MySQL.\" echo of vscode\n",
		},
		{
			"Codex's events, also when only the place in its source names them",
			logLine("codex_exec",
				`{"eventName":"event otel/src/x.rs:1","attributes":`+attrs("event.name", "event otel/src/x.rs:1", "conversation.id", "s", "prompt_length", `={"intValue":"2"}`, "prompt", "Hi")+`}`,
				`{"attributes":`+attrs("event.name", "codex.tool_result", "conversation.id", "s", "call_id", "c1", "tool_name", "apply_patch", "success", "true", "output", "ok",
					"arguments", "*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** End Patch")+`}`,
				`{"attributes":`+attrs("event.kind", "response.completed", "conversation.id", "s", "input_token_count", "5", "output_token_count", "6")+`}`),
			`user_turn "Hi" echo of codex
tool_call c1 apply_patch echo of codex
tool_result c1 ok=true echo of codex
file_edit modify a +1 -1 echo of codex
assistant_turn "" 5 in, 6 out echo of codex
`,
		},
		{
			"Claude Code withholds, and cuts long values off",
			logLine("claude-code", record(attrs("event.name", "user_prompt", "session.id", "s", "prompt", "<REDACTED>")),
				record(attrs("event.name", "tool_result", "tool_name", "Edit", "tool_use_id", "c1", "success", "true", "tool_input_size_bytes", `={"intValue":"9000"}`,
					"tool_input", `{"file_path":"/a","old_string":"1","new_string":"2"}`)), record(attrs("event.name", "never_heard_of"))),
			`unknown user_prompt bookkeeping=true echo of claude_code
tool_call c1 Edit echo of claude_code
tool_result c1 ok=true echo of claude_code
unknown never_heard_of bookkeeping=false echo of claude_code
`,
		},
		{
			"Claude Code names the tool of a server beside, and hides what it was given",
			logLine("claude-code", record(attrs("event.name", "tool_result", "session.id", "s", "tool_name", "mcp_tool", "tool_use_id", "c1", "success", "true",
				"tool_parameters", `{"mcp_server_name":"files","mcp_tool_name":"edit_file"}`, "tool_input_size_bytes", "126",
				"tool_input", `{"path":"/a","edits":["<nested>"]}`)),
				record(attrs("event.name", "tool_result", "session.id", "s", "tool_name", "mcp_tool", "tool_use_id", "c2", "success", "true"))),
			`tool_call c1 mcp__files__edit_file echo of claude_code
tool_result c1 ok=true echo of claude_code
tool_call c2 mcp_tool echo of claude_code
tool_result c2 ok=true echo of claude_code
`,
		},
		{
			"what is no telemetry is kept",
			"{\"resourceLogs\":[]}\n{\"a\":1}\nnot JSON\n",
			"unknown request bookkeeping=true\nunknown request bookkeeping=false\nunknown  bookkeeping=false\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tale(t, []byte(tt.lines))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSender gives the records of each tool's recorded telemetry to a service of
// another name: whose they are can still be told, so that no session has a second
// set of nodes.
func TestSender(t *testing.T) {
	for _, sample := range recorded(t) {
		file, data := sample.Path, []byte(sample.Data)
		for _, own := range []string{"claude-code", "codex_exec", "gemini-cli", "qwen-code"} {
			data = bytes.ReplaceAll(data, []byte(`"service.name","value":{"stringValue":"`+own+`"}`), []byte(`"service.name","value":{"stringValue":"the-team"}`))
		}
		if !bytes.Contains(data, []byte("the-team")) {
			t.Fatalf("%s: the service has another name already", file)
		}
		read(t, data, func(ev *core.Event) {
			if _, aside := ev.Body.(*core.Unknown); !aside && (!ev.Echo || ev.Source == core.OTel) {
				t.Errorf("%s: %s of %s is no echo", file, ev.Name(), ev.Source)
			}
		})
	}
	for name, line := range map[string]string{
		"by its event":   logLine("the-team", record(attrs("event.name", "codex.user_prompt", "conversation.id", "s", "prompt_length", "2", "prompt", "Hi"))),
		"by its service": spanLine("opencode", span("1", attrs("gen_ai.operation.name", "chat", "session.id", "s", "gen_ai.input.messages", "["+ask+"]"))),
	} {
		told := tale(t, []byte(line))
		if !strings.HasPrefix(told, "user_turn") || !strings.Contains(told, " echo of ") {
			t.Errorf("%s: %s", name, told)
		}
	}
}

// TestAttributes: every attribute that a release of the conventions lists is in the
// table of shapes, for spans and for events.
func TestAttributes(t *testing.T) {
	listed, err := os.ReadFile("testdata/conventions.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(listed)) {
		if names := strings.Fields(line); names[0] != "#" {
			for _, name := range names[1:] {
				all = append(all, name, "x")
			}
		}
	}
	data := spanLine("app", span("1", attrs(all...))) + logLine("app", record(attrs(all...)))
	if told := adaptertest.Tale(t, otel.Adapter{}, "x.jsonl", []byte(data)); strings.Contains(told, "unseen") || len(all) < 180 {
		t.Errorf("of %d attributes:\n%s", len(all)/2, told)
	}
}

// TestSameWordsElsewhere has the same be said twice in one conversation, and in
// another: each time it is another turn.
func TestSameWordsElsewhere(t *testing.T) {
	line := func(session, in string) string {
		return spanLine("app", span(session, attrs("gen_ai.operation.name", "chat", "gen_ai.conversation.id", session, "gen_ai.input.messages", in)))
	}
	nodes := read(t, []byte(line("a", "["+ask+","+ask+"]")+line("b", "["+ask+"]")), nil)
	n := 0
	for _, node := range nodes {
		if _, ok := node.Body.(*core.Conversation); ok {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d turns, want 3", n)
	}
}

func TestDetect(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	for head, want := range map[string]core.Fit{
		`{"resourceLogs":[{}]}`: core.NativeFit, ` {"resourceSpans":[]}` + "\n{}": core.NativeFit, `{"resourceMetrics":[{"a":"` + long: core.NativeFit,
		`{"type":"user"}`: core.NoFit, "text": core.NoFit, "": core.NoFit,
	} {
		if got := (otel.Adapter{}).Detect(core.Sample{Head: []byte(head)}); got != want {
			t.Errorf("%.40s: got %d", head, got)
		}
	}
}

// TestGolden compares what comes of recorded telemetry with what was read and
// accepted.
func TestGolden(t *testing.T) {
	dir := golden.Open(t, "testdata/expected")
	for _, sample := range recorded(t) {
		file, data := sample.Path, []byte(sample.Data)
		var enc encode.Encoder
		var nodes []byte
		held := read(t, data, func(ev *core.Event) {
			if u, ok := ev.Body.(*core.Unknown); ok && !u.Bookkeeping {
				t.Errorf("%s: nobody has described %s", file, u.RawType)
			}
		})
		for _, n := range slices.SortedFunc(maps.Values(held), nodeprep.Compare) {
			var err error
			if nodes, err = enc.Node(nodes, n); err != nil {
				t.Fatal(err)
			}
			nodes = append(nodes, '\n')
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		dir.Check(t, name+".tale", []byte(tale(t, data)))
		dir.Check(t, name+".nodes.ndjson", bytes.TrimSpace(nodes))
	}
}

// TestEchoes holds what telemetry of the recorded agents gives to what happened:
// what was typed, and nothing that a transcript would tell again.
func TestEchoes(t *testing.T) {
	for _, sample := range recorded(t) {
		file, data := sample.Path, []byte(sample.Data)
		if !strings.HasSuffix(file, "_tool_failure.jsonl") {
			continue
		}
		var typed []string
		read(t, data, func(ev *core.Event) {
			if u, ok := ev.Body.(*core.UserTurn); ok && !ev.Injected {
				typed = append(typed, u.Text.String())
			}
			if !ev.Echo || ev.Source == core.OTel {
				t.Errorf("%s: %s is no echo", file, ev.Name())
			}
		})
		if diff := cmp.Diff([]string{"Bump the pool size to 25 and run the tests."}, typed); diff != "" {
			t.Errorf("%s (-typed +told):\n%s", file, diff)
		}
	}
}
