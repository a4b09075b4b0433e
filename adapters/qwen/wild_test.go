package qwen_test

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/qwen"
	"github.com/memscribe/memscribe/core"
)

func isWild(path string) bool { return strings.HasSuffix(path, ".jsonl") }

// TestWild reads every collected transcript: it is known for what it is, no
// record is lost, and the result is the same each time.
func TestWild(t *testing.T) {
	root := sharedDir(t, "wild/qwen")
	unknown := map[string]int64{}
	for _, file := range sessions(t, root, isWild) {
		data := readFile(t, file)
		name, _ := filepath.Rel(root, file)
		stats := events(t, file, data, func(*core.Event) {})
		if stats.Records == 0 || stats.Malformed > 0 {
			t.Errorf("%s: %d records, %d not JSON", name, stats.Records, stats.Malformed)
		}
		if !bytes.Equal(encoded(t, file, data), encoded(t, file, data)) {
			t.Errorf("%s: two readings differ", name)
		}
		for k, n := range stats.Unknown {
			unknown[k] += n
		}
		if fit := (qwen.Adapter{}).Detect(core.Sample{Path: "x/y.txt", Head: data}); fit == core.NoFit {
			t.Errorf("%s: not known by its content", name)
		}
		recs, evs := parse(filepath.ToSlash(file), data, func(*core.Event) {})
		if recs == 0 || evs < recs {
			t.Errorf("%s: %d records gave %d events", file, recs, evs)
		}
	}
	if len(unknown) > 0 {
		t.Errorf("unknown: %v", slices.Sorted(maps.Keys(unknown)))
	}
}

// TestQwenPaw holds that the sessions of another tool of that maker are left
// alone.
func TestQwenPaw(t *testing.T) {
	root := sharedDir(t, "wild/qwen")
	for _, file := range sessions(t, root, func(path string) bool { return strings.Contains(path, "/qwenpaw/") }) {
		s := core.Sample{Path: filepath.ToSlash(file), Head: readFile(t, file)}
		if fit := (qwen.Adapter{}).Detect(s); fit != core.NoFit {
			t.Errorf("%s: fit %d", file, fit)
		}
	}
}
