package storetest

import (
	"crypto/rand"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
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
	Store

	t     testing.TB
	dir   string
	clock *clock
}

// open opens the database of a folder, with a namespace in it.
func (s Suite) open(t testing.TB, dir string, change ...func(*Options)) *fixture {
	t.Helper()
	c := newClock()
	o := Options{Now: c.Now, Random: rand.Reader, StateDir: filepath.Join(dir, "state")}
	for _, f := range change {
		f(&o)
	}
	memories := s.Open(t, dir, o)
	t.Cleanup(func() {
		if err := memories.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, _, err := memories.PutNamespace(t.Context(), "team", api.NamespacePut{}); err != nil {
		t.Fatal(err)
	}
	return &fixture{memories, t, dir, c}
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

func (f *fixture) search(r api.SearchRequest) []string {
	f.t.Helper()
	if r.Namespaces == nil {
		r.Namespaces = []string{"team"}
	}
	found, err := f.Search(f.t.Context(), r)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := found.Validate(); err != nil {
		f.t.Error(err)
	}
	ids := []string{}
	for i := range found.Memories {
		ids = append(ids, found.Memories[i].ID)
	}
	return ids
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
