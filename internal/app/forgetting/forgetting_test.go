package forgetting_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/app/forgetting"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/lock"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// stored is a home in which a database and an NDJSON file hold the same nodes of several
// projects.
type stored struct {
	setup           *setup.Setup
	database, lines string
}

func newStored(t *testing.T) *stored {
	t.Helper()
	home := t.TempDir()
	w := &stored{setup: &setup.Setup{Machine: host.Machine{
		OS:     "linux",
		Getenv: func(string) string { return "" },
		Home:   func() (string, error) { return home, nil },
		Now:    func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) },
	}, Logger: func() *slog.Logger { return slog.New(slog.DiscardHandler) }}}
	data, err := w.setup.DataDir()
	if err != nil {
		t.Fatal(err)
	}
	if err = os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	w.database, w.lines = filepath.Join(data, "nodes.db"), filepath.Join(data, "nodes.ndjson")
	nodes := sinktest.NewMaker(1).Take(700)
	s, err := sqlite.Open(t.Context(), w.database, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(s.Apply(t.Context(), nodes), s.Close()); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for i := range nodes {
		text.Write(nodes[i].JSON)
		text.WriteByte('\n')
	}
	if err = os.WriteFile(w.lines, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

// prepare works out what the options mean for the stores of w.
func (w *stored) prepare(t *testing.T, o forgetting.Options) *forgetting.Work {
	t.Helper()
	o.Database = w.database
	work, err := forgetting.Prepare(t.Context(), w.setup, o)
	if err != nil {
		t.Fatal(err)
	}
	return work
}

// do forgets, and returns the report.
func do(t *testing.T, work *forgetting.Work) *forgetting.Report {
	t.Helper()
	r, err := work.Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// held counts the nodes of a project in the database and in the file.
func (w *stored) held(t *testing.T, project string) (inDatabase, inLines int) {
	t.Helper()
	text, err := os.ReadFile(w.lines)
	if err != nil {
		t.Fatal(err)
	}
	r, err := nodedb.Open(t.Context(), w.database)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for next := ""; ; {
		a, err := r.Episodes(t.Context(), nodedb.Filter{Project: project}, nodedb.Page{Limit: nodedb.MaxPage, After: next})
		if err != nil && !errors.Is(err, nodedb.ErrProject) {
			t.Fatal(err)
		}
		inDatabase += len(a.Nodes)
		if next = a.Next; next == "" {
			return inDatabase, strings.Count(string(text), `"repo_root":"`+project+`"`)
		}
	}
}

const (
	one   = "/home/dev/work/billing"
	other = "/home/dev/work/site"
)

// TestDo deletes one project from every store, as many things as the preview said, and
// leaves the others.
func TestDo(t *testing.T) {
	w := newStored(t)
	before, _ := w.held(t, other)
	work := w.prepare(t, forgetting.Options{Project: one})
	would := work.Preview(t.Context())
	if edits, lines := w.held(t, one); edits == 0 || lines == 0 || !would.DryRun || would.Tombstone != "" {
		t.Fatalf("the preview forgot: %d edits and %d lines are left, %+v", edits, lines, would)
	}
	done := do(t, work)
	if edits, lines := w.held(t, one); edits != 0 || lines != 0 {
		t.Errorf("%d edits and %d lines are left", edits, lines)
	}
	if after, lines := w.held(t, other); after != before || lines == 0 {
		t.Errorf("of the other project %d edits and %d lines are left, there were %d", after, lines, before)
	}
	if done.Err() != nil || done.DryRun || len(done.Stores) != len(would.Stores) {
		t.Fatalf("%v: %+v", done.Err(), done)
	}
	for i, s := range done.Stores {
		if s != would.Stores[i] {
			t.Errorf("the preview said %+v, deleted was %+v", would.Stores[i], s)
		}
	}
	book, err := forgetting.Tombstones(w.setup)
	if err != nil {
		t.Fatal(err)
	}
	if stones := book.Stones(); len(stones) != 1 || stones[0].ID != done.Tombstone {
		t.Errorf("the tombstones are %+v, want %s", stones, done.Tombstone)
	}
}

// TestUndo removes a tombstone, and no other.
func TestUndo(t *testing.T) {
	w := newStored(t)
	first := do(t, w.prepare(t, forgetting.Options{Project: one}))
	second := do(t, w.prepare(t, forgetting.Options{Project: other}))
	if err := forgetting.Undo(w.setup, first.Tombstone); err != nil {
		t.Fatal(err)
	}
	book, err := forgetting.Tombstones(w.setup)
	if err != nil {
		t.Fatal(err)
	}
	if stones := book.Stones(); len(stones) != 1 || stones[0].ID != second.Tombstone {
		t.Errorf("left are %+v, want %s", stones, second.Tombstone)
	}
	if err := forgetting.Undo(w.setup, first.Tombstone); !usage.Is(err) {
		t.Errorf("a tombstone that is gone: %v", err)
	}
}

// TestBusyStore: a file that a watch writes to stays as it is and is named, and the other
// stores are done.
func TestBusyStore(t *testing.T) {
	w := newStored(t)
	l, err := lock.OpenLog(w.lines)
	if err != nil {
		t.Fatal(err)
	}
	done := do(t, w.prepare(t, forgetting.Options{Project: one}))
	if edits, lines := w.held(t, one); edits != 0 || lines == 0 {
		t.Errorf("%d edits and %d lines are left", edits, lines)
	}
	if done.Err() == nil || !done.Failed() {
		t.Errorf("no store failed: %+v", done.Stores)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if again := do(t, w.prepare(t, forgetting.Options{Project: one})); again.Err() != nil {
		t.Error(again.Err())
	}
	if _, lines := w.held(t, one); lines != 0 {
		t.Errorf("%d lines are left when the watch is gone", lines)
	}
}

// TestPrepare refuses what names nothing, and what it cannot reach, and changes nothing.
func TestPrepare(t *testing.T) {
	w := newStored(t)
	for name, o := range map[string]forgetting.Options{
		"no condition":                   {Database: w.database},
		"PostgreSQL":                     {Database: "postgres://ann@db/nodes", Project: one},
		"a name without a database":      {Database: filepath.Join(t.TempDir(), "none.db"), Project: "billing"},
		"a project that there is not":    {Database: w.database, Project: "nowhere"},
		"a session that there is not":    {Database: w.database, Session: "nowhere"},
		"a node that there is not":       {Database: w.database, Node: "decision:nowhere"},
		"an id that begins several":      {Database: w.database, Session: "session-"},
		"an id that begins several ones": {Database: w.database, Node: "decision:"},
	} {
		if _, err := forgetting.Prepare(t.Context(), w.setup, o); err == nil {
			t.Errorf("%s: it is no error", name)
		}
	}
	if book, err := forgetting.Tombstones(w.setup); err != nil || !book.IsEmpty() {
		t.Errorf("a tombstone was written: %v", err)
	}
}
