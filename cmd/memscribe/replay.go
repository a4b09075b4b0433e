package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/intake"
)

type replayOptions struct {
	privacy
	places
	delivery
	pushed

	events bool
}

func (a *app) newReplay() *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay [PATH…]",
		Short: "Print the nodes of many transcripts",
		Long: `Replay reads files, folders and archives (.zst, .gz, .tar, .tar.gz, .zip) and
writes their nodes as lines of JSON, sorted, each once, however many copies of a
session there are; or it adds them to a database. Without a path it reads what the
tools on this machine have written. In folders and archives, files that are no
transcripts are passed over. A replay into a database that is broken off and run
again gives what it would have given at once.`,
		Example: `  memscribe replay > nodes.ndjson
  memscribe replay --tools codex --events
  memscribe replay backup.tar.gz ~/old-laptop/.claude
  memscribe replay --sink sqlite   # where memscribe query looks`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.replay(cmd.Context(), o, args) },
	}
	o.privacy.addFlags(a, cmd)
	o.places.addFlags(cmd)
	o.delivery.addFlags(cmd, sinkRule{kind: "ndjson", stream: true})
	o.pushed.addFlags(cmd, &o.echoes)
	cmd.Flags().BoolVar(&o.events, "events", false, "write events instead of nodes")
	return cmd
}

func (a *app) replay(ctx context.Context, o replayOptions, paths []string) error {
	to, err := o.target(a, o.privacy)
	if err != nil {
		return err
	}
	if o.events && !to.stream {
		return cli.Usagef("--events is not for --sink %s, which keeps nodes", to.name)
	}
	options := intakeOptions(ctx)
	o.choose(&options)
	bar := a.NewProgress(o.events && o.out == "-")
	bar.Of(&options)
	plan, err := a.replayPlan(options, o, paths)
	if err != nil {
		return err
	}
	r := reading{privacy: o.privacy, plan: plan, report: a.NewReporter()}
	defer bar.Over(plan)()
	if o.events {
		err = writeOut(a.Stdout.Data(), to.out, func(w io.Writer) error { return a.readEvents(ctx, r, w) })
	} else {
		err = to.fill(ctx, a, to, func(s sink.Sink) error { return a.readNodes(ctx, r, s) })
	}
	if err != nil {
		return err
	}
	return r.report.Result()
}

func (a *app) replayPlan(options intake.Options, o replayOptions, paths []string) (*intake.Plan, error) {
	if _, err := o.adapters(); err != nil {
		return nil, err
	}
	if paths = append(paths, o.roots...); len(paths) > 0 {
		if o.home != "" {
			return nil, cli.Usagef("--home is for when no path is given")
		}
		return options.Paths(paths), nil
	}
	roots, err := o.folders(a.Env)
	if err != nil {
		return nil, err
	}
	journals, err := o.journals(a, o.places)
	if err != nil {
		return nil, err
	}
	if roots, err = withJournals(roots, journals); err != nil {
		return nil, err
	}
	return options.Places(roots), nil
}
