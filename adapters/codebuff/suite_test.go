package codebuff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/codebuff"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// session is one as the client types its messages.
const session = `[{"id":"user-1","variant":"user","content":"Rename it to b, we decided.","blocks":[],"timestamp":"11:58 PM"},
{"id":"ai-1","variant":"ai","content":"","timestamp":"11:58 PM","isComplete":true,"blocks":[
{"type":"text","textType":"reasoning","content":"Hm."},{"type":"text","textType":"text","content":"I do."},
{"type":"tool","toolCallId":"c1","toolName":"write_file","input":{"path":"n.md","instructions":"i","content":"n\n"},"output":"file: n.md"},
{"type":"tool","toolCallId":"c2","toolName":"str_replace","input":{"path":"n.md","replacements":[{"old":"n","new":"m","allowMultiple":false}]},"output":"file: n.md"},
{"type":"tool","toolCallId":"c3","toolName":"str_replace","input":{"path":"k.md","replacements":[{"old":"a","new":"b"}]},"output":"errorMessage: not there"},
{"type":"agent","agentId":"a1","agentName":"Editor","agentType":"editor","content":"","status":"complete","initialPrompt":"edit k","blocks":[{"type":"tool","toolCallId":"c4","toolName":"str_replace","input":{"path":"k.md","replacements":[{"old":"a","new":"b"}]},"output":"ok"}]},
{"type":"tool","toolCallId":"c5","toolName":"run_terminal_command","input":{"command":"ls"}},
{"type":"mode-divider","mode":"MAX"}]},
{"id":"e1","variant":"error","content":"no","timestamp":"2026-07-17T07:00:00.000Z"},
{"id":"x1","variant":"novelty","content":"?","timestamp":"12:01 AM"}]`

const place = "/home/dev/.config/manicode/projects/w/chats/2026-07-17T06-58-00.000Z/chat-messages.json"

func samples() []adaptertest.Sample { return []adaptertest.Sample{{Path: place, Data: session}} }

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, codebuff.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, codebuff.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, codebuff.Adapter{}, samples()...) }

// TestTold: a call with an answer edits, one that failed and one without an answer do not; an agent is a thread.
func TestTold(t *testing.T) {
	var got []string
	adaptertest.Parse(codebuff.Adapter{}, place, []byte(session), func(ev *core.Event) {
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
		"user_turn Rename it to b, we decided. false",
		"assistant_turn Hm.",
		"assistant_turn I do.",
		"tool_call c1 write_file",
		"tool_result c1 true",
		`file_edit c1 n.md write " -0,0 +1 @@\n+n\n"`,
		"tool_call c2 str_replace",
		"tool_result c2 true",
		`file_edit c2 n.md modify " -1 +1 @@\n-n\n+m\n"`,
		"tool_call c3 str_replace",
		"tool_result c3 false",
		"a1 user_turn edit k true",
		"a1 tool_call c4 str_replace",
		"a1 tool_result c4 true",
		`a1 file_edit c4 k.md modifytold " -1 +1 @@\n-a\n+b\n"`,
		"tool_call c5 run_terminal_command",
		"assistant_turn ",
		"unknown message/error true",
		"unknown message/novelty false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
