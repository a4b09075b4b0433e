// Package demo holds three recorded sessions for the command demo.
package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
)

//go:embed all:home
var sessions embed.FS

// Install makes dir the home folder of somebody who has worked with two tools:
// two sessions of Claude Code 2.1.329 and one of Codex 0.169.0, as their clients
// wrote them.
func Install(dir string) error {
	home, err := fs.Sub(sessions, "home")
	if err != nil {
		return fmt.Errorf("open sessions: %w", err)
	}
	if err := os.CopyFS(dir, home); err != nil {
		return fmt.Errorf("copy sessions: %w", err)
	}
	return nil
}
