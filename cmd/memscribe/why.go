package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/answers"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/usage"
)

// newWhy returns the command why.
func (a *app) newWhy() *cobra.Command {
	var (
		o  blame.Options
		db string
	)
	cmd := &cobra.Command{
		Use:   "why FILE[:LINE[-LINE]] | COMMIT | A..B",
		Short: "Show the edit and the decision behind a line of code",
		Long: `Why names, for each line of a file, the recorded edit that last wrote it, the decision
that the edit carries out, and the commit that contains it; for a commit or a range, the
same for the added lines. It starts from the current lines: an edit owns a line only while
its text is still there. If most of the edit's lines have other indentation, quotes or
commas, a formatter has run: they are still the edit's, and the evidence says so. Where the
edit left a single line, only its white space may differ. A line between those of an edit
that differs from it was changed since (status hand), by a person or by a command. If
several edits may have written a line, why lists them and does not guess.

The database is searched for the file's path within its repository, so a clone or a moved
work tree is recognised; --project says which project is meant. With --json it prints one
object per line: file, line, text, status (decision, edit: an edit without a decision,
hand, none, ambiguous), episode, decision, commit, evidence, candidates, later_edits. If a
teammate shared the edit, episode has shared (by, server, namespace).

The exit code is 1 if no recorded edit wrote any of the lines.`,
		Example: `  memscribe why src/orders.js:7
  memscribe why src/orders.js:1-40 --json
  memscribe why HEAD
  memscribe why main..feature`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Target = args[0]
			return a.why(cmd.Context(), o, db)
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "database: a file, or postgres://user@host/name (default: the one of watch)")
	f.StringVar(&o.Project, "project", "", "`path|name` of the project in the transcripts")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object per line")
	return cmd
}

// why answers for the work tree in the current folder. Lines without evidence end
// the command with exit code 1.
//
// What git says of commits is kept in the state folder, since the same question is
// asked often; it is only a cache.
func (a *app) why(ctx context.Context, o blame.Options, db string) error {
	path, err := flags.AnyDatabase(a.App, db)
	if err != nil {
		return err
	}
	if o.Dir, err = os.Getwd(); err != nil {
		return err
	}
	if state, stateErr := a.StateDir(""); stateErr == nil {
		o.Keep = filepath.Join(state, gitrepo.KeptFolder)
	}
	r, err := a.openReader(ctx, path)
	if err != nil {
		return flags.Advised(err)
	}
	found, err := blame.Ask(ctx, r, o)
	if err = errors.Join(err, r.Close()); err != nil {
		if errors.Is(err, blame.ErrTarget) || errors.Is(err, blame.ErrLines) {
			return usage.Mark(err)
		}
		return err
	}
	if o.JSON {
		err = blame.WriteJSON(a.Stdout.Text(), found)
	} else {
		err = answers.Lines(a.Stdout.Text(), found)
	}
	if err == nil && !blame.Known(found) {
		return report.ErrIncomplete
	}
	return err
}
