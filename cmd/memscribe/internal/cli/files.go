package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ReplaceFile writes a file that only its owner can read. A file that is there
// stays as it is until the new one is complete.
func ReplaceFile(name string, write func(io.Writer) error) error {
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
