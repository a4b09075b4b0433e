package store_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

// clock is a clock that a test sets.
type clock struct {
	lock sync.Mutex
	now  time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.now
}

func (c *clock) add(d time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.now = c.now.Add(d)
}

type fixture struct {
	*store.Store

	t     testing.TB
	dir   string
	clock *clock
}

func file(dir string) string { return filepath.Join(dir, "memories.db") }

func options(dir string, c *clock) store.Options {
	return store.Options{Now: c.Now, Random: rand.Reader, StateDir: filepath.Join(dir, "state")}
}

func open(t testing.TB, dir string, change ...func(*store.Options)) *fixture {
	t.Helper()
	c := newClock()
	o := options(dir, c)
	for _, f := range change {
		f(&o)
	}
	s, err := store.Open(t.Context(), file(dir), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, _, err := s.PutNamespace(t.Context(), "team", api.NamespacePut{}); err != nil {
		t.Fatal(err)
	}
	return &fixture{s, t, dir, c}
}

func note(id, content string) api.MemoryWrite {
	return api.MemoryWrite{ID: id, Body: api.Body{Kind: "note", Content: content, Origin: api.Internal}}
}

func (f *fixture) write(memories ...api.MemoryWrite) []api.WriteResult {
	f.t.Helper()
	results, err := f.Write(f.t.Context(), "team", memories)
	if err != nil {
		f.t.Fatal(err)
	}
	return results
}

func (f *fixture) get(id string) api.MemoryAnswer {
	f.t.Helper()
	a, err := f.Get(f.t.Context(), "team", id)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := a.Validate(); err != nil {
		f.t.Errorf("%s: %v", id, err)
	}
	return a
}

// intact wants everything to be as it was entered.
func (f *fixture) intact() api.VerifyReport {
	f.t.Helper()
	if err := f.Checkpoint(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	report, err := f.Verify(f.t.Context())
	if err != nil || !report.OK {
		f.t.Fatalf("verify: %+v, %+v, %v", report, report.Fault, err)
	}
	if err := report.Validate(); err != nil {
		f.t.Error(err)
	}
	return report
}

func equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// holds reports whether a text stands in any file of a folder.
func holds(t testing.TB, dir, text string) bool {
	t.Helper()
	found := false
	for _, pattern := range []string{"*", "*/*"} {
		names, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, name := range names {
			content, err := os.ReadFile(name)
			found = found || err == nil && strings.Contains(strings.ToLower(string(content)), strings.ToLower(text))
		}
	}
	return found
}

func (f *fixture) actions(id string) (all []string) {
	for _, e := range f.entries(id) {
		all = append(all, e.Action)
	}
	return all
}

func (f *fixture) entries(id string) []api.Entry {
	f.t.Helper()
	p, err := f.Provenance(f.t.Context(), "team", id)
	if err != nil {
		f.t.Fatal(err)
	}
	return p.Entries
}

// superseded are a memory and the one that takes its place.
func superseded() (old, by api.MemoryWrite) {
	old, by = note("old", "the plan is alpha"), note("by", "the plan is beta")
	old.ValidAt, by.ValidAt = "2026-06-01T00:00:00Z", "2026-06-15T00:00:00.5Z"
	old.SupersededBy = by.ID
	return old, by
}
