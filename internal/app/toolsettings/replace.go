package toolsettings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/internal/visible"
)

// digest returns the SHA-256 of b in hex.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// difference returns a unified diff of one hunk, from the first line that differs to the last,
// with three lines around it. It is for a person to read, not for patch.
func difference(name string, before, after []byte) string {
	const around = 3
	old, now := strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n")
	head := 0
	for head < len(old) && head < len(now) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	from, to := max(0, head-around), min(tail, around)
	var b strings.Builder
	visible.Fprintf(&b, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", name, name,
		from+1, len(old)-tail+to-from, from+1, len(now)-tail+to-from)
	for _, part := range []struct {
		mark  string
		lines []string
	}{{" ", old[from:head]}, {"-", old[head : len(old)-tail]}, {"+", now[head : len(now)-tail]}, {" ", old[len(old)-tail : len(old)-tail+to]}} {
		for _, line := range part.lines {
			if line != "" {
				fmt.Fprintf(&b, "%s%s\n", part.mark, strings.TrimRight(line, "\r\n"))
			}
		}
	}
	return b.String()
}

// replaceSettings writes settings whole or not at all, with the permissions that
// they had.
func replaceSettings(path string, text []byte) error {
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create folder of settings: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close(), os.Chmod(f.Name(), mode)); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write settings: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
