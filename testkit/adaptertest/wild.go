package adaptertest

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/patch"
	"github.com/memscribe/memscribe/internal/verify/trial"
)

// Wild is a collection of sessions that people published: it is not known what is
// true of them, but the contract holds for them too.
type Wild struct {
	Dir   string                            // below the shared folder
	Match func(path string) bool            // which files are transcripts
	Alien func(name string) bool            // made up by hand, or another project's form: nothing is asked of what they mean
	See   func(name string, ev *core.Event) // looks at each event; may be nil
}

// Counts is what came out of a collection.
type Counts struct {
	Files, Records, Malformed, Undescribed                             int
	Human, Injected, Said, Calls, Results, Edits, Rewinds, Compactions int
}

// Read reads every file of the collection, but for large ones at the ordinary size: it is known for what it is, no record
// is lost, two readings are the same, diffs are sound, and all kinds of record
// are described.
func (w Wild) Read(t *testing.T, a core.Adapter) Counts {
	t.Helper()
	root := Shared(t, w.Dir)
	var c Counts
	unknown := map[string]int64{}
	for _, file := range Spare(t, Files(t, root, w.Match)) {
		rel, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		name, data := filepath.ToSlash(rel), Read(t, file)
		first, stats := Encoded(t, a, file, data, func(ev *core.Event) {
			c.add(ev)
			if e, ok := ev.Body.(*core.FileEdit); ok {
				Sound(t, name, &e.Diff)
			}
			if w.See != nil {
				w.See(name, ev)
			}
		})
		if again, _ := Encoded(t, a, file, data, nil); !bytes.Equal(first, again) {
			t.Errorf("%s: two readings differ", name)
		}
		t.Run(name, func(t *testing.T) {
			through(t, []trial.Input{{Adapter: a, Path: file, Name: name, Data: data}})
		})
		if stats.Events < stats.Records || stats.Records == 0 {
			t.Errorf("%s: %d records gave %d events", name, stats.Records, stats.Events)
		}
		if w.Alien != nil && w.Alien(name) {
			continue
		}
		if fit := Fit(a, file, data); fit < core.ShapeFit {
			t.Errorf("%s: fit %d", name, fit)
		}
		c.Files++
		c.Records += int(stats.Records)
		c.Malformed += int(stats.Malformed)
		for k, n := range stats.Unknown {
			unknown[k] += n
			c.Undescribed += int(n)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(unknown)) {
		t.Logf("undescribed: %d %s", unknown[k], k)
	}
	t.Logf("%+v", c)
	return c
}

func (c *Counts) add(ev *core.Event) {
	switch ev.Body.(type) {
	case *core.UserTurn:
		if ev.Injected {
			c.Injected++
		} else {
			c.Human++
		}
	case *core.AssistantTurn:
		c.Said++
	case *core.ToolCall:
		c.Calls++
	case *core.ToolResult:
		c.Results++
	case *core.FileEdit:
		c.Edits++
	case *core.Rewind:
		c.Rewinds++
	case *core.Compaction:
		c.Compactions++
	}
}

// Sound checks what holds of the diff of any edit: it has a path and a change,
// its counts are those of its lines, and it leads from the old text to the new
// one where both are whole.
func Sound(t testing.TB, name string, d *core.Diff) {
	t.Helper()
	emptied := d.Old == nil && d.New != nil && *d.New == "" || d.Change == core.Rename || d.Change == core.Create && d.New != nil && *d.New == ""
	if d.Path == "" || d.Change == "" || d.Added+d.Removed == 0 && !emptied {
		t.Errorf("%s: diff without path, change or lines: %+v", name, *d)
		return
	}
	if strings.ContainsAny(d.Path+d.OldPath, "\r\n") || d.Unified == "" {
		return
	}
	files, err := patch.Parse(d.Unified)
	if err != nil || len(files) != 1 {
		t.Errorf("%s: %d files, %v in\n%s", name, len(files), err, d.Unified)
		return
	}
	if added, removed := files[0].Counts(); added != d.Added || removed != d.Removed {
		t.Errorf("%s: counts +%d -%d, the diff of %s has +%d -%d", name, d.Added, d.Removed, d.Path, added, removed)
	}
	before := ""
	if d.Change != core.Create {
		if d.Old == nil {
			return
		}
		before = *d.Old
	}
	if got, err := files[0].Apply(before); err == nil && d.New != nil && got != *d.New && strings.Contains(before, "\n") {
		t.Errorf("%s: the diff of %s leads elsewhere", name, d.Path)
	}
}
