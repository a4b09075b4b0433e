// Package atomicfile replaces files whole: a reader sees the old content or the new.
//
// The content is written to a temporary file in the same folder, synced, and renamed. After a
// crash a temporary file ".NAME.*" may be left; the named file is never half written.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write replaces a file by what write writes. The file can be read by its owner only, and its
// folder is created if it is missing. If write fails, its error is returned and an existing
// file stays as it was. The name itself becomes durable with the next sync of the folder.
func Write(name string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("create output: %w", err)
	}
	if err = errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return errors.Join(fmt.Errorf("replace output: %w", err), os.Remove(f.Name()))
	}
	return nil
}
