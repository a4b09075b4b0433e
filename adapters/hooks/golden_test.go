package hooks_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/nodeprep"
	"github.com/memscribe/memscribe/testkit/golden"
)

// TestGolden compares what comes of recorded payloads, as they stand in a journal,
// with what was read and accepted.
func TestGolden(t *testing.T) {
	dir := golden.Open(t, "testdata/expected")
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var enc encode.Encoder
		var events, nodes []byte
		held := read(t, data, func(ev *core.Event) {
			if events, err = enc.Event(events, ev); err != nil {
				t.Fatal(err)
			}
			events = append(events, '\n')
		})
		for _, n := range slices.SortedFunc(maps.Values(held), nodeprep.Compare) {
			if nodes, err = enc.Node(nodes, n); err != nil {
				t.Fatal(err)
			}
			nodes = append(nodes, '\n')
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		dir.Check(t, name+".events.ndjson", bytes.TrimSpace(events))
		dir.Check(t, name+".nodes.ndjson", bytes.TrimSpace(nodes))
	}
}
