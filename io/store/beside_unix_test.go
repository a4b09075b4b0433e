//go:build unix

package store_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestNoFilesBeside puts pipes and links where SQLite keeps the files of a database:
// nothing is waited for, and the links are not followed.
func TestNoFilesBeside(t *testing.T) {
	for _, suffix := range []string{"-wal", "-journal"} {
		o := newOwner(t, "delete")
		o.say(t, "a", "one")
		if err := syscall.Mkfifo(o.path+suffix, 0o600); err != nil {
			t.Skip("no pipes here:", err)
		}
		if got := everything(t, o.path); got != "a one" {
			t.Errorf("beside a pipe at %s: %q", suffix, got)
		}
		if err := os.Remove(o.path + suffix); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(t.TempDir(), "other"), o.path+suffix); err != nil {
			t.Fatal(err)
		}
		if got := everything(t, o.path); got != "a one" {
			t.Errorf("beside a link at %s: %q", suffix, got)
		}
	}
}
