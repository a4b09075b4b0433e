// Package demo contains three recorded sessions for the command demo, in the layout of a home
// folder:
//
//	home/.claude/projects/…/*.jsonl       two sessions of Claude Code
//	home/.codex/sessions/…/rollout-*      one session of Codex
//
// The files are embedded in the form of core/packed. All of them were recorded by the tools
// themselves.
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

// install writes one file. It must not exist yet.
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
