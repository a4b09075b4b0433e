package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/replay"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/app/target"
)

// NewReplay returns the command replay, which reads to the end and exits. It keeps no
// positions: a second run reads everything again, and changes nothing in a database that
// already has it.
//
//	replay              the stores of all tools on this machine
//	replay PATH…        files, folders and archives
//	  to stdout or a file    sorted lines, read by several goroutines (--jobs)
//	  to a database          in the order of time, by one goroutine
func NewReplay(a *cli.App) *cobra.Command {
	var o replay.Options
	cmd := &cobra.Command{
		Use:   "replay [PATH…]",
		Short: "Read transcripts and write their nodes",
		Long: `Replay reads files, folders and archives (.zst, .gz, .tar, .tar.gz, .zip) and writes
their nodes as sorted lines of JSON, each node once, however many copies of a session
there are; or it adds them to a database. Without a path it reads what the tools on this
machine have written. Files in folders and archives that are not transcripts are
skipped. A replay into a database that was interrupted can be run again and gives the
same result.`,
		Example: `  memscribe replay > nodes.ndjson
  memscribe replay --tool codex --events
  memscribe replay backup.tar.gz ~/old-laptop/.claude
  memscribe replay --sink sqlite   # where memscribe query looks`,
		RunE: func(cmd *cobra.Command, args []string) error { return replay.Run(cmd.Context(), a, o, args) },
	}
	flags.AddPrivacy(a, cmd, &o.Privacy)
	flags.AddPlaces(cmd, &o.Places)
	flags.AddTarget(cmd, &o.Target, target.Usual{Kind: target.Lines, Stream: true, Database: func() (string, error) { return flags.Database(a, "") }})
	flags.AddPushed(cmd, &o.StateDir, &o.Privacy.Echoes)
	cmd.Flags().BoolVar(&o.Events, "events", false, "write events instead of nodes")
	flags.AddJobs(cmd, &o.Jobs)
	return cmd
}

// NewParse returns the command parse: replay for one file, with the output on standard
// output and without a choice of sink.
func NewParse(a *cli.App) *cobra.Command {
	var o replay.ParseOptions
	cmd := &cobra.Command{
		Use:   "parse FILE",
		Short: "Print the nodes or events of one transcript",
		Long: `Parse reads one transcript, which may be compressed, and prints its nodes as sorted lines
of JSON, each node once. FILE is - for standard input; --as then names the tool that wrote
it.`,
		Example: `  memscribe parse ~/.claude/projects/-home-me-app/0c1f….jsonl
  memscribe parse --events rollout-….jsonl.zst
  ssh host cat session.jsonl | memscribe parse - --as claude_code`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return replay.Parse(cmd.Context(), a, o, args[0]) },
	}
	cmd.Flags().StringVar(&o.As, "as", "", "tool that wrote it: one of "+source.KnownTools()+" (default: detected)")
	cmd.Flags().BoolVar(&o.Events, "events", false, "print events instead of nodes")
	flags.AddPrivacy(a, cmd, &o.Privacy)
	return cmd
}
