package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/man"
)

// TestManPages writes the manual, twice the same, and has whatever is there to
// format pages with find nothing wrong in them.
func TestManPages(t *testing.T) {
	at := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	root := newApp(cli.Env{Stdout: io.Discard, Stderr: io.Discard}).newRoot()
	dir, again := t.TempDir(), t.TempDir()
	for _, d := range []string{dir, again} {
		if err := man.WritePages(root, d, at); err != nil {
			t.Fatal(err)
		}
	}
	pages := 0
	eachCommand(root, func(c *cobra.Command) {
		pages++
		name := man.PageName(c) + ".1"
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			return
		}
		if other, err := os.ReadFile(filepath.Join(again, name)); err != nil || string(other) != string(text) {
			t.Errorf("%s is another one the second time", name)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !strings.Contains(" .TH .nh .ad .SH .PP .TP .nf .fi ", " "+strings.TrimSpace(line + " ")[:3]+" ") {
				t.Errorf("%s has a request that nobody wrote: %s", name, line)
			}
		}
	})
	formats(t, dir)
	if found, _ := filepath.Glob(filepath.Join(dir, "*.1")); len(found) != pages || pages < 25 {
		t.Errorf("%d pages of %d commands", len(found), pages)
	}
}

// eachCommand visits the commands that are shown.
func eachCommand(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			eachCommand(sub, visit)
		}
	}
}

// formats has what formats pages look at those of a folder, where it is there.
func formats(t *testing.T, dir string) {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"groff", "-ww", "-z", "-man", "-Tutf8"}, {"mandoc", "-T", "lint", "-W", "warning"}} {
		program, err := exec.LookPath(command[0])
		if err != nil {
			continue
		}
		out, err := exec.CommandContext(t.Context(), program, append(command[1:], pages...)...).CombinedOutput()
		if err != nil || len(out) > 0 {
			t.Errorf("%s: %v: %s", command[0], err, out)
		}
	}
}
