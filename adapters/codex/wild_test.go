package codex_test

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// wildFiles lists every file of the collection that is a rollout by its content.
func wildFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(sharedDir(t, "wild/codex"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data := readFile(t, path)
		fit := codex.Adapter{}.Detect(core.Sample{Path: filepath.ToSlash(path), Head: data[:min(len(data), 64<<10)]})
		if fit >= core.ShapeFit {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return adaptertest.Spare(t, files)
}

// TestWild reads what people published: nothing is lost, reading twice gives the
// same bytes, and what comes out is sane.
func TestWild(t *testing.T) {
	unknown := map[string]int64{}
	kinds := map[string]int{}
	var records, edits, errors int
	files := wildFiles(t)
	for _, path := range files {
		data := readFile(t, path)
		text, stats := encoded(t, path, data, func(ev *core.Event) {
			kinds[ev.Name()]++
			if ev.Injected {
				kinds[ev.Name()+" injected"]++
			}
			if e, ok := ev.Body.(*core.FileEdit); ok {
				edits++
				checkDiff(t, path, e.Diff)
			}
			if ev.At.Line == 0 {
				t.Errorf("%s: event without a place", path)
			}
		})
		if again, _ := encoded(t, path, data, nil); again != text {
			t.Errorf("%s: read twice, it differs", path)
		}
		if stats.Events < stats.Records {
			t.Errorf("%s: %d events of %d records", path, stats.Events, stats.Records)
		}
		records += int(stats.Records)
		errors += int(stats.Malformed)
		for k, n := range stats.Unknown {
			unknown[k] += n
		}
	}
	t.Logf("%d files, %d records, %d not JSON, %d edits", len(files), records, errors, edits)
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%7d %s", kinds[k], k)
	}
	delete(unknown, "response_item/") // items without a type, in a fixture made by hand
	if len(unknown) > 0 {
		t.Errorf("kinds that nobody has described: %v", unknown)
	}
	if edits == 0 || kinds["user_turn"] == kinds["user_turn injected"] {
		t.Error("no edits, or no person's turns")
	}
}

func encoded(t testing.TB, path string, data []byte, each func(*core.Event)) (string, pipeline.Stats) {
	t.Helper()
	var enc encode.Encoder
	var out []byte
	_, stats := capture(t, map[string][]byte{path: data}, []string{path}, func(_ string, ev *core.Event) {
		if each != nil {
			each(ev)
		}
		b, err := enc.Event(out, ev)
		if err != nil {
			t.Fatal(err)
		}
		out = append(b, '\n')
	})
	return string(out), stats
}

// checkDiff checks what holds for the diff of any edit.
func checkDiff(t testing.TB, path string, d core.Diff) {
	t.Helper()
	if d.Path == "" || d.Change == "" || d.Unified == "" {
		t.Errorf("%s: diff without path, change or text: %+v", path, d)
	}
	if d.Change == core.Create {
		if after, err := edit.Apply("", d.Unified); err != nil || d.New == nil || after != *d.New {
			t.Errorf("%s: diff that creates %s does not: %v", path, d.Path, err)
		}
	}
	checkCounts(t, d)
}

func checkCounts(t testing.TB, d core.Diff) {
	t.Helper()
	added, removed := 0, 0
	for i, l := range strings.Split(d.Unified, "\n") {
		switch {
		case i < 2 || l == "":
		case l[0] == '+':
			added++
		case l[0] == '-':
			removed++
		}
	}
	if added != d.Added || removed != d.Removed {
		t.Errorf("diff of %s counts +%d -%d and has +%d -%d", d.Path, d.Added, d.Removed, added, removed)
	}
}
