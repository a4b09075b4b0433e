package hooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/io/settings"
)

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// difference shows what would change in a file: the lines that go and those that
// come, and some around them.
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
	console.Fprintf(&b, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", name, name,
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

// Installed is what is remembered of settings that were changed.
type installed struct {
	File    string `json:"file"`
	Created bool   `json:"created"` // it was not there before
	After   string `json:"after"`   // digest of what was written
}

// kept are the files in which that is remembered, and the settings as they were.
func (f *File) kept(e cli.Env, stateDir string) (record, original string, err error) {
	dir, err := e.StateDir(stateDir)
	if err != nil {
		return "", "", fmt.Errorf("find state folder: %w", err)
	}
	base := filepath.Join(dir, "hooks", string(f.Tool))
	return base + ".json", base + ".before", nil
}

// remember keeps the settings as they are before they are changed. If they
// were changed already, what they were before that stays.
func (f *File) remember(e cli.Env, stateDir string, keep installed, again bool) error {
	record, original, err := f.kept(e, stateDir)
	if err != nil {
		return err
	}
	before := f.text
	if again {
		var old installed
		if old, before, err = f.recall(e, stateDir); err != nil {
			return err
		}
		if old.File != f.Path || old.After != digest(f.text) {
			if before, _, err = settings.Remove(f.text, f.mark()); err != nil {
				return err
			}
			old.Created = false
		}
		keep.Created = old.Created
	}
	text, err := json.Marshal(keep)
	if err != nil {
		return fmt.Errorf("remember settings: %w", err)
	}
	if err := replaceSettings(original, before); err != nil {
		return err
	}
	return replaceSettings(record, append(text, '\n'))
}

// recall is what is remembered of a tool's settings; nothing if they were
// never changed.
func (f *File) recall(e cli.Env, stateDir string) (keep installed, before []byte, err error) {
	record, original, err := f.kept(e, stateDir)
	if err != nil {
		return keep, nil, err
	}
	text, err := os.ReadFile(record)
	if errors.Is(err, fs.ErrNotExist) {
		return keep, nil, nil
	}
	if err == nil {
		err = json.Unmarshal(bytes.TrimSpace(text), &keep)
	}
	if err == nil {
		before, err = os.ReadFile(original)
	}
	if err != nil {
		return installed{}, nil, fmt.Errorf("recall settings: %w", err)
	}
	return keep, before, nil
}

func (f *File) forget(e cli.Env, stateDir string) error {
	record, original, err := f.kept(e, stateDir)
	if err != nil {
		return err
	}
	for _, name := range []string{record, original} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget settings: %w", err)
		}
	}
	return nil
}
