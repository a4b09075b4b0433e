package brief_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/brief"
)

func event(t *testing.T, text string) *trial.Event {
	t.Helper()
	e := &trial.Event{JSON: []byte(text)}
	if err := json.Unmarshal(e.JSON, e); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEvent(t *testing.T) {
	const call = `{"event":"tool_call","id":"a-1f9d03b6","thread_id":"agent-1","body":{"name":"Bash","call_id":"toolu_01","args":{"command":"go test"}},"provenance":{"file":"f","line_no":17}}`
	const want = `17 tool_call 1f9d03b6 Bash toolu_01 {"command":"go test"} in agent-1 #85f8e394f9a3bcd7`
	if got := brief.Event(event(t, call)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestEveryByte: no byte of an event changes without its line.
func TestEveryByte(t *testing.T) {
	const turn = `{"event":"user_turn","id":"u","project":{"git":{"branch":"main"}},"body":{"text":"Use tabs."},"provenance":{"file":"f","byte_offset":12,"line_no":1}}`
	one := event(t, turn)
	was := brief.Event(one)
	for i := range one.JSON {
		other := *one
		other.JSON = bytes.Clone(one.JSON)
		other.JSON[i] ^= 1
		if brief.Event(&other) == was {
			t.Errorf("byte %d may change unseen", i)
		}
	}
}

func TestKept(t *testing.T) {
	all := []*corpus.Case{
		{Tool: "codex", Version: "0.9.0", Scenario: "happy_path"},
		{Tool: "codex", Version: "0.10.0", Scenario: "happy_path"},
		{Tool: "codex", Version: "0.10.0", Scenario: "fork"},
		{Tool: "claude_code", Version: "2.1.0", Scenario: "rewind"},
	}
	for i, want := range []bool{false, true, false, true} {
		if got := brief.Kept(all, all[i]); got != want {
			t.Errorf("%s: %t", all[i].Name(), got)
		}
	}
}
