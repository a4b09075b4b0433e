package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/intake"
	"github.com/memscribe/memscribe/sink/ndjson"
)

type parseOptions struct {
	privacy

	as     string
	events bool
}

func (a *app) newParse() *cobra.Command {
	var o parseOptions
	cmd := &cobra.Command{
		Use:   "parse FILE",
		Short: "Print the nodes, or the events, of one transcript",
		Long: `Parse reads one transcript, which may be compressed, and prints its nodes as
lines of JSON, sorted, each once. FILE is - for standard input; then --as says
which tool wrote it.`,
		Example: `  memscribe parse ~/.claude/projects/-home-me-app/0c1f….jsonl
  memscribe parse --events rollout-….jsonl.zst
  ssh host cat session.jsonl | memscribe parse - --as claude_code`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.parse(cmd.Context(), o, args[0]) },
	}
	cmd.Flags().StringVar(&o.as, "as", "", "the tool that wrote it, of "+knownTools()+" (default: see for yourself)")
	cmd.Flags().BoolVar(&o.events, "events", false, "print events instead of nodes")
	o.addFlags(a, cmd)
	return cmd
}

func (a *app) parse(ctx context.Context, o parseOptions, name string) error {
	bar := a.NewProgress(o.events)
	plan, err := a.parsePlan(ctx, o, bar, name)
	if err != nil {
		return err
	}
	o.echoes = true // nothing else is read that could tell the same
	r := reading{privacy: o.privacy, plan: plan, report: a.NewReporter()}
	defer bar.Over(plan)()
	if o.events {
		err = a.readEvents(ctx, r, a.Stdout.Data())
	} else {
		err = deliver(ndjson.NewSorted(a.Stdout.Data()), func(s sink.Sink) error { return a.readNodes(ctx, r, s) })
	}
	if err != nil {
		return err
	}
	return r.report.Result()
}

// parsePlan plans to read the one transcript.
func (a *app) parsePlan(ctx context.Context, o parseOptions, bar *cli.Progress, name string) (*intake.Plan, error) {
	options := intakeOptions(ctx)
	bar.Of(&options)
	options.Single = true
	if o.as != "" {
		as, err := adapterOf(o.as)
		if err != nil {
			return nil, err
		}
		options.As = as
	}
	if name == "-" {
		if o.as == "" {
			return nil, cli.Usagef("standard input needs --as, one of %s", knownTools())
		}
		return options.Stream(name, a.Stdin), nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, cli.Usagef("%s is a folder: use replay", name)
	}
	return options.Paths([]string{filepath.Clean(name)}), nil
}
