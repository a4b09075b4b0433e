package testkit_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/shape"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/frame"
	"github.com/memscribe/memscribe/testkit/size"
)

// drift is what of a tool's collected sessions nobody has described.
type drift struct {
	files, records, unknown int64
	kinds                   map[string]int64
	unseen                  map[shape.Unseen]int64
	shown                   shown
}

// maxDrift is the largest share of undescribed records that a tool may have.
const maxDrift = 0.005

// madeUp names collected files whose shapes no tool ever wrote, and what other
// tools write in a form that one of ours has too.
func madeUp(name string) bool {
	for _, part := range []string{
		"syncable-dev__Memscribe", "vshulcz__deja-vu", "jazzyalex__agent-sessions", "sample-session-data", "openclaw/", "schema_drift",
		"antigravity-cli-current", "/trace.", "tests/fixtures/registry",
	} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// TestWildDrift counts the records of every collected session of which nobody
// knows what they mean, by the tool for whose session it is taken.
func TestWildDrift(t *testing.T) {
	if testing.Short() {
		t.Skip("reads everything once more")
	}
	if _, err := os.Stat(wild); err != nil {
		t.Skipf("no sessions at %s", wild)
	}
	all := surveyed(t)
	listed := driftRows(t)
	for _, tool := range slices.Sorted(maps.Keys(all)) {
		d := all[tool]
		share := float64(d.unknown) / float64(d.records)
		t.Logf("%-12s %4d files %7d records %5d undescribed (%.3f %%) %v", tool, d.files, d.records, d.unknown, 100*share, d.kinds)
		if name, row := listed.of(tool); row != d.row() && inFull() {
			t.Errorf("%s lists %q of %s, want %q", evidencePage, row, name, d.row())
		}
		for u, n := range d.unseen {
			t.Errorf("%s: %d times %s: not in the tool's table; write it anew with -update", tool, n, u)
		}
		if share > maxDrift && d.unknown > int64(size.Of(10, 3)) {
			t.Errorf("%s: %d of %d records are not described: %v", tool, d.unknown, d.records, d.kinds)
		}
	}
}

// row is what the page of the tools says of it.
func (d *drift) row() string {
	row := fmt.Sprintf("%d | %s | %d", d.files, thousands(d.records), d.unknown)
	if d.unknown > 0 {
		row += fmt.Sprintf(" (%.2f %%)", 100*float64(d.unknown)/float64(d.records))
	}
	return row
}

// thousands writes a number below a million.
func thousands(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// driftTable is the rows of the table that says how much is not described, by the
// tools' names.
type driftTable map[string]string

// driftRows reads the table.
func driftRows(t *testing.T) driftTable {
	t.Helper()
	text, err := os.ReadFile(evidencePage)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "| tool | files | records |")
	rows := driftTable{}
	for line := range strings.Lines(rest) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) < 4 {
			if len(rows) > 0 {
				break
			}
			continue
		}
		records, _, _ := strings.Cut(strings.TrimSpace(cells[2]), ", ") // and a remark
		rows[strings.TrimSpace(cells[0])] = strings.TrimSpace(cells[1]) + " | " + records + " | " + strings.TrimSpace(cells[3])
	}
	return rows
}

// of is the row of a tool, and what it is called there.
func (d driftTable) of(tool core.Tool) (name, row string) {
	plain := func(s string) string {
		return strings.NewReplacer(" ", "", "_", "", "cli", "").Replace(strings.ToLower(s))
	}
	for name, row := range d { // the only one
		if plain(name) == plain(string(tool)) {
			return name, row
		}
	}
	return string(tool), ""
}

// found holds what was found in the published sessions: they are read once.
var found sync.Map

// surveyed is what is in the published sessions, by tool.
func surveyed(t *testing.T) map[core.Tool]*drift {
	t.Helper()
	if all, ok := found.Load(wild); ok {
		return all.(map[core.Tool]*drift)
	}
	all := map[core.Tool]*drift{}
	published(t, func(in trial.Input) {
		tool := in.Adapter.Tool()
		if all[tool] == nil {
			all[tool] = &drift{kinds: map[string]int64{}, unseen: map[shape.Unseen]int64{}, shown: shown{}}
		}
		all[tool].add(t, in)
	})
	found.Store(wild, all)
	return all
}

// published shows each collected session, but for those that were made up.
func published(t *testing.T, f func(trial.Input)) {
	err := filepath.WalkDir(wild, func(at string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(at, wild+string(filepath.Separator)))
		if err != nil || d.IsDir() || madeUp(name) || isLarge(d) {
			return err
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		head := data[:min(len(data), 64<<10)]
		if a, fit := adapters.Detect(core.Sample{Path: name, Head: head}); fit >= core.ShapeFit {
			f(trial.Input{Adapter: a, Path: name, Name: name, Data: data})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestDriftOfRecorded: every record of the recorded sessions is described.
func TestDriftOfRecorded(t *testing.T) {
	each(t, recorded(), func(t *testing.T, s *session) {
		for _, e := range s.result.Events() {
			if e.Event == "unknown" && !e.Body.Bookkeeping {
				t.Errorf("%s:%d: %s %s", e.Provenance.File, e.Provenance.Line, e.Body.RawType, e.Body.Reason)
			}
		}
		for _, st := range s.result.Streams {
			for u, n := range st.Stats.Unseen {
				t.Errorf("%s: %d times %s: not in the tool's table; write it anew with -update", st.Input.Name, n, u)
			}
			if shape.Table(st.Input.Adapter.Tool()) != nil && st.Variant == "" && st.Stats.Records > 0 {
				t.Errorf("%s: of no variant", st.Input.Name)
			}
		}
	})
}

func (d *drift) add(t *testing.T, in trial.Input) {
	set, err := pipeline.NewSet(pipeline.Options{Shapes: true})
	if err != nil {
		t.Fatal(err)
	}
	st := set.Open(in.Adapter, in.Info(), in.Name)
	st.OnEvent(d.shown.see)
	framer, emit := in.Framer(), func(l frame.Line) { st.Line(l.Bytes, l.Offset, l.Number) }
	framer.Feed(in.Data, emit)
	framer.Flush(emit)
	stats := st.Stats()
	d.files++
	d.records += stats.Records
	for u, n := range stats.Unseen {
		d.unseen[u] += n
	}
	for kind, n := range stats.Unknown {
		d.unknown += n
		d.kinds[kind] += n
	}
}
