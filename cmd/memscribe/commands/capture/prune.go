package capture

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/human"
)

// NewPrune returns the command prune. It works on the database of watch, also while watch runs.
// The retention periods come from the settings unless flags give them.
//
// Deleted nodes do not return when their transcript is read again: the database keeps a horizon
// for each kind. --readmit removes the horizons, and then a replay restores what the
// transcripts still contain.
func NewPrune(a *cli.App) *cobra.Command {
	var (
		o       retention.PruneOptions
		db      string
		readmit bool
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Delete nodes older than the retention period",
		Long: `Prune deletes from the database of watch the conversations, decisions and edits that are
older than [retention] or the flags allow, their bindings, and messages as old as the
conversations. It returns the freed space to the disk. It also deletes old entries in the
journals of hooks and telemetry. Watch does the same every day, except that it reuses the
freed space.

The database remembers its horizon: deleted nodes do not come back when their transcript
is read again. --readmit removes the horizon; a replay into the database then restores
what the transcripts still contain.

A watch may be running. Nodes without a time are kept.`,
		Example: `  memscribe prune --keep-conversations 90d --dry-run
  memscribe prune --keep-conversations 90d --keep-edits 52w
  memscribe prune --readmit && memscribe replay --sink sqlite`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Database, err = flags.Database(a, db); err != nil {
				return err
			}
			if !o.DryRun || readmit {
				if err = a.Private(a.Logger(), o.Database, ""); err != nil {
					return err
				}
			}
			if readmit {
				return runReadmit(cmd.Context(), a, o.Database)
			}
			pruned, err := retention.Prune(cmd.Context(), a.Machine, o)
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.Stdout.JSON(pruned)
			}
			return printPruned(a.Stdout, &pruned)
		},
	}
	flags.AddRetention(cmd, &o.Keep)
	cli.AddStateDir(cmd, &o.StateDir)
	cmd.Flags().StringVar(&db, "db", "", "database (default: the one of watch)")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only show what would be deleted")
	cmd.Flags().BoolVar(&readmit, "readmit", false, "remove the horizon, so that old nodes can be stored again")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// runReadmit removes the horizon of a database, and says so.
func runReadmit(ctx context.Context, a *cli.App, database string) error {
	if err := retention.Readmit(ctx, database); err != nil {
		return err
	}
	_, err := a.Stdout.Printf("what is old is taken in again; 'memscribe replay --sink sqlite' brings what transcripts still have\n")
	return err
}

// printPruned prints what was deleted, one line for each kind with a retention period, and the
// space that was freed:
//
//	conversations  12 of before 2026-08-24
//	messages       340 of before 2026-08-24
//	bindings       0 of what goes
//	gone; the database has become 1.2 MB smaller
func printPruned(out *console.Printer, p *retention.Pruned) error {
	for _, line := range []struct {
		what  string
		count int64
		since *time.Time
	}{
		{"conversations", p.Conversations, p.Since.Conversations},
		{"messages", p.Messages, p.Since.Conversations},
		{"decisions", p.Decisions, p.Since.Decisions},
		{"edits", p.Edits, p.Since.Edits},
	} {
		if line.since != nil {
			out.Printf("%-14s %d of before %s\n", line.what, line.count, line.since.Format(time.DateOnly))
		}
	}
	if p.Database != "" {
		out.Printf("%-14s %d of what goes\n", "bindings", p.Bindings)
	}
	if p.Since.Journals != nil && !p.DryRun {
		out.Printf("%-14s %d files of before %s\n", "journals", p.Journals, p.Since.Journals.Format(time.DateOnly))
	}
	end := "gone; the database has become " + human.Size(p.Freed) + " smaller"
	switch {
	case p.DryRun:
		end = "would go; nothing was changed"
	case p.Database == "":
		end = "gone"
	}
	_, err := out.Printf("%s\n", end)
	return err
}
