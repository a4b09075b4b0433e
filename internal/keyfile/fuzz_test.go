package keyfile_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/memscribe/memscribe/internal/keyfile"
)

// FuzzOpen opens any file as a key: it is one if it has as many bytes and is for the user alone, and
// nothing is ever put in the place of what is there.
func FuzzOpen(f *testing.F) {
	f.Add([]byte{}, uint16(0o600))
	f.Add(bytes.Repeat([]byte{7}, keyfile.Size), uint16(0o600))
	f.Add(bytes.Repeat([]byte{7}, keyfile.Size), uint16(0o640))
	f.Add(bytes.Repeat([]byte{7}, keyfile.Size), uint16(0o604))
	f.Add(bytes.Repeat([]byte{7}, keyfile.Size+1), uint16(0o400))
	f.Fuzz(func(t *testing.T, content []byte, mode uint16) {
		perm := fs.FileMode(mode)&0o777 | 0o400
		path := filepath.Join(t.TempDir(), "a.key")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, perm); err != nil {
			t.Fatal(err)
		}
		key, err := keyfile.File{Path: path, For: "key of this test"}.Open()
		isKey := len(content) == keyfile.Size && (runtime.GOOS == "windows" || perm&0o077 == 0)
		if isKey != (err == nil) || isKey && !bytes.Equal(key, content) {
			t.Fatalf("%d bytes, %v: %x, %v", len(content), perm, key, err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, content) {
			t.Fatalf("the file is changed: %x, %v", now, err)
		}
	})
}
