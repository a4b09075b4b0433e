package sqlite_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
)

// mount makes a small disk.
func mount(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestFullDisk fills a disk, in the log, in the database and in the index of
// words: a batch that does not fit leaves nothing, and once there is room again
// all goes on.
func TestFullDisk(t *testing.T) {
	for _, o := range []sqlite.Options{{}, {Bulk: true}} {
		dir := mount(t, "size=2m")
		s := open(t, dir, o)
		lines := sinktest.NewMaker(1).Take(1000)
		done := 0
		var full error
		for part := range slices.Chunk(lines, 50) {
			if full = s.Apply(t.Context(), part); full == nil {
				full = s.Flush(t.Context())
			}
			if full != nil {
				break
			}
			done += len(part)
		}
		if full == nil || !strings.Contains(full.Error(), "disk is full") {
			t.Fatalf("after %d nodes: got %v, want that the disk is full", done, full)
		}
		for range 3 { // and it stays so
			if err := s.Apply(t.Context(), lines[done:done+50]); err == nil {
				if err = s.Flush(t.Context()); err == nil {
					t.Error("what did not fit was taken")
				}
			}
		}
		got := slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes")))
		if len(got) != done && len(got) != done+50 {
			t.Errorf("%d nodes are there after %d were flushed", len(got), done)
		}
		sinktest.Same(t, got, sinktest.Fold(lines[:len(got)]))
		if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
			t.Fatal(err)
		}
		apply(t, s, lines...)
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		sinktest.Same(t, slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes"))), sinktest.Fold(lines))
		checkWords(t, dir, lines)
		if ok := ask[string](t, dir, "PRAGMA integrity_check"); ok[0] != "ok" {
			t.Error(ok)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadOnlyDisk wants to be told so.
func TestReadOnlyDisk(t *testing.T) {
	dir := mount(t, "size=3m")
	s := open(t, dir, sqlite.Options{})
	lines := sinktest.NewMaker(1).Take(20)
	apply(t, s, lines...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(t.Context(), file(dir), sqlite.Options{})
	if err == nil || !strings.Contains(err.Error(), "cannot be written to") && !strings.Contains(err.Error(), "cannot be opened") {
		t.Errorf("got %v, want that it cannot be written to", err)
	}
	_, err = sqlite.Open(t.Context(), filepath.Join(dir, "other", "nodes.db"), sqlite.Options{})
	if !errors.Is(err, syscall.EROFS) {
		t.Errorf("got %v, want that the disk is read-only", err)
	}
	r, err := nodedb.Open(t.Context(), file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	a, err := r.Session(t.Context(), lines[0].Session, nodedb.Filter{}, nodedb.Page{})
	if err != nil || len(a.Nodes) == 0 {
		t.Errorf("%d nodes, %v", len(a.Nodes), err)
	}
}

// TestFolderOfAnother wants the folder named that cannot be made.
func TestFolderOfAnother(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(t.Context(), filepath.Join(blocked, "nodes.db"), sqlite.Options{})
	if err == nil || !strings.Contains(err.Error(), blocked) {
		t.Errorf("got %v, want an error that names %s", err, blocked)
	}
}
