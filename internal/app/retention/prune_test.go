package retention_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// machine is one with a home of its own, on a day three weeks after the nodes of
// [sinktest.Maker] begin.
func machine(t *testing.T) host.Machine {
	home := t.TempDir()
	return host.Machine{
		OS:     "linux",
		Getenv: func(string) string { return "" },
		Home:   func() (string, error) { return home, nil },
		Now:    func() time.Time { return time.UnixMilli(1_750_000_000_000).AddDate(0, 0, 21) },
	}
}

// store writes the first nodes of a seed into a database.
func store(t *testing.T, name string, nodes int) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), name, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err = errors.Join(s.Apply(t.Context(), sinktest.NewMaker(1).Take(nodes)), s.Close()); err != nil {
		t.Fatal(err)
	}
}

// prune prunes, and demands that it works.
func prune(t *testing.T, m host.Machine, o retention.PruneOptions) retention.Pruned {
	t.Helper()
	p, err := retention.Prune(t.Context(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPrune deletes what a dry run counts, keeps it out, and takes it in again after
// Readmit.
func TestPrune(t *testing.T) {
	m, name := machine(t), filepath.Join(t.TempDir(), "nodes.db")
	const nodes = 300
	store(t, name, nodes)
	o := retention.PruneOptions{Database: name, Keep: retention.Options{Conversations: 1}, DryRun: true}
	would := prune(t, m, o)
	o.DryRun = false
	did := prune(t, m, o)
	if would.Conversations == 0 || would.Conversations != did.Conversations || would.Bindings != did.Bindings {
		t.Errorf("the dry run counts %+v, deleted were %+v", would, did)
	}
	if did.Decisions != 0 || did.Since.Decisions != nil {
		t.Errorf("decisions are kept for ever, and %d are gone", did.Decisions)
	}
	store(t, name, nodes)
	if again := prune(t, m, o); again.Conversations != 0 {
		t.Errorf("%d conversations came back", again.Conversations)
	}
	if err := retention.Readmit(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	store(t, name, nodes)
	if again := prune(t, m, o); again.Conversations != did.Conversations {
		t.Errorf("%d conversations came back after Readmit, want %d", again.Conversations, did.Conversations)
	}
}

// TestPruneJournals deletes journals, without a database, and not in a dry run.
func TestPruneJournals(t *testing.T) {
	m := machine(t)
	dir, err := m.JournalDir("")
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(filepath.Join(dir, "hooks", "codex"), journal.Limits{Segment: 1, Total: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // a segment each; the newest stays
		if err = j.Append(t.Context(), []byte("{}")); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "hooks", "codex", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		at := m.Now().AddDate(0, 0, -8+4*i)
		if err = os.Chtimes(f, at, at); err != nil {
			t.Fatal(err)
		}
	}
	o := retention.PruneOptions{Keep: retention.Options{Journals: 7}, Database: "none.db"}
	o.DryRun = true
	if p := prune(t, m, o); p.Journals != 0 {
		t.Errorf("a dry run deleted %d journals", p.Journals)
	}
	o.DryRun = false
	if p := prune(t, m, o); p.Journals != 1 || p.Database != "" {
		t.Errorf("pruned %+v, want one journal", p)
	}
}

// TestPruneRefuses: without a period there is nothing to do, and a database that is not
// there is not created.
func TestPruneRefuses(t *testing.T) {
	m, name := machine(t), filepath.Join(t.TempDir(), "nodes.db")
	if _, err := retention.Prune(t.Context(), m, retention.PruneOptions{Database: name}); !usage.Is(err) {
		t.Errorf("without a period: %v", err)
	}
	if _, err := retention.Prune(t.Context(), m, retention.PruneOptions{Database: name, Keep: retention.Options{Edits: 1}}); err == nil {
		t.Error("a database that is not there was pruned")
	}
	if err := retention.Readmit(t.Context(), name); err == nil {
		t.Error("a database that is not there takes in old nodes")
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("a database was created")
	}
}
