package claudecode_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
	"github.com/memscribe/memscribe/testkit/size"
)

// TestWild reads every collected transcript: no record is lost, the result is
// the same each time, and the counts are sane.
func TestWild(t *testing.T) {
	root := sharedDir(t, "wild/claude-code")
	unknown := map[string]int64{}
	var human, rewinds, edits, records int
	for _, file := range adaptertest.Spare(t, jsonlFiles(t, root)) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(root, file)
		w := watch{t: t, name: name}
		stats := events(t, file, data, w.see)
		for k, n := range stats.Unknown {
			unknown[k] += n
		}
		if w.rewinds > w.human {
			t.Errorf("%s: %d rewinds of %d human turns", name, w.rewinds, w.human)
		}
		human, rewinds, edits, records = human+w.human, rewinds+w.rewinds, edits+w.edits, records+int(stats.Records)
		if !bytes.Equal(encoded(t, file, data), encoded(t, file, data)) {
			t.Errorf("%s: two readings differ", name)
		}
	}
	t.Logf("%d records: %d human turns, %d rewinds, %d edits", records, human, rewinds, edits)
	for _, k := range slices.Sorted(maps.Keys(unknown)) {
		t.Logf("unknown %q: %d", k, unknown[k])
	}
	if size.IsFull() && (human < 400 || edits < 550) || rewinds > 10 {
		t.Errorf("counts are out of bounds: %d human turns, %d edits, %d rewinds", human, edits, rewinds)
	}
}

// watch checks the events of one transcript.
type watch struct {
	t                     *testing.T
	name                  string
	human, rewinds, edits int
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
	case *core.Rewind:
		w.rewinds++
		if os.Getenv("MEMSCRIBE_TURNS") != "" {
			fmt.Printf("REWIND %s:%d to %d of %d\n", w.name, ev.At.Line, b.ToSeq, ev.Seq)
		}
		if b.ToSeq >= ev.Seq {
			w.t.Errorf("%s:%d: a rewind to what comes later", w.name, ev.At.Line)
		}
	case *core.FileEdit:
		w.edits++
		w.edit(ev, &b.Diff)
	}
}

// edit checks that a diff between whole texts leads from one to the other.
func (w *watch) edit(ev *core.Event, d *core.Diff) {
	if d.Unified == "" || d.Path == "" {
		w.t.Errorf("%s:%d: an edit without a diff or a path", w.name, ev.At.Line)
	}
	checkLines(w.t, fmt.Sprintf("%s:%d", w.name, ev.At.Line), d)
	if os.Getenv("MEMSCRIBE_TURNS") != "" {
		whole := d.Change == core.Create
		if d.Old != nil {
			_, err := edit.Apply(*d.Old, d.Unified)
			whole = err == nil && len(*d.Old) > 0 && strings.Contains(*d.Old, "\n")
		}
		if !whole {
			fmt.Printf("PART %s:%d %v %s\n%s\n", w.name, ev.At.Line, d.Old != nil, d.Path, d.Unified)
		}
	}
	if d.Old == nil || d.New == nil || d.Change != core.Modify {
		return
	}
	if got, err := edit.Apply(*d.Old, d.Unified); err == nil && got != *d.New {
		w.t.Errorf("%s:%d: the diff leads elsewhere", w.name, ev.At.Line)
	}
}
