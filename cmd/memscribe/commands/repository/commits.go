package repository

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/answers"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/blame"
	"github.com/memscribe/memscribe/internal/commits"
	"github.com/memscribe/memscribe/internal/gitrepo"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
)

// NewCommits returns the command commits. For one commit it prints:
//
//	3f2a9c1b7d0e  2026-11-22  Add health check
//	    12 lines: 9 decided, 3 by no recorded edit
//	    codex · session 01a202a3-e254 · 9 lines
//	    > Add a /healthz route that returns 200
//
// Notes are written only after the answer was printed, so a person has seen what is stored in
// the repository.
func NewCommits(a *cli.App) *cobra.Command {
	var (
		o    commits.Options
		db   string
		json bool

		notes, rewrite bool
	)
	cmd := &cobra.Command{
		Use:   "commits [REVISION | A..B]",
		Short: "Show the sessions and decisions behind commits",
		Long: `Commits lists commits, newest first, with the sessions whose edits they contain, the
decisions that those edits carry out, and the number of lines from each origin. It
compares the lines of a commit with recorded edits, so the answer survives a rebase, a
squash or a cherry-pick. Merge commits are left out.

--write-notes writes the answer into the repository as git notes in
refs/notes/memscribe, which can be pushed and fetched; without it nothing is written.
--rewrite-notes also sets notes.rewriteRef in the repository, so that git copies the
notes when commits are rewritten.

The exit code is 1 if no line of any commit is known to come from an agent.`,
		Example: `  memscribe commits
  memscribe commits main..feature --json
  memscribe commits main..feature --write-notes --rewrite-notes`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Revisions = "HEAD"
			if len(args) > 0 {
				o.Revisions = args[0]
			}
			if o.Limit < 1 {
				return usage.Errorf("--limit %d: it is a number of commits, from 1", o.Limit)
			}
			return ofRepository(cmd.Context(), a, db, &o, func(r *nodedb.Reader) error {
				found, err := commits.List(cmd.Context(), r, o)
				if err != nil {
					return err
				}
				write := answers.Commits
				if json {
					write = commits.WriteJSON
				}
				if err = write(a.Stdout.Text(), found); err == nil && (notes || rewrite) {
					err = writeNotes(cmd.Context(), a, o, found, rewrite)
				}
				if err == nil && !commits.Known(found) {
					err = report.ErrIncomplete
				}
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "database (default: the one of watch)")
	f.BoolVar(&notes, "write-notes", false, "write it into the repository as git notes, in refs/notes/memscribe")
	f.BoolVar(&rewrite, "rewrite-notes", false, "write notes, and have git copy them when commits are rewritten")
	f.StringVar(&o.Project, "project", "", "`path|name` of the project in the transcripts")
	f.IntVar(&o.Limit, "limit", 20, "maximum number of commits")
	f.BoolVar(&json, "json", false, "print one JSON object per line")
	return cmd
}

// writeNotes writes git notes for the commits that were found, and prints on stderr how many
// are new. Notes that are already there are left.
func writeNotes(ctx context.Context, a *cli.App, o commits.Options, found []commits.Commit, rewrite bool) error {
	n, err := commits.WriteNotes(ctx, o, found, rewrite)
	if err != nil {
		return err
	}
	a.Stderr.Printf("%d notes written, %d were there\n", n.Written, n.Same)
	if n.Rewriting {
		a.Stderr.Printf("git copies them when commits are rewritten (notes.rewriteRef)\n")
	}
	return nil
}

// NewShare returns the command share. Its argument may be a path or a revision; if a path with
// that name exists, it is the path.
func NewShare(a *cli.App) *cobra.Command {
	var (
		o    commits.Options
		db   string
		json bool
	)
	cmd := &cobra.Command{
		Use:   "share [FILE | FOLDER | COMMIT | A..B]",
		Short: "Count lines by origin: agents, with or without a decision, and people",
		Long: `Share counts lines by origin: agents' edits that carry out a decision, agents' edits
without a known decision, lines changed by hand after an agent's edit, lines whose
origin is ambiguous, and lines that no recorded edit wrote. For a file or a folder it
counts the current lines of files that git tracks; for a commit or a range, the added
lines. Without an argument it counts the current folder.

The last kind is everything that was not recorded: what people wrote, and what agents
wrote before or outside of the capture.

The exit code is 1 if no line is known to come from an agent.`,
		Example: `  memscribe share src
  memscribe share main..feature --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Revisions = "."
			if len(args) > 0 {
				o.Revisions = args[0]
			}
			return ofRepository(cmd.Context(), a, db, &o, func(r *nodedb.Reader) error {
				s, err := commits.ShareOf(cmd.Context(), r, o)
				if err != nil {
					return err
				}
				write := func(w io.Writer) error { return answers.Shares(w, s) }
				if json {
					write = s.WriteJSON
				}
				if err = write(a.Stdout.Text()); err == nil && !s.Known() {
					err = report.ErrIncomplete
				}
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "database (default: the one of watch)")
	f.StringVar(&o.Project, "project", "", "`path|name` of the project in the transcripts")
	f.BoolVar(&json, "json", false, "print one JSON object")
	return cmd
}

// NewPR returns the command pr. Without an argument the range is BASE..HEAD, with BASE from
// [commits.Base].
func NewPR(a *cli.App) *cobra.Command {
	var (
		o  commits.Options
		db string
	)
	cmd := &cobra.Command{
		Use:   "pr [BASE..HEAD]",
		Short: "Write the decisions of a pull request as Markdown",
		Long: `PR prints Markdown for a pull request: the decisions that its changes carry out, in the
words that made them, with the rejected alternatives; whether the changes respect the
project's bans; and where the added lines come from. BASE is main or master by
default. What counts is what was added since BASE and HEAD diverged.

The exit code is 1 if no line is known to come from an agent.`,
		Example: `  memscribe pr
  memscribe pr origin/main..HEAD | gh pr create --body-file -`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Revisions = args[0]
			}
			return ofRepository(cmd.Context(), a, db, &o, func(r *nodedb.Reader) error {
				p, err := commits.Describe(cmd.Context(), r, o)
				if err != nil {
					return err
				}
				if err = p.WriteMarkdown(a.Stdout.Text()); err == nil && !p.Known() {
					err = report.ErrIncomplete
				}
				return err
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&db, "db", "", "database (default: the one of watch)")
	f.StringVar(&o.Project, "project", "", "`path|name` of the project in the transcripts")
	return cmd
}

// ofRepository opens the database and calls do for the repository that the working folder is
// in. It sets Dir, makes Project a path, and sets Revisions if they are "". A folder outside of
// a repository, or a revision that git does not know, is a usage error.
func ofRepository(ctx context.Context, a *cli.App, db string, o *commits.Options, do func(*nodedb.Reader) error) error {
	path, err := flags.Database(a, db)
	if err != nil {
		return err
	}
	if o.Dir, err = os.Getwd(); err != nil {
		return err
	}
	if o.Project, err = flags.ProjectName(o.Project); err != nil {
		return err
	}
	if o.Revisions == "" {
		if o.Revisions, err = commits.Base(ctx, o.Dir); err != nil {
			return usage.Mark(err)
		}
	}
	r, err := nodedb.Open(ctx, path)
	if err != nil {
		return flags.Advised(err)
	}
	err = errors.Join(do(r), r.Close())
	if errors.Is(err, blame.ErrTarget) || errors.Is(err, gitrepo.ErrNoRepository) {
		err = usage.Mark(err)
	}
	return err
}
