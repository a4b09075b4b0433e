package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// notRun is a command that the docs show and TestPages does not run.
type notRun struct{ begins, why string }

// notRunCommands lists the commands that are not run, the more special ones
// first. Each must stand somewhere.
func notRunCommands() []notRun {
	const ownTest, goesOn, wants = "has a test of its own", "goes on", "wants what only its reader has"
	return []notRun{
		{"watch", goesOn},
		{"memdb serve", goesOn},
		{"serve", goesOn},
		{"memdb verify", ownTest},
		{"memdb rekey", ownTest},
		{"memdb copy", ownTest},
		{"service", "would change this machine"},
		{"redact", wants},
		{"version --verify", wants},
		{"update", ownTest},
		{"replay", wants},
		{"rules", wants},
		{"reject", wants},
		{"edit", wants},
		{"forget", wants},
		{"check", wants},
		{"tail", goesOn},
		{"export", wants},
		{"config check ./", wants},
		{"--config ./", wants},
	}
}

// TestPages runs what the pages show, each page in its order for somebody who has
// worked with one tool: what is shown must work.
func TestPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	ran, passed := 0, map[notRun]bool{}
	for _, page := range append(pages, "../../README.md") {
		if name := filepath.Base(page); name == "cli.md" || name == "getting-started.md" {
			continue // examples for many situations; and what has a test of its own
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(page), func(t *testing.T) { ran += runPage(t, string(text), passed) })
	}
	if ran < 15 {
		t.Errorf("ran %d commands", ran)
	}
	for _, n := range notRunCommands() {
		if !passed[n] {
			t.Errorf("no page shows %q, which is not run (%s)", n.begins, n.why)
		}
	}
}

func runPage(t *testing.T, text string, passed map[notRun]bool) (ran int) {
	t.Helper()
	w := &owner{home: t.TempDir(), now: time.Date(2026, 8, 2, 9, 0, 0, 0, time.UTC)}
	w.sessions(t, "2026-08-01")
	if err := os.WriteFile(filepath.Join(w.home, ".claude", "settings.json"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	w.run(t, cli.ExitDone, "watch", "--once")
	for _, line := range shellLines(text) {
		args, ok := memscribeArgs(line)
		if !ok || passedOver(args, passed) {
			continue
		}
		ran++
		for i, a := range args {
			if rest, ok := strings.CutPrefix(a, "~/"); ok {
				args[i] = filepath.Join(w.home, rest)
			}
			if a == "app" {
				args[i] = "w" // the project of the sessions here
			}
		}
		w.run(t, cli.ExitDone, args...)
	}
	return ran
}

// passedOver reports whether a command is not run, and notes why.
func passedOver(args []string, passed map[notRun]bool) bool {
	command := strings.Join(args, " ")
	for _, n := range notRunCommands() {
		if command != n.begins && !strings.HasPrefix(command, n.begins+" ") && (!strings.HasSuffix(n.begins, "/") || !strings.HasPrefix(command, n.begins)) {
			continue
		}
		passed[n] = true
		return n.begins != "watch" || !strings.Contains(command, "--once")
	}
	return false
}
