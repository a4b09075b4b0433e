package commandcode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/commandcode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// session is what the client (0.52.5) wrote when it played a script.
const session = `{"id":"00000001-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000003-0000-4000-8000-000000000000","role":"user","content":"Set x to 2, we decided.","gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000004-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000001-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"text","text":"I read it first."},{"type":"tool-call","toolCallId":"call_1_1","toolName":"read_file","input":{"absolutePath":"/w/a.js"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000005-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000004-0000-4000-8000-000000000000","role":"tool","content":[{"type":"tool-result","toolCallId":"call_1_1","toolName":"read_file","output":{"type":"text","value":"Read 1/1 file, 2 lines\nconst x = 1\n"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000006-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000005-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_2_0","toolName":"edit_file","input":{"filePath":"/w/a.js","oldValue":"const x = 1","newValue":"const x = 2"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000007-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000006-0000-4000-8000-000000000000","role":"tool","content":[{"type":"tool-result","toolCallId":"call_2_0","toolName":"edit_file","output":{"type":"text","value":"Edited /w/a.js (1 replacement)\n\nconst x = 2\n"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000008-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000007-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_3_0","toolName":"write_file","input":{"filePath":"/w/docs/n.md","content":"# N\n"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000009-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000008-0000-4000-8000-000000000000","role":"tool","content":[{"type":"tool-result","toolCallId":"call_3_0","toolName":"write_file","output":{"type":"text","value":"File written: /w/docs/n.md"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000010-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000009-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_4_0","toolName":"write_file","input":{"filePath":"/w/docs/n.md","content":"# N\nmore\n"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000011-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000010-0000-4000-8000-000000000000","role":"tool","content":[{"type":"tool-result","toolCallId":"call_4_0","toolName":"write_file","output":{"type":"text","value":"File written: /w/docs/n.md"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000012-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000011-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_5_0","toolName":"edit_file","input":{"filePath":"/w/a.js","oldValue":"nope","newValue":"x"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000013-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000012-0000-4000-8000-000000000000","role":"tool","content":[{"type":"tool-result","toolCallId":"call_5_0","toolName":"edit_file","output":{"type":"text","value":"ERROR: No occurrences of the specified text were found in the file"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000014-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000013-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_6_0","toolName":"shell_command","input":{"command":"sed -i s/2/3/ a.js; false"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000015-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000014-0000-4000-8000-000000000000","role":"tool","content":[{"type":"tool-result","toolCallId":"call_6_0","toolName":"shell_command","output":{"type":"text","value":"ERROR: Command failed with exit code 1"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000016-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000015-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_7_0","toolName":"edit_file","input":{"filePath":"/w/a.js","oldValue":"const x = 3","newValue":"const x = 4"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000017-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000016-0000-4000-8000-000000000000","role":"tool","content":[{"type":"tool-result","toolCallId":"call_7_0","toolName":"edit_file","output":{"type":"text","value":"Edited /w/a.js (1 replacement)\n\nconst x = 4\n"}}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000018-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000017-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"text","text":"Done."}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000019-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000018-0000-4000-8000-000000000000","role":"user","content":"And bye.","gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
{"id":"00000020-0000-4000-8000-000000000000","timestamp":"2026-11-24T03:23:10.541Z","sessionId":"00000002-0000-4000-8000-000000000000","parentId":"00000019-0000-4000-8000-000000000000","role":"assistant","content":[{"type":"text","text":"Bye."}],"gitBranch":"master","metadata":{"timestamp":"2026-11-24T03:23:10.541Z","source":"cli","version":2,"entrypoint":"print"}}
`

const place = "/home/dev/.commandcode/projects/w/s1.jsonl"

func samples() []adaptertest.Sample { return []adaptertest.Sample{{Path: place, Data: session}} }

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, commandcode.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, commandcode.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) {
	adaptertest.BenchmarkCorpus(b, commandcode.Adapter{}, samples()...)
}

// TestTold: what a result shows of a file is known even after a shell command; an answer that begins as an error is one.
func TestTold(t *testing.T) {
	var got []string
	adaptertest.Parse(commandcode.Adapter{}, place, []byte(session), func(ev *core.Event) {
		said := strings.Trim(ev.Thread+" "+ev.Name(), " ")
		switch b := ev.Body.(type) {
		case *core.UserTurn:
			said += fmt.Sprint(" ", b.Text.String(), " ", ev.Injected)
		case *core.AssistantTurn:
			said += " " + b.Text.String() + b.Thinking.String()
		case *core.ToolCall:
			said += " " + b.CallID + " " + b.Name
		case *core.ToolResult:
			said += fmt.Sprint(" ", b.CallID, " ", b.OK)
		case *core.FileEdit:
			_, hunks, _ := strings.Cut(b.Diff.Unified, "@@")
			said += fmt.Sprintf(" %s %s %s%s %q", b.CallID, b.Diff.Path, b.Diff.Change, b.Diff.Certainty, hunks)
		case *core.Unknown:
			said += fmt.Sprint(" ", b.RawType, " ", b.Bookkeeping)
		}
		got = append(got, said)
	})
	want := []string{
		"session_start",
		"user_turn Set x to 2, we decided. false",
		"assistant_turn I read it first.",
		"tool_call call_1_1 read_file",
		"tool_result call_1_1 true",
		"tool_call call_2_0 edit_file",
		"tool_result call_2_0 true",
		`file_edit call_2_0 /w/a.js modify " -1 +1 @@\n-const x = 1\n+const x = 2\n"`,
		"tool_call call_3_0 write_file",
		"tool_result call_3_0 true",
		`file_edit call_3_0 /w/docs/n.md write " -0,0 +1 @@\n+# N\n"`,
		"tool_call call_4_0 write_file",
		"tool_result call_4_0 true",
		`file_edit call_4_0 /w/docs/n.md modify " -1 +1,2 @@\n # N\n+more\n"`,
		"tool_call call_5_0 edit_file",
		"tool_result call_5_0 false",
		"tool_call call_6_0 shell_command",
		"tool_result call_6_0 false",
		"tool_call call_7_0 edit_file",
		"tool_result call_7_0 true",
		`file_edit call_7_0 /w/a.js modify " -1 +1 @@\n-const x = 3\n+const x = 4\n"`,
		"assistant_turn Done.",
		"user_turn And bye. false",
		"assistant_turn Bye.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
