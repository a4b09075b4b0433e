package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

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
