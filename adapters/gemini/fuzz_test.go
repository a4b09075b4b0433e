package gemini_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are recorded transcripts with the vendor's texts taken out.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	all := map[string][]byte{}
	for _, f := range files {
		all[filepath.Base(f)] = adaptertest.Read(t, f)
	}
	all["0.61.0-thread.jsonl"] = adaptertest.ReadOne(t, "../../fixtures/gemini/0.61.0/subagent_thread/home/.gemini/tmp/*/chats/*/*.jsonl")
	return all
}

// TestSamples counts what stands in the samples.
func TestSamples(t *testing.T) {
	type counts struct{ Turns, Calls, Failed, Edits, Compactions, Spawned, Unknown int }
	want := map[string]counts{
		"0.11.3-failure.json":     {Turns: 1, Calls: 5, Failed: 2, Edits: 1},
		"0.61.0-checkpoint.json":  {Turns: 2, Calls: 3, Edits: 1},
		"0.61.0-saved.json":       {Turns: 1, Calls: 2, Edits: 1},
		"0.61.0-compaction.jsonl": {Turns: 5, Calls: 8, Failed: 1, Edits: 3, Compactions: 1},
		"0.61.0-subagent.jsonl":   {Turns: 1, Calls: 5, Edits: 1, Spawned: 1},
		"0.61.0-thread.jsonl":     {Calls: 3, Edits: 1},
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
	adaptertest.Fuzz(f, gemini.Adapter{})
}
