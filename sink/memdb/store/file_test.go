package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/store"
)

func TestPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are those of the folder")
	}
	dir := filepath.Join(t.TempDir(), "new")
	open(t, dir).write(note("", "x"))
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, name := range append(names, dir, filepath.Join(dir, "state", "memdb.key")) {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestForeignFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(file(dir), []byte("something else, and long enough to be read as the head of a database, which it is not, whatever one thinks"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(t.Context(), file(dir), options(dir, newClock())); err == nil {
		t.Error("opened")
	}
	if _, err := store.VerifyFile(t.Context(), file(dir), store.VerifyOptions{}); err == nil {
		t.Error("verified")
	}
}

// TestTogether writes and searches from many sides at once, in two stores on one
// file.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir)
	var all sync.WaitGroup
	for i, f := range []*fixture{a, b, a, b} {
		all.Go(func() {
			for k := range 25 {
				if _, err := f.Write(t.Context(), "team", []api.MemoryWrite{note(fmt.Sprint(i, " ", k), fmt.Sprint("common word ", i, k))}); err != nil {
					t.Error(err)
				}
				if _, err := f.Search(t.Context(), api.SearchRequest{Namespaces: []string{"team"}, Query: "common"}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	equal(t, "memories", a.intact().Memories, 100)
	equal(t, "found", len(b.search(api.SearchRequest{Query: "common", Limit: 200})), 100)
}

// TestClockGoesBack wants times in the chain that do not go back with a clock that is
// set back a little.
func TestClockGoesBack(t *testing.T) {
	f := open(t, t.TempDir())
	f.write(note("a", "1"))
	f.clock.add(-59 * time.Second)
	f.write(note("a", "2"))
	e := f.entries("a")
	if e[1].TransactionAt < e[0].TransactionAt || e[1].EntryID < e[0].EntryID {
		t.Errorf("%s after %s", e[1].TransactionAt, e[0].TransactionAt)
	}
	f.intact()
}

// TestClockWasAhead has the clock stand two years ahead for a while. What is learnt
// when it is right again is learnt then, in this process and in the next, and what was
// known at a time can be asked for.
func TestClockWasAhead(t *testing.T) {
	const wrong = 2 * 365 * 24 * time.Hour
	dir := t.TempDir()
	f := open(t, dir)
	f.clock.add(wrong)
	f.write(note("a", "1"), note("b", "1"))
	f.clock.add(-wrong)
	for i := range 2 {
		f.write(note("a", fmt.Sprint("right ", i)))
		e := f.entries("a")
		last := e[len(e)-1]
		if want := f.clock.Now().UTC(); last.TransactionAt[:16] != want.Format("2006-01-02T15:04") {
			t.Errorf("learnt at %s, when it is %s", last.TransactionAt, want)
		}
		if made, want := last.EntryID[:8], fmt.Sprintf("%012x", f.clock.Now().UnixMilli())[:8]; made != want {
			t.Errorf("the id begins with %s, want %s", made, want)
		}
		f.clock.add(time.Second)
		known := f.search(api.SearchRequest{Query: "right", AsOf: f.clock.Now().UTC().Format(time.RFC3339)})
		equal(t, "known as of now", len(known), 1)
		f.intact()
		f.clock.add(time.Hour)
	}
}

// TestFullDisk lets the disk fill up in the middle of writes. What fails leaves
// nothing behind, and once there is room everything can be written.
func TestFullDisk(t *testing.T) {
	f := open(t, t.TempDir())
	if err := f.LimitPages(t.Context(), 120); err != nil {
		t.Fatal(err)
	}
	written, failed := 0, 0
	for ; failed == 0 && written < 500; written++ {
		_, err := f.Write(t.Context(), "team", []api.MemoryWrite{
			note(fmt.Sprint("a", written), strings.Repeat("some words ", 100)), note(fmt.Sprint("b", written), strings.Repeat("more words ", 100)),
		})
		if err != nil {
			failed++
			written--
			if !strings.Contains(err.Error(), "the disk is full") {
				t.Errorf("got %v", err)
			}
		}
	}
	if failed == 0 {
		t.Fatal("the disk never was full")
	}
	equal(t, "memories", f.intact().Memories, int64(2*written))
	if err := f.LimitPages(t.Context(), 1_000_000); err != nil {
		t.Fatal(err)
	}
	f.write(note(fmt.Sprint("a", written), "there is room"))
	equal(t, "memories", f.intact().Memories, int64(2*written)+1)
}
