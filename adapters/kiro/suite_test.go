package kiro_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/kiro"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// session is one in the form of those that a reader copied pieces of.
const session = `{"version":"v1","kind":"Prompt","data":{"message_id":"m1","content":[{"kind":"text","data":"Let's use world instead of hello."}],"meta":{"timestamp":1780612717}}}
{"version":"v1","kind":"AssistantMessage","data":{"message_id":"m2","content":[{"kind":"text","data":"I do."},{"kind":"toolUse","data":{"toolUseId":"t1","name":"write","input":{"__tool_use_purpose":"p","command":"create","path":"/w/probe.txt","content":"hello\n"}}}]}}
{"version":"v1","kind":"ToolResults","data":{"message_id":"m3","content":[{"kind":"toolResult","data":{"toolUseId":"t1","status":"success","content":[{"kind":"text","data":"ok"}]}}]}}
{"version":"v1","kind":"AssistantMessage","data":{"message_id":"m4","content":[{"kind":"text","data":""},{"kind":"toolUse","data":{"toolUseId":"t2","name":"write","input":{"command":"strReplace","path":"/w/probe.txt","oldStr":"hello","newStr":"world"}}},{"kind":"toolUse","data":{"toolUseId":"t3","name":"write","input":{"command":"insert","path":"/w/probe.txt","content":"line\n"}}},{"kind":"toolUse","data":{"toolUseId":"t4","name":"write","input":{"command":"strReplace","path":"/w/probe.txt","oldStr":"x","newStr":"y"}}},{"kind":"toolUse","data":{"toolUseId":"t5","name":"shell","input":{"command":"ls"}}}]}}
{"version":"v1","kind":"ToolResults","data":{"message_id":"m5","content":[{"kind":"toolResult","data":{"toolUseId":"t2","status":"success","content":[]}},{"kind":"toolResult","data":{"toolUseId":"t3","status":"success","content":[]}},{"kind":"toolResult","data":{"toolUseId":"t4","status":"error","content":[]}},{"kind":"toolResult","data":{"toolUseId":"t5","status":"success","content":[{"kind":"json","data":{"exit_status":"0"}}]}}]}}
{"version":"v1","kind":"Novelty","data":{}}
`

const place = "/home/dev/.kiro/sessions/cli/s1.jsonl"

func samples() []adaptertest.Sample { return []adaptertest.Sample{{Path: place, Data: session}} }

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, kiro.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, kiro.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, kiro.Adapter{}, samples()...) }

// TestTold: a call that succeeded edits, and one that failed does not; where lines were put in is not known.
func TestTold(t *testing.T) {
	var got []string
	adaptertest.Parse(kiro.Adapter{}, place, []byte(session), func(ev *core.Event) {
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
		"user_turn Let's use world instead of hello. false",
		"assistant_turn I do.",
		"tool_call t1 write",
		"tool_result t1 true",
		`file_edit t1 /w/probe.txt write " -0,0 +1 @@\n+hello\n"`,
		"tool_call t2 write",
		"tool_call t3 write",
		"tool_call t4 write",
		"tool_call t5 shell",
		"tool_result t2 true",
		`file_edit t2 /w/probe.txt modify " -1 +1 @@\n-hello\n+world\n"`,
		"tool_result t3 true",
		`file_edit t3 /w/probe.txt modifytold " -0,0 +1 @@\n+line\n"`,
		"tool_result t4 false",
		"tool_result t5 true",
		"unknown Novelty false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
