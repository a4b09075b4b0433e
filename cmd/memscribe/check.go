package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/answers"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/bancheck"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
)

// checkFlags are the flags of check. The embedded options go to the room as they are;
// the rest is resolved into them.
type checkFlags struct {
	bancheck.Options

	selected    flags.Selection
	db          string
	json, sarif bool
}

// newCheck returns the command check. Without a range, --staged or a time it checks the
// work tree.
func (a *app) newCheck() *cobra.Command {
	var o checkFlags
	cmd := &cobra.Command{
		Use:   "check [COMMIT | A..B]",
		Short: "Find changes that break a ban",
		Long: `Check finds changes that break a ban: something that people have forbidden their agents in
this project and have not revoked. By default it looks at the work tree, untracked files
included; with --staged at what is about to be committed; with an argument at a commit
or a range of commits; with --since, --until, --session or --tool at agents' edits, each
against the bans that were in force before it.

It reports only what a change shows: a named file or folder that was touched, a named
identifier, package or command in an added line, a new dependency, a new comment. It does
not guess. A ban with a condition that no change can show ("not without asking me") is
reported as a question and does not count as broken. A ban for the current task ("for
this", "for now") applies to the edits of its own session only.

To run it before each commit, put 'memscribe check --staged' into
.git/hooks/pre-commit. --sarif writes the format that code scanning services read. --json
prints one object per line: status (broken, ask), file, line, text, act, object, ban,
episode.

The exit code is 3 if a ban is broken.`,
		Example: `  memscribe check --staged
  memscribe check main..HEAD --sarif > check.sarif
  memscribe check --since 7d
  memscribe check --session 5e550001`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Range = args[0]
			}
			return a.check(cmd.Context(), &o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.db, "db", "", "database (default: the one of watch)")
	f.StringVar(&o.Project, "project", "", "`path|name` of the project in the transcripts")
	f.BoolVar(&o.Staged, "staged", false, "check what is staged")
	o.selected.AddScope(f, "agents' edits", " of")
	f.BoolVar(&o.json, "json", false, "print one JSON object per line")
	f.BoolVar(&o.sarif, "sarif", false, "print a SARIF 2.1.0 log")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif")
	return cmd
}

// check runs check: it validates the flags, finds the breaches and writes them in
// the format asked for. A breach ends the command with exit code 3.
func (a *app) check(ctx context.Context, o *checkFlags) error {
	var err error
	if o.Edits, err = o.selected.Read(a.Machine); err != nil {
		return err
	}
	o.Recorded = o.selected.Narrows()
	switch {
	case o.Range != "" && (o.Staged || o.Recorded):
		return usage.Errorf("%s: a range stands alone, without --staged, --since, --until, --session or --tool", o.Range)
	case o.Staged && o.Recorded:
		return usage.Errorf("--staged: it stands alone, without --since, --until, --session or --tool")
	}
	found, err := a.checked(ctx, o)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return answers.Check(w, found) }
	switch {
	case o.json:
		write = found.WriteJSON
	case o.sarif:
		write = found.WriteSARIF
	}
	if err := write(a.Stdout.Text()); err != nil {
		return err
	}
	if found.Broken() {
		return report.ErrFound
	}
	return nil
}

// checked opens the database and compares the changes with the bans in force.
//
// A range that git does not know, and a folder outside of a repository, are usage
// errors.
func (a *app) checked(ctx context.Context, o *checkFlags) (*bancheck.Answer, error) {
	path, err := flags.Database(a.App, o.db)
	if err != nil {
		return nil, err
	}
	if o.Dir, err = os.Getwd(); err != nil {
		return nil, err
	}
	if o.Project, err = flags.ProjectName(o.Project); err != nil {
		return nil, err
	}
	r, err := nodedb.Open(ctx, path)
	if err != nil {
		return nil, flags.Advised(err)
	}
	found, err := bancheck.Run(ctx, r, o.Options)
	err = errors.Join(err, r.Close())
	if errors.Is(err, bancheck.ErrRange) || errors.Is(err, gitrepo.ErrNoRepository) {
		err = usage.Mark(err)
	}
	return found, err
}
