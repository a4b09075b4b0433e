package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
)

// others are the permissions of everybody but the owner.
const others fs.FileMode = 0o077

// Private has the files of an output, and a state folder with all that is in it, be for
// the user alone. What others could read it takes away from them, and says so; what it
// cannot, as with another's file, it refuses to use.
func (a *App) Private(out, stateDir string) error {
	if a.OS == "windows" {
		return nil // permissions are those of the folder
	}
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real // and what lies beside it does so there
	}
	for _, name := range []string{out, out + "-wal", out + "-shm"} {
		if err := a.tighten(name); err != nil {
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
		return a.tighten(name)
	})
}

// tighten takes a file or folder that is there away from others.
func (a *App) tighten(name string) error {
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
	a.Logger().Warn("others could read this; now only you can", slog.String("file", name), slog.String("permissions", was.Perm().String()))
	return nil
}
