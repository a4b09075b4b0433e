package journal_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/io/journal"
)

// TestPrune lets old segments go of two journals while they are being written to:
// what is newer stays, and what is appended later never comes under a name that
// was there before.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 6, 30, 0, 0, 0, 0, time.UTC)
	prune := func(days, want int) {
		t.Helper()
		n, err := journal.Prune(t.Context(), dir, now.AddDate(0, 0, -days))
		if err != nil || n != want {
			t.Errorf("removed %d segments, want %d: %v", n, want, err)
		}
	}
	prune(30, 0) // nothing is there
	var old []string
	for _, name := range []string{"hooks/codex", "otlp"} {
		j, err := journal.Open(filepath.Join(dir, name), journal.Limits{Segment: 1, Total: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 4 { // a segment each
			if err := j.Append(t.Context(), []byte(`{"n":`+strings.Repeat("1", i+1)+`}`)); err != nil {
				t.Fatal(err)
			}
		}
		files := segmentsIn(t, filepath.Join(dir, name))
		for i, f := range files {
			at := now.AddDate(0, 0, -40+10*i)
			if err := os.Chtimes(f, at, at); err != nil {
				t.Fatal(err)
			}
		}
		old = append(old, files...)
	}
	prune(25, 4)
	prune(25, 0)
	prune(1, 2) // the newest is only closed
	if left := segmentsIn(t, filepath.Join(dir, "otlp")); len(left) != 2 || !slices.Contains(old, left[0]) || slices.Contains(old, left[1]) {
		t.Errorf("left are %v", left)
	}
	prune(1, 2)
	for _, name := range []string{"hooks/codex", "otlp"} {
		j, err := journal.Open(filepath.Join(dir, name), journal.Standard())
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Append(t.Context(), []byte("{}")); err != nil {
			t.Fatal(err)
		}
		left := segmentsIn(t, filepath.Join(dir, name))
		if len(left) != 1 || slices.Contains(old, left[0]) {
			t.Errorf("left are %v", left)
		}
		if data, err := os.ReadFile(left[0]); err != nil || string(data) != "{}\n" {
			t.Errorf("it holds %q, %v", data, err)
		}
	}
}

func segmentsIn(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
