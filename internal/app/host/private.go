package host

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/annotate"
)

// others are the permissions of everyone but the owner.
const others fs.FileMode = 0o077

// Private makes the files of an output with what lies beside it (log, journal, lock,
// annotations), the folder of the program's data if the output is in it, and a state folder
// with everything in it, readable by the user alone. It logs a warning for each file that others could read
// until then, and returns an error for one whose permissions it cannot change, such as
// another user's. An empty stateDir is left out. On Windows permissions are those of
// the folder, and it does nothing.
func (m Machine) Private(log *slog.Logger, out, stateDir string) error {
	if m.OS == "windows" {
		return nil // permissions are those of the folder
	}
	names := []string{annotate.FileOf(out)}
	if forgotten, err := m.ForgottenFile(); err == nil && filepath.Dir(out) == filepath.Dir(forgotten) {
		names = append(names, filepath.Dir(out), forgotten)
	}
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real // and what lies beside it does so there
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		names = append(names, out+suffix)
	}
	for _, name := range names {
		if err := tighten(log, name); err != nil {
			return err
		}
	}
	if stateDir == "" {
		return nil
	}
	if info, err := os.Stat(stateDir); err == nil && info.Mode()&fs.ModeSticky != 0 {
		return fmt.Errorf("use state folder %s: everybody may write to it; give --state-dir a folder of its own", stateDir)
	}
	if real, err := filepath.EvalSymlinks(stateDir); err == nil {
		stateDir = real
	}
	return filepath.WalkDir(stateDir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("look through state folder: %w", err)
		case d.Type()&fs.ModeSymlink != 0:
			return nil // what it leads to is not in the folder
		}
		return tighten(log, name)
	})
}

// tighten takes the permissions of others from a file or folder; one that does not
// exist is no error.
func tighten(log *slog.Logger, name string) error {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at permissions: %w", err)
	}
	was := info.Mode()
	if was.Perm()&others == 0 || !was.IsRegular() && !was.IsDir() {
		return nil
	}
	if err := os.Chmod(name, was.Perm()&^others); err != nil {
		return fmt.Errorf("others may read or write %s, and it cannot be kept from them: %w", name, err)
	}
	log.Warn("others could read this; now only you can", slog.String("file", name), slog.String("permissions", was.Perm().String()))
	return nil
}
