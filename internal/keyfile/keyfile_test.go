package keyfile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/memscribe/memscribe/internal/keyfile"
)

// TestOpen has eight open a key that is not there yet: all get the same, for the user
// alone, and nothing else is left in the folder.
func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	f := keyfile.File{Path: filepath.Join(dir, "a.key"), For: "key of this test"}
	keys := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			var err error
			if keys[i], err = f.Open(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, k := range keys {
		if len(k) != keyfile.Size || !bytes.Equal(k, keys[0]) {
			t.Errorf("a key of %d bytes, or another one", len(k))
		}
	}
	there, err := os.ReadDir(dir)
	if err != nil || len(there) != 1 {
		t.Fatal(there, err)
	}
	if info, err := there[0].Info(); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// TestRead refuses what is no key, or one that others know.
func TestRead(t *testing.T) {
	f := keyfile.File{Path: filepath.Join(t.TempDir(), "a.key"), For: "key of this test"}
	write := func(size int, mode os.FileMode) {
		if err := os.WriteFile(f.Path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(f.Path, mode); err != nil {
			t.Fatal(err)
		}
	}
	write(keyfile.Size-1, 0o600)
	if _, err := f.Open(); err == nil || !strings.Contains(err.Error(), "read key of this test "+f.Path+": it has 31 bytes") {
		t.Error(err)
	}
	write(keyfile.Size, 0o640)
	if _, err := f.Open(); runtime.GOOS != "windows" && (err == nil || !strings.Contains(err.Error(), "others may read it too")) {
		t.Error(err)
	}
}
