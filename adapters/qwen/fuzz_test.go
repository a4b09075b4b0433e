package qwen_test

import (
	"bytes"
	"testing"

	"github.com/memscribe/memscribe/adapters/qwen"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are recorded transcripts with the vendor's texts taken out.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for name, file := range map[string]string{
		"0.5.2-failure.jsonl":     "../../fixtures/qwen/0.5.2/tool_failure/home/.qwen/projects/*/chats/*.jsonl",
		"0.24.4-checkpoint.json":  "testdata/0.24.4-checkpoint.json",
		"0.24.4-compaction.jsonl": "../../fixtures/qwen/0.24.4/compaction/home/.qwen/projects/*/chats/*.jsonl",
		"0.24.4-subagent.jsonl":   "../../fixtures/qwen/0.24.4/subagent_thread/home/.qwen/projects/*/chats/*.jsonl",
		"agent-0.24.4.jsonl":      "../../fixtures/qwen/0.24.4/subagent_thread/home/.qwen/projects/*/subagents/*/*.jsonl",
	} {
		all[name] = adaptertest.ReadOne(t, file)
	}
	return all
}

// TestSamples counts what stands in the samples.
func TestSamples(t *testing.T) {
	type counts struct{ Turns, Calls, Failed, Edits, Compactions, Spawned, Unknown int }
	want := map[string]counts{
		"0.5.2-failure.jsonl":     {Turns: 1, Calls: 5, Failed: 2, Edits: 1},
		"0.24.4-checkpoint.json":  {Turns: 2, Calls: 3, Edits: 1},
		"0.24.4-compaction.jsonl": {Turns: 2, Calls: 4, Edits: 3, Compactions: 1},
		"0.24.4-subagent.jsonl":   {Turns: 1, Calls: 3, Edits: 1, Spawned: 1},
		"agent-0.24.4.jsonl":      {Calls: 3, Edits: 1},
	}
	for name, data := range samples(t) {
		var got counts
		stats := events(t, "p/"+name, data, func(ev *core.Event) {
			switch b := ev.Body.(type) {
			case *core.UserTurn:
				if !ev.Injected {
					got.Turns++
				}
			case *core.ToolCall:
				got.Calls++
			case *core.FileEdit:
				got.Edits++
			case *core.Compaction:
				got.Compactions++
			case *core.ToolResult:
				if !b.OK {
					got.Failed++
				}
				if b.Spawned != "" {
					got.Spawned++
				}
			}
		})
		got.Unknown = len(stats.Unknown)
		if got != want[name] {
			t.Errorf("%s: got %+v, want %+v", name, got, want[name])
		}
	}
}

// FuzzParse has no bytes lose a record, break an event, or give two readings,
// whatever file they stand in.
func FuzzParse(f *testing.F) {
	for name, data := range samples(f) {
		f.Add("chats/"+name, data)
		for line := range bytes.Lines(data) {
			f.Add("p/"+name, line)
		}
	}
	adaptertest.Fuzz(f, qwen.Adapter{})
}
