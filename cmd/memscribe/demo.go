package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/demo"
)

// newDemo returns the command demo, which needs no settings and touches nothing outside
// of a temporary folder.
func newDemo(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Try the program on recorded sessions",
		Long: `Demo runs a few commands on three recorded sessions in a temporary folder and then removes
the folder. It does not touch your transcripts, your settings or your database.`,
		Example: `  memscribe demo`,
		Args:    cobra.NoArgs,

		Annotations: map[string]string{cli.ConfigNote: cli.Unconfigured},
		RunE:        func(*cobra.Command, []string) error { return runDemo(a) },
	}
}

// demoStep is a command that demo shows, and what it says before.
type demoStep struct {
	says string
	args []string
}

// demoSteps lists the commands that the demo runs, each with the sentence that
// introduces it.
func demoSteps() []demoStep {
	return []demoStep{
		{"Claude Code and Codex have worked on one project. Memscribe reads their transcripts into a database:", []string{"watch", "--once"}},
		{"What was decided, and the edits that carry it out:", []string{"query", "decisions"}},
		{"What agents must not do from now on:", []string{"query", "bans"}},
		{"Which edits made a file what it is, and why:", []string{"query", "file", "src/orders.js"}},
		{"What was said about it:", []string{"search", "redis"}},
	}
}

// runDemo installs the recorded sessions in a temporary home, runs the steps there
// and removes it.
// The commands run in this process, each with an environment of its own. The folder
// goes also if one of them fails.
func runDemo(a *cli.App) (err error) {
	dir, err := os.MkdirTemp("", "memscribe-demo-*")
	if err != nil {
		return fmt.Errorf("create demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err = demo.Install(dir); err != nil {
		return err
	}
	settings := filepath.Join(dir, "memscribe.toml") // so that the user's own are not read
	if err = os.WriteFile(settings, nil, 0o600); err != nil {
		return fmt.Errorf("create demo: %w", err)
	}
	for _, s := range demoSteps() {
		a.Stdout.Printf("%s\n\n  $ memscribe %s\n\n", s.says, strings.Join(s.args, " "))
		if code := run(append(s.args, "--config", settings), demoEnv(a, dir)); code != cli.ExitDone {
			return fmt.Errorf("run memscribe %s: it ended with %d", strings.Join(s.args, " "), code)
		}
		a.Stdout.Printf("\n")
	}
	a.Stdout.Printf(`All of that was in a temporary folder, which is gone. Your own sessions:

  $ memscribe watch              keeps what your agents write down, as they write it
  $ memscribe query decisions    asks for it
`)
	return nil
}

// demoEnv returns the world of a user whose home folder is dir: no settings, no environment
// except what a terminal needs. So the demo prints the same on every machine and
// touches nothing of the user's.
func demoEnv(a *cli.App, dir string) cli.Env {
	e := a.Env()
	e.Home = func() (string, error) { return dir, nil }
	e.Getenv = func(name string) string {
		switch name {
		case "NO_COLOR", "TERM", "COLUMNS":
			return a.Getenv(name)
		}
		return ""
	}
	return e
}
