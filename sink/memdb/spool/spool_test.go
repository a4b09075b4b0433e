package spool_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/spool"
)

func open(t *testing.T, path string) *spool.Spool {
	t.Helper()
	s, err := spool.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s *spool.Spool, idsAndContents ...string) {
	t.Helper()
	var memories []api.MemoryWrite
	for i := 0; i < len(idsAndContents); i += 2 {
		memories = append(memories, api.MemoryWrite{ID: idsAndContents[i], Body: api.Body{Kind: "note", Content: idsAndContents[i+1]}})
	}
	if err := s.Put(t.Context(), memories); err != nil {
		t.Fatal(err)
	}
}

// next are the ids and contents of what comes next.
func next(t *testing.T, s *spool.Spool, most, bytes int) ([]spool.Item, string) {
	t.Helper()
	items, err := s.Next(t.Context(), most, bytes)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, item := range items {
		var m api.MemoryWrite
		if err := api.Decode(item.Body, &m); err != nil {
			t.Fatal(err)
		}
		all = append(all, m.ID+m.Content)
	}
	return items, strings.Join(all, " ")
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestQueue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "spool")
	s := open(t, path)
	put(t, s, "a", "1", "b", "1", "c", "1")
	items, got := next(t, s, 2, 1<<20)
	want(t, "in order", got, "a1 b1")
	put(t, s, "a", "2", "d", "1") // while a and b are on their way
	if err := s.Done(t.Context(), items); err != nil {
		t.Fatal(err)
	}
	_, got = next(t, s, 10, 1<<20)
	want(t, "what came since stays", got, "c1 a2 d1")
	_, got = next(t, s, 10, 1)
	want(t, "one, however large", got, "c1")
	id, err := s.ID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	s = open(t, path)
	defer s.Close()
	_, got = next(t, s, 10, 1<<20)
	want(t, "opened again", got, "c1 a2 d1")
	if again, err := s.ID(t.Context()); err != nil || again != id {
		t.Errorf("id %q, was %q, %v", again, id, err)
	}
	if n, err := s.Len(t.Context()); err != nil || n != 3 {
		t.Errorf("length %d, %v", n, err)
	}
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestForeignFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spool")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database at all ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := spool.Open(t.Context(), path); err == nil {
		s.Close()
		t.Error("opened")
	}
}
