package claudecode_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters/claudecode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// samples are recorded transcripts, shortened, with the vendor's texts taken
// out.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	all := map[string][]byte{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(f)] = data
	}
	return all
}

// TestSamples counts what stands in the samples.
func TestSamples(t *testing.T) {
	type counts struct{ Turns, Edits, Rewinds, Compactions, Rejected, Spawned, Unknown int }
	want := map[string]counts{
		"1.0.128-multiedit.jsonl":        {Turns: 1, Edits: 1},
		"1.0.128-sidechain.jsonl":        {Turns: 1, Edits: 1, Spawned: 1},
		"2.0.77-rewind-compaction.jsonl": {Turns: 4, Edits: 3, Rewinds: 1, Compactions: 1},
		"2.1.329-notebook.jsonl":         {Turns: 1, Edits: 1},
		"2.1.329-queue.jsonl":            {},
		"2.1.329-rejects.jsonl":          {Turns: 2, Edits: 1, Rejected: 1},
		"agent-2.1.329.jsonl":            {Edits: 1},
	}
	for name, data := range samples(t) {
		var got counts
		stats := events(t, "p/"+name, data, func(ev *core.Event) {
			switch b := ev.Body.(type) {
			case *core.UserTurn:
				if !ev.Injected {
					got.Turns++
				}
			case *core.FileEdit:
				got.Edits++
			case *core.Rewind:
				got.Rewinds++
			case *core.Compaction:
				got.Compactions++
			case *core.ToolResult:
				if b.Verdict == core.Rejected {
					got.Rejected++
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

// FuzzParse has no bytes lose a record, break an event, or give two readings.
func FuzzParse(f *testing.F) {
	for name, data := range samples(f) {
		f.Add("p/"+name, data)
		for line := range bytes.Lines(data) {
			f.Add("p/"+name, line)
		}
	}
	if _, err := os.Stat(shared); err == nil {
		for _, file := range jsonlFiles(f, shared+"/transcripts/claude_code/1.0.128") {
			if data, err := os.ReadFile(file); err == nil && len(data) < 16<<10 {
				f.Add(filepath.Base(file), data)
			}
		}
	}
	adaptertest.Fuzz(f, claudecode.Adapter{})
}
