package capture

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/team"
	"github.com/memscribe/memscribe/internal/app/watch"
	"github.com/memscribe/memscribe/internal/usage"
)

// NewWatch returns the command watch. Nearly every flag is also a setting, because watch
// usually runs as a service without a command line to edit.
//
// The status line is shown only on a terminal, and only if neither the log nor verbose output
// would be mixed with it.
func NewWatch(a *cli.App) *cobra.Command {
	var o watch.Options
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Follow transcripts and store nodes as they appear",
		Long: `Watch finds the transcripts of every tool, catches up with them and follows them, and new
ones as they appear, until it is stopped. It stores nodes in a database for memscribe
query, or appends them to a file as lines of JSON, where the last line of each id counts.
What is already stored is not written again.`,
		Example: `  memscribe watch
  memscribe watch --once --sink ndjson --out nodes.ndjson
  memscribe watch --tool codex --sink ndjson --out -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Share.Send = func(ctx context.Context, database string) error { return team.Share(ctx, &a.Setup, database) }
			var others team.Others
			o.Share.Receive = func(ctx context.Context, database string) error { return others.Receive(ctx, &a.Setup, database) }
			if o.Share.Every < 0 || o.Share.ReceiveEvery < 0 {
				return usage.Errorf("--share-every and --receive-every: a time is not below 0")
			}
			if a.Stderr.IsTerminal() && a.LogFormat != "json" && (!a.Stdout.IsTerminal() || !a.Verbose) {
				o.Line = a.Stderr
			}
			return watch.Run(cmd.Context(), &a.Setup, o)
		},
	}
	flags.AddPrivacy(a, cmd, &o.Privacy)
	flags.AddPlaces(cmd, &o.Places)
	flags.AddWatchTarget(cmd, &o.Target)
	flags.AddPushed(cmd, &o.StateDir, &o.Privacy.Echoes)
	flags.AddTelemetry(cmd, &o.Receive)
	flags.AddRetention(cmd, &o.Keep)
	cmd.Flags().DurationVar(&o.Share.Every, "share-every", 0, "how often to share new nodes of the projects that you have joined, such as 1m (default: only memscribe sync does)")
	cli.Configurable(cmd, "share-every", "share.every")
	cmd.Flags().DurationVar(&o.Share.ReceiveEvery, "receive-every", 0, "how often to fetch what others share of the projects that you have joined, such as 10m (default: only memscribe sync --receive does)")
	cli.Configurable(cmd, "receive-every", "share.receive_every")
	cmd.Flags().BoolVar(&o.Once, "once", false, "catch up and exit")
	cmd.Flags().StringVar(&o.StatusAddr, "status-addr", "", "address of the machine where watch serves /healthz, /status and /metrics, as 127.0.0.1:9464")
	cli.Configurable(cmd, "status-addr", "capture.status_addr")
	return cmd
}
