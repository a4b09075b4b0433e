package nodedb_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/nodedb/removal"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// TestFollow asks by one reader while the database is missing, created, replaced and deleted.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "nodes.db")
	r := nodedb.Follow(path)
	count := func() (n int) {
		t.Helper()
		if err := r.Each(t.Context(), func(string, []byte) error { n++; return nil }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	absent := func(when string) {
		t.Helper()
		for name, ask := range map[string]func() error{
			"Ready":       func() error { return r.Ready(t.Context()) },
			"Each":        func() error { return r.Each(t.Context(), nil) },
			"Annotations": func() error { _, err := r.Annotations(t.Context()); return err },
			"NodeID":      func() error { _, err := r.NodeID(t.Context(), "abcdef"); return err },
			"Snapshot":    func() error { _, err := removal.SessionsOf(t.Context(), r, nil); return err },
			"Changes":     func() error { _, err := r.Changes(t.Context()); return err },
		} {
			if err := ask(); !nodedb.Absent(err) {
				t.Errorf("%s %s: %v, want that it is absent", name, when, err)
			}
		}
	}
	absent("before there is one")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	absent("as it is created")

	fill(t, path, 20)
	if n := count(); n != 20 {
		t.Errorf("%d nodes, want 20", n)
	}
	changes, err := r.Changes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	since := func(when string, want bool) {
		t.Helper()
		if changed, err := changes.Since(t.Context()); err != nil || changed != want {
			t.Errorf("that something changed %s is %t, %v", when, changed, err)
		}
	}
	since("before anything is written", false)

	if runtime.GOOS != "windows" { // there a database that is open keeps its place
		other := filepath.Join(dir, "other.db")
		fill(t, other, 35)
		n := 0
		err = r.Each(t.Context(), func(string, []byte) error {
			if n++; n == 1 {
				return errors.Join(os.Rename(other, path), r.Ready(t.Context()))
			}
			return nil
		})
		if err != nil || n != 20 {
			t.Errorf("%d nodes of the one that was replaced while it was read, %v; want 20", n, err)
		}
		since("when another took its place", true)
		since("after that", false)
		if n := count(); n != 35 {
			t.Errorf("%d nodes of the other one, want 35", n)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		absent("when it was deleted")
		fill(t, path, 5)
		since("when there is one again", true)
	}
	if err := errors.Join(changes.Close(), r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
}

// fill makes a database of n nodes.
func fill(t *testing.T, path string, n int) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Apply(t.Context(), sinktest.NewMaker(3).Take(n)), s.Close()); err != nil {
		t.Fatal(err)
	}
}
