package gemini_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// madeUp names the collections of which the shapes were never written by the
// client.
func madeUp(name string) bool {
	return strings.HasPrefix(name, "syncable-dev__Memscribe") || strings.HasPrefix(name, "vshulcz__deja-vu")
}

// TestWild reads every collected transcript: it is known for what it is, no
// record is lost, the result is the same each time, and the counts are sane.
func TestWild(t *testing.T) {
	root := sharedDir(t, "wild/gemini")
	unknown := map[string]int64{}
	var w watch
	for _, file := range sessions(t, root, isJSON) {
		data := readFile(t, file)
		name, _ := filepath.Rel(root, file)
		name = filepath.ToSlash(name)
		w.t, w.name = t, name
		stats := events(t, file, data, w.see)
		if stats.Records == 0 || stats.Malformed > 0 {
			t.Errorf("%s: %d records, %d not JSON", name, stats.Records, stats.Malformed)
		}
		if !bytes.Equal(encoded(t, file, data), encoded(t, file, data)) {
			t.Errorf("%s: two readings differ", name)
		}
		if madeUp(name) {
			continue
		}
		for k, n := range stats.Unknown {
			unknown[k] += n
		}
		sample := core.Sample{Path: "x/y.txt", Head: data[:min(len(data), 64<<10)]}
		if fit := (gemini.Adapter{}).Detect(sample); fit != core.NativeFit {
			t.Errorf("%s: fit %d by content alone", name, fit)
		}
	}
	t.Logf("%d human turns, %d calls, %d results, %d edits, %d compactions", w.human, w.calls, w.results, w.edits, w.compactions)
	if len(unknown) > 0 {
		t.Errorf("unknown: %v", slices.Sorted(maps.Keys(unknown)))
	}
	if w.human < 120 || w.edits < 7 || w.calls < 540 || w.rewinds > 2 {
		t.Errorf("counts are out of bounds: %+v", w)
	}
}

// TestWildEveryRecordCounts holds that each record gives an event.
func TestWildEveryRecordCounts(t *testing.T) {
	root := sharedDir(t, "wild/gemini")
	for _, file := range sessions(t, root, isJSON) {
		recs, evs := parse(filepath.ToSlash(file), readFile(t, file), func(*core.Event) {})
		if recs == 0 || evs < recs {
			t.Errorf("%s: %d records gave %d events", file, recs, evs)
		}
	}
}

// watch checks the events of one transcript.
type watch struct {
	t                                                  *testing.T
	name                                               string
	human, calls, results, edits, rewinds, compactions int
}

func (w *watch) see(ev *core.Event) {
	switch b := ev.Body.(type) {
	case *core.UserTurn:
		if ev.Injected {
			return
		}
		w.human++
		if os.Getenv("MEMSCRIBE_TURNS") != "" {
			fmt.Printf("TURN %s:%d %.150q\n", w.name, ev.At.Line, b.Text.String())
		}
	case *core.ToolCall:
		w.calls++
		if b.CallID == "" || b.Name == "" {
			w.t.Errorf("%s: call %q of %q", w.name, b.CallID, b.Name)
		}
	case *core.ToolResult:
		w.results++
	case *core.Compaction:
		w.compactions++
	case *core.Rewind:
		w.rewinds++
	case *core.FileEdit:
		w.edits++
		w.edit(&b.Diff)
	}
}

// edit checks that a diff between whole texts leads from one to the other.
func (w *watch) edit(d *core.Diff) {
	// A file of which nothing is known can be overwritten with nothing.
	emptied := d.Old == nil && d.New != nil && *d.New == ""
	if d.Unified == "" || d.Path == "" || d.Added+d.Removed == 0 && !emptied {
		w.t.Errorf("%s: an edit of %q without a diff", w.name, d.Path)
	}
	if os.Getenv("MEMSCRIBE_TURNS") != "" {
		fmt.Printf("EDIT %s %s %s old=%v\n%.400s\n", w.name, d.Path, d.Change, d.Old != nil, d.Unified)
	}
	if d.Old == nil || d.New == nil {
		return
	}
	if got, err := edit.Apply(*d.Old, d.Unified); err == nil && got != *d.New {
		w.t.Errorf("%s: the diff of %s leads elsewhere", w.name, d.Path)
	}
}
