package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/prune"
)

// NewPrune returns the command prune. It works on the database of watch, also while
// watch runs; the retention periods come from the settings unless flags give them.
// What was pruned does not come back with a replay, unless --readmit says so.
func NewPrune(a *cli.App) *cobra.Command {
	var (
		o  prune.Options
		db string
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
			return prune.Run(cmd.Context(), a, o)
		},
	}
	flags.AddRetention(cmd, &o.Keep)
	cli.AddStateDir(cmd, &o.StateDir)
	cmd.Flags().StringVar(&db, "db", "", "database (default: the one of watch)")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only show what would be deleted")
	cmd.Flags().BoolVar(&o.Readmit, "readmit", false, "have the database take in again what is old")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return cmd
}
