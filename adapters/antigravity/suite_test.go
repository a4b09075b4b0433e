package antigravity_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/adapters/antigravity"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// log is one as readers of the format show it.
const log = `{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE","created_at":"2026-06-26T21:16:16Z","content":"<USER_REQUEST>\nLet's list it.\n</USER_REQUEST>\n<USER_SETTINGS_CHANGE>\nx\n</USER_SETTINGS_CHANGE>"}
{"step_index":1,"source":"SYSTEM","type":"CONVERSATION_HISTORY","status":"DONE","created_at":"2026-06-26T21:16:16Z"}
{"step_index":2,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-06-26T21:16:17Z","thinking":"Hm.","tool_calls":[{"name":"list_dir","args":{"DirectoryPath":"\"/w\""}}]}
{"step_index":3,"source":"MODEL","type":"LIST_DIRECTORY","status":"DONE","created_at":"2026-06-26T21:16:18Z","content":"a.txt"}
{"step_index":4,"source":"MODEL","type":"RUN_COMMAND","status":"ERROR","created_at":"2026-06-26T21:16:20Z","content":"no"}
{"step_index":5,"source":"SYSTEM_SDK","type":"USER_INPUT","status":"DONE","created_at":"2026-06-26T21:16:21Z","content":"go on"}
{"step_index":6,"source":"MODEL","type":"PLANNER_RESPONSE","status":"DONE","created_at":"2026-06-26T21:16:22Z","content":"Done."}
{"step_index":7,"source":"OTHER","type":"NOVELTY"}
`

const place = "/home/dev/.gemini/antigravity-cli/brain/c1/.system_generated/logs/transcript_full.jsonl"

func samples() []adaptertest.Sample { return []adaptertest.Sample{{Path: place, Data: log}} }

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, antigravity.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, antigravity.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) {
	adaptertest.BenchmarkCorpus(b, antigravity.Adapter{}, samples()...)
}

// TestSteps: a person's words are those between the marks, and a step is the result
// of the call that waits, or of one that the log does not have.
func TestSteps(t *testing.T) {
	var got []string
	adaptertest.Parse(antigravity.Adapter{}, place, []byte(log), func(ev *core.Event) {
		said := ev.Session + " " + ev.Name()
		switch b := ev.Body.(type) {
		case *core.UserTurn:
			said += fmt.Sprint(" ", b.Text.String(), " ", ev.Injected)
		case *core.AssistantTurn:
			said += " " + b.Text.String() + b.Thinking.String()
		case *core.ToolCall:
			said += " " + b.Name + " " + b.CallID
		case *core.ToolResult:
			said += fmt.Sprint(" ", b.CallID, " ", b.OK)
		}
		got = append(got, said)
	})
	want := []string{
		"c1 session_start", "c1 user_turn Let's list it. false", "c1 unknown", "c1 assistant_turn Hm.", "c1 tool_call list_dir c1/2/0", "c1 tool_result c1/2/0 true",
		"c1 tool_call run_command c1/4", "c1 tool_result c1/4 false", "c1 user_turn go on true", "c1 assistant_turn Done.", "c1 unknown",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestShort: beside the full log the short one tells nothing of its own.
func TestShort(t *testing.T) {
	const short = "/home/dev/.gemini/antigravity-cli/brain/c1/.system_generated/logs/transcript.jsonl"
	for _, beside := range []map[string][]byte{nil, {"transcript_full.jsonl": nil}} {
		a := antigravity.Adapter{}
		p := a.NewParser(core.StreamInfo{Path: short, Sidecars: beside})
		echo := false
		p.Parse(core.Record{Bytes: []byte("x")}, func(ev *core.Event) { echo = ev.Echo })
		if want := beside != nil; echo != want {
			t.Errorf("with %v beside it: echo %t, want %t", beside, echo, want)
		}
	}
}
