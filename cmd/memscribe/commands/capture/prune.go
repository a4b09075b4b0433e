package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/prune"
)

// NewPrune is the command prune.
func NewPrune(a *cli.App) *cobra.Command {
	var (
		o  prune.Options
		db string
	)
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Let go of what is older than is to be kept",
		Long: `Prune deletes, from the database that watch keeps, the conversations, decisions and
edits that are older than the settings of [retention] or the flags say, with the
bindings of what goes, and the messages that are as old as the conversations. It
gives the disk back what becomes free. The journals of what hooks and telemetry have
passed on go too. Watch does the same every day, but for giving back the disk: it
uses again what is free.

The database remembers how far back it goes: what was let go does not come back,
though its transcript is still there and is read again. --readmit takes that back;
a replay into the database then brings what transcripts still have.

A watch may be running. A node without a time is kept.`,
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
	cmd.Flags().StringVar(&db, "db", "", "the database (default: the one that watch keeps)")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "only say what would go")
	cmd.Flags().BoolVar(&o.Readmit, "readmit", false, "have the database take in again what is old")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	return cmd
}
