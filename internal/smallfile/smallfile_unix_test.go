//go:build unix

package smallfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/memscribe/memscribe/internal/smallfile"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, err := range map[string]error{
		"file": os.WriteFile(at("file"), []byte("12345"), 0o600), "pipe": syscall.Mkfifo(at("pipe"), 0o600),
		"endless": os.Symlink("/dev/zero", at("endless")), "link": os.Symlink("file", at("link")), "sparse": os.WriteFile(at("sparse"), nil, 0o600),
	} {
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if err := os.Truncate(at("sparse"), 1<<40); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]error{
		"file": nil, "link": nil, "pipe": smallfile.ErrIrregular, "endless": smallfile.ErrIrregular, ".": smallfile.ErrIrregular,
		"sparse": smallfile.ErrSize, "none": fs.ErrNotExist,
	} {
		got, err := smallfile.Read(at(name), 5)
		if !errors.Is(err, want) || (err == nil) != (string(got) == "12345") {
			t.Errorf("%s: %q, %v, want %v", name, got, err, want)
		}
	}
	if _, err := smallfile.Read(at("file"), 4); !errors.Is(err, smallfile.ErrSize) {
		t.Errorf("5 bytes of 4: %v", err)
	}
}
