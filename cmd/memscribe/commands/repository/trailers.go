package repository

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/commits"
	"github.com/memscribe/memscribe/internal/nodedb"
	"github.com/memscribe/memscribe/internal/usage"
)

// trailerPatience is how long a commit waits for its trailers. Then it is made without them: a
// commit is never blocked.
const trailerPatience = 5 * time.Second

// NewTrailers returns the command trailers: install and uninstall change the prepare-commit-msg
// hook of the repository, and message is what that hook runs. A hook that was there before is
// kept and still runs.
func NewTrailers(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trailers",
		Short: "Add sessions and decisions to commit messages",
		Long: `Trailers makes git add to each commit message the sessions whose edits are about to be
committed, and the decisions that those edits carry out:

    Memscribe-Session: claude_code 5e550001-0000-4000-8000-000000000000
    Memscribe-Decision: decision:94ab03c1… Use cursor pagination (not: offset)

A hook of this repository (prepare-commit-msg) does this, once it is installed. A hook
that was there before still runs, and uninstall restores it byte for byte. The hook never
stops a commit.`,
		Example: `  memscribe trailers install
  memscribe trailers uninstall`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, c := range []struct {
		use, short, done, was string
		do                    func(context.Context, string) (string, bool, error)
	}{
		{"install", "Install a hook that adds trailers to commit messages", "installed in %s\n", "it is in %s already\n", commits.InstallTrailers},
		{"uninstall", "Remove the hook from this repository", "taken out of %s\n", "it is not in %s\n", commits.RemoveTrailers},
	} {
		cmd.AddCommand(&cobra.Command{
			Use: c.use, Short: c.short, Args: cobra.NoArgs, Example: "  memscribe trailers " + c.use,
			RunE: func(cmd *cobra.Command, _ []string) error {
				dir, err := os.Getwd()
				if err != nil {
					return err
				}
				name, changed, err := c.do(cmd.Context(), dir)
				if err != nil {
					return err
				}
				format := c.was
				if changed {
					format = c.done
				}
				_, err = a.Stdout.Printf(format, name)
				return err
			},
		})
	}
	cmd.AddCommand(newTrailersMessage(a))
	return cmd
}

// newTrailersMessage returns the command that the git hook runs on the file of a commit
// message. Trailers that are in the message already are not added again, so amending a
// commit does not repeat them.
func newTrailersMessage(a *cli.App) *cobra.Command {
	var (
		o  commits.Options
		db string
	)
	cmd := &cobra.Command{
		Use:   "message FILE",
		Short: "Add the trailers of the staged changes to a message",
		Long: `Message is run by the hook. It adds the trailers of the staged changes to the message in
FILE, except those that are already there.`,
		Example: `  memscribe trailers message .git/COMMIT_EDITMSG`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), trailerPatience)
			defer cancel()
			file, err := filepath.Abs(args[0])
			if err != nil {
				return usage.Mark(err)
			}
			o.Revisions = "HEAD"
			return ofRepository(ctx, a, db, &o, func(r *nodedb.Reader) error { return commits.Trailers(ctx, r, o, file) })
		},
	}
	cmd.Flags().StringVar(&db, "db", "", "database (default: the one of watch)")
	cmd.Flags().StringVar(&o.Project, "project", "", "`path|name` of the project in the transcripts")
	return cmd
}
