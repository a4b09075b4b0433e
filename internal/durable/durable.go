// Package durable creates folders that survive a loss of power.
//
// A file system may write the content of a file and the name of it at different times. So after
// creating a file or a folder, the folder that names it must be synced too:
//
//	durable.Create("/data/memscribe/journal")    syncs /data and /data/memscribe
//	durable.Sync("/data/memscribe/journal")      after a file was created or renamed in it
package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Create creates a folder and its parents, for the user alone, and syncs every folder that got
// a new entry. The content of dir itself is for the caller to sync.
func Create(dir string) error {
	var above []string // of what is made
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		above = append(above, filepath.Dir(d))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, d := range above {
		// Another's folder that may be written to but not read cannot be synced.
		if err := Sync(d); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	return nil
}

// Sync makes the names in a folder durable. On Windows it does nothing, as folders cannot be
// synced there.
func Sync(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	if err := errors.Join(d.Sync(), d.Close()); err != nil {
		return fmt.Errorf("sync folder %s: %w", dir, err)
	}
	return nil
}
