// Package demo holds three recorded sessions for the command demo.
package demo

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/core/packed"
)

//go:embed all:home
var sessions embed.FS

// Install makes dir the home folder of a person who has worked with two tools:
// two sessions of Claude Code 2.1.329 and one of Codex 0.169.0, as their clients
// wrote them.
func Install(dir string) error {
	home, err := fs.Sub(sessions, "home")
	if err != nil {
		return fmt.Errorf("open sessions: %w", err)
	}
	err = fs.WalkDir(home, ".", func(path string, d fs.DirEntry, err error) error {
		to := filepath.Join(dir, filepath.FromSlash(path))
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(to, 0o777) //nolint:gosec // as os.CopyFS does
		}
		return install(home, path, to)
	})
	if err != nil {
		return fmt.Errorf("copy sessions: %w", err)
	}
	return nil
}

// install writes one file, which is new.
func install(home fs.FS, path, to string) error {
	b, err := fs.ReadFile(home, path)
	if err != nil {
		return err
	}
	text, err := packed.Text(string(b))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666) //nolint:gosec // as os.CopyFS does
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
