package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/lines"
	"github.com/memscribe/memscribe/internal/gitrepo"
)

// newWhy returns the command why.
func (a *app) newWhy() *cobra.Command {
	var (
		o  lines.Options
		db string
	)
	cmd := &cobra.Command{
		Use:   "why FILE[:LINE[-LINE]] | COMMIT | A..B",
		Short: "Say which decision and which edit a line of code comes from",
		Long: `Why says for each line of a file which recorded edit last wrote it, the decision
that the edit carries out, and the commit it went into; for a commit, or a range of
them, the same for the lines that they added. It goes back from the lines as they
are: an edit has a line only where its text still stands. A line that was changed
after an edit by no recorded one was written by hand; where several edits may have
written it, why names them and does not guess.

The file's name below the root of its repository is looked for in the database. A
clone, or a work tree that was moved, is found by that; --project says which one is
meant. With --json one object a line: file, line, text, status (decision, edit: an
edit without a decision, hand, none, ambiguous), episode, decision, commit,
evidence, candidates.

It ends with 1 if no recorded edit wrote any of the lines.`,
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
	f.StringVar(&db, "db", "", "the database: a file, or postgres://user@host/name (default: the one that watch keeps)")
	f.StringVar(&o.Project, "project", "", "the `path|name` under which the transcripts know the project")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object a line")
	return cmd
}

// why answers for the work tree in the current folder. Lines without evidence end
// the command with exit code 1.
func (a *app) why(ctx context.Context, o lines.Options, db string) error {
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
	r, err := openReader(ctx, path)
	if err != nil {
		return flags.Advised(err)
	}
	found, err := lines.Ask(ctx, r, o)
	if err = errors.Join(err, r.Close()); err != nil {
		if errors.Is(err, lines.ErrTarget) {
			return cli.Usage(err)
		}
		return err
	}
	if o.JSON {
		err = lines.WriteJSON(a.Stdout.Text(), found)
	} else {
		err = lines.Write(a.Stdout.Text(), found)
	}
	if err == nil && !lines.Known(found) {
		return cli.ErrIncomplete
	}
	return err
}
