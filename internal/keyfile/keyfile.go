// Package keyfile stores random keys in files that only their owner can read.
//
// A key file is 32 random bytes and nothing else. It is created when the key is first needed,
// and never replaced by the program: whoever removes it gets another key, and what depended on
// the old one (digests in placeholders, proofs of identity) no longer matches.
package keyfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/memscribe/memscribe/internal/durable"
)

// Size is the size of a key in bytes.
const Size = 32

// File is the file of a key. What the key is for stands in errors, as in "redaction key".
type File struct {
	Path string
	For  string
}

// Open returns the key, and creates it, with its folder, if there is none. Several processes
// that do this at the same time get the same key.
func (f File) Open() ([]byte, error) {
	key, err := f.Read()
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return nil, fmt.Errorf("create folder of %s: %w", f.For, err)
	}
	if err := f.make(); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("create %s: %w", f.For, err)
	}
	return f.Read()
}

// Read returns the key. A file that other users may read is refused, as is one of another size.
// On Windows the rights are those of the folder, and are not checked.
func (f File) Read() ([]byte, error) {
	info, err := os.Stat(f.Path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.For, err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return nil, fmt.Errorf("read %s %s: others may read it too (%s): chmod 600 it, or remove it, and a new one is made", f.For, f.Path, mode)
	}
	if info.Size() != Size {
		return nil, fmt.Errorf("read %s %s: it has %d bytes, not %d", f.For, f.Path, info.Size(), Size)
	}
	key, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.For, err)
	}
	return key, nil
}

// make makes a key. It appears under its name whole or not at all, and never in the
// place of another.
func (f File) make() error {
	t, err := os.CreateTemp(filepath.Dir(f.Path), "."+filepath.Base(f.Path)+".*")
	if err != nil {
		return err
	}
	key := make([]byte, Size)
	_, err = rand.Read(key)
	if err == nil {
		_, err = t.Write(key)
	}
	err = errors.Join(err, t.Sync(), t.Close())
	if err != nil {
		return errors.Join(err, os.Remove(t.Name()))
	}
	return durable.Name(t.Name(), f.Path)
}
