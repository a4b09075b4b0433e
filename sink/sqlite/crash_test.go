package sqlite_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/sink/sinktest"
	"github.com/memscribe/memscribe/sink/sqlite"
	"github.com/memscribe/memscribe/testkit/size"
)

// frame is the size of a page in the log with its header.
const frame = 4096 + 24

// TestTornLog cuts the log at every commit, around it and anywhere between, as
// the loss of power may, and puts zeros in place of what never reached the disk.
// What is there must be the batches up to that point, whole, and what came
// before a flush must be among it.
func TestTornLog(t *testing.T) {
	size.NeedsNoDetector(t)
	t.Parallel()
	batches, each := share(5, 10), 20
	dir := t.TempDir()
	s := open(t, dir, sqlite.Options{})
	lines := sinktest.NewMaker(3).Take(batches * each)
	ends := []int{logSize(t, dir)} // of the log after so many batches
	for part := range slices.Chunk(lines, each) {
		apply(t, s, part...)
		ends = append(ends, logSize(t, dir))
	}
	main, log := read(t, file(dir)), read(t, file(dir)+"-wal")
	if len(log) != ends[batches] || len(log) > 1000*frame {
		t.Fatalf("the log has %d bytes, want %d and none of them in the database yet", len(log), ends[batches])
	}
	rng := rand.New(rand.NewPCG(1, 1))
	cuts := []int{0, 32, 32 + frame, len(log)}
	for _, end := range ends {
		cuts = append(cuts, end, end-1, end+frame)
	}
	for range 5 {
		cuts = append(cuts, rng.IntN(len(log)))
	}
	for i, at := range cuts {
		at = min(max(at, 0), len(log))
		torn := slices.Clone(log[:at])
		if i%2 == 1 && at < len(log) { // later pages are there, this one is not
			torn = slices.Concat(log[:at], make([]byte, min(frame, len(log)-at)), log[min(at+frame, len(log)):])
		}
		whole := 0
		for n, end := range ends {
			if end <= at {
				whole = n
			}
		}
		dir := crashed(t, main, torn)
		s := open(t, dir, sqlite.Options{})
		sinktest.Same(t, slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes"))), sinktest.Fold(lines[:whole*each]))
		goOn := i < 2 || i%5 < share(1, 2) // slow, and much the same after every cut
		if goOn {
			checkStored(t, dir, lines[:whole*each])
			apply(t, s, lines...)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if goOn {
			checkStored(t, dir, lines)
		}
		if t.Failed() {
			t.Fatalf("after a cut at %d", at)
		}
	}
}

func logSize(t *testing.T, dir string) int {
	t.Helper()
	return len(read(t, file(dir)+"-wal"))
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// crashed makes a folder with what a crash has left.
func crashed(t *testing.T, main, log []byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Dir(file(dir)), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{file(dir): main, file(dir) + "-wal": log} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// checkStored wants the lines in a database, with their words, and no damage.
func checkStored(t *testing.T, dir string, lines []sink.Line) {
	t.Helper()
	sinktest.Same(t, slices.Sorted(slices.Values(ask[string](t, dir, "SELECT json FROM nodes"))), sinktest.Fold(lines))
	if len(lines) > 0 {
		checkWords(t, dir, lines)
	}
	if ok := ask[string](t, dir, "PRAGMA integrity_check"); ok[0] != "ok" {
		t.Error(ok)
	}
}
