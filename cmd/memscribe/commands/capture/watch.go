package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/watch"
)

// NewWatch is the command watch.
func NewWatch(a *cli.App) *cobra.Command {
	var o watch.Options
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Follow the tools' transcripts and write nodes as they come",
		Long: `Watch finds the transcripts of every tool, catches up with them and follows them,
and those that are made later, until it is stopped. It keeps nodes in a database,
which memscribe query reads, or appends them to a file as lines of JSON; of lines
with the same id, the last one holds. What is there already is not written again.`,
		Example: `  memscribe watch
  memscribe watch --once --sink ndjson --out nodes.ndjson
  memscribe watch --tool codex --sink ndjson --out -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return watch.Run(cmd.Context(), a, o) },
	}
	flags.AddPrivacy(a, cmd, &o.Privacy)
	flags.AddPlaces(cmd, &o.Places)
	flags.AddWatchTarget(cmd, &o.Target)
	flags.AddPushed(cmd, &o.StateDir, &o.Privacy.Echoes)
	flags.AddTelemetry(cmd, &o.Receive)
	flags.AddRetention(cmd, &o.Keep)
	cmd.Flags().BoolVar(&o.Once, "once", false, "catch up and exit")
	cmd.Flags().StringVar(&o.StatusAddr, "status-addr", "", "address of the machine where watch serves /healthz, /status and /metrics, as 127.0.0.1:9464")
	cli.Configurable(cmd, "status-addr", "capture.status_addr")
	return cmd
}
