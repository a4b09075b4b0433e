package memdb_test

import (
	"crypto/rand"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/memdb"
	"github.com/memscribe/memscribe/sink/memdb/server"
	"github.com/memscribe/memscribe/sink/memdb/store"
	"github.com/memscribe/memscribe/sink/sinktest"
)

// mount makes a small disk.
func mount(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("mounting is not allowed here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func remount(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, options); err != nil {
		t.Fatal(err)
	}
}

// fill delivers lines, a few at a time, until the disk is full, and returns how
// many of them were flushed.
func fill(t *testing.T, k sink.Sink, lines []sink.Line) (done int) {
	t.Helper()
	for part := range slices.Chunk(lines, 40) {
		err := k.Apply(t.Context(), part)
		if err == nil {
			err = k.Flush(t.Context())
		}
		if err != nil {
			if !strings.Contains(err.Error(), "disk is full") {
				t.Fatalf("after %d nodes: got %v, want that the disk is full", done, err)
			}
			return done
		}
		done += len(part)
	}
	t.Fatal("the disk never was full")
	return done
}

// holds wants these lines in a database, and that it is intact.
func holds(t *testing.T, dir string, lines []sink.Line) {
	t.Helper()
	got, err := nodes(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	sinktest.Same(t, got, sinktest.Fold(lines))
	intact(t, dir)
}

// TestFullDisk fills the disk of a database: what was flushed stays, what did not
// fit leaves nothing, and once there is room all goes on.
func TestFullDisk(t *testing.T) {
	dir := mount(t, "1m")
	k, err := openEmbedded(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	lines := sinktest.NewMaker(1).Take(1000)
	done := fill(t, k, lines)
	holds(t, dir, lines[:done])
	remount(t, dir, 0, "size=64m")
	deliver(t, k, lines...)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, lines)
}

// TestFullSpool fills the disk of a spool while the server is away. What was
// flushed arrives once there is room, and all the rest.
func TestFullSpool(t *testing.T) {
	small, dir := mount(t, "1m"), t.TempDir()
	r, err := remote(t.Context(), "http://127.0.0.1:1", small, func(o *memdb.RemoteOptions) { o.Dir = small })
	if err != nil {
		t.Fatal(err)
	}
	lines := sinktest.NewMaker(1).Take(1000)
	done := fill(t, r, lines)
	_ = r.Close() // cannot put what it was given last
	remount(t, small, 0, "size=64m")
	memories, err := store.Open(t.Context(), file(dir), storeOptions(dir))
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(server.New(server.Options{Store: memories, Version: "test", Own: own(small), Log: silent(), Now: time.Now, Random: rand.Reader}))
	for _, rest := range [][]sink.Line{nil, lines} {
		r, err := remote(t.Context(), h.URL, small, func(o *memdb.RemoteOptions) { o.Dir, o.Patience = small, time.Minute })
		if err != nil {
			t.Fatal(err)
		}
		if deliver(t, r, rest...); rest == nil {
			got, err := nodes(t.Context(), dir)
			if err != nil || len(got) != done && len(got) != done+40 { // the last may have come that far, and no further
				t.Fatalf("%d nodes came through after %d were flushed: %v", len(got), done, err)
			}
			holds(t, dir, lines[:len(got)])
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	h.Close()
	if err := memories.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, lines)
}

// TestReadOnlyDisk wants to be told so, and to be able to verify what is there.
func TestReadOnlyDisk(t *testing.T) {
	dir := mount(t, "8m")
	k, err := openEmbedded(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	lines := sinktest.NewMaker(1).Take(40)
	deliver(t, k, lines...)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	remount(t, dir, syscall.MS_RDONLY, "")
	if _, err := openEmbedded(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "cannot be written to") && !strings.Contains(err.Error(), "cannot be opened") {
		t.Errorf("got %v, want that it cannot be written to", err)
	}
	if _, err := remote(t.Context(), "http://127.0.0.1:1", dir, func(o *memdb.RemoteOptions) { o.Dir = filepath.Join(dir, "spool") }); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("spool: got %v, want that the disk is read-only", err)
	}
	if n := intact(t, dir); n != int64(len(lines))+1 {
		t.Errorf("%d entries, want %d", n, len(lines)+1)
	}
}
