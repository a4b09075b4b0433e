package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/budget"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/intake"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/io/status"
	"github.com/memscribe/memscribe/io/tail"
)

type watchOptions struct {
	privacy
	places
	delivery
	pushed
	listening
	keep retention

	once       bool
	statusAddr string
}

func (a *app) newWatch() *cobra.Command {
	var o watchOptions
	cmd := &cobra.Command{
		Use:   "watch",
		Short: "Follow the tools' transcripts and write nodes as they come",
		Long: `Watch finds the transcripts of every tool, catches up with them and follows them,
and those that are made later, until it is stopped. It keeps nodes in a database,
which memscribe query reads, or appends them to a file as lines of JSON; of lines
with the same id, the last one holds. What is there already is not written again.`,
		Example: `  memscribe watch
  memscribe watch --once --sink ndjson --out nodes.ndjson
  memscribe watch --tools codex --sink ndjson --out -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.watch(cmd.Context(), o) },
	}
	o.privacy.addFlags(a, cmd)
	o.places.addFlags(cmd)
	o.addWatchFlags(cmd)
	o.pushed.addFlags(cmd, &o.echoes)
	o.listening.addFlags(cmd)
	o.keep.addFlags(cmd)
	cmd.Flags().BoolVar(&o.once, "once", false, "catch up and exit")
	cmd.Flags().StringVar(&o.statusAddr, "status-addr", "", "serve /healthz and /metrics on this address of the machine, as 127.0.0.1:9464")
	cli.Configurable(cmd, "status-addr", "capture.status_addr")
	return cmd
}

func (a *app) watch(ctx context.Context, o watchOptions) error {
	to, err := o.target(a, o.privacy)
	if err != nil {
		return err
	}
	roots, err := a.watchRoots(o)
	if err != nil {
		return err
	}
	if err = o.check(o); err != nil {
		return err
	}
	journals, err := o.journals(a, o.places)
	if err == nil && journals == "" && o.wanted() {
		journals, err = a.JournalDir(o.stateDir)
	}
	if err != nil {
		return err
	}
	if roots, err = withJournals(roots, journals); err != nil {
		return err
	}
	to.waits = !o.once
	state, err := a.awaitState(ctx, o, to)
	switch {
	case err != nil && to.waits && cli.WasTerminated(ctx):
		return nil // nothing was read yet
	case err != nil:
		return err
	}
	w := watching{watchOptions: o, below: roots, journals: journals, report: a.NewReporter(), state: state, budget: a.budget(o.memory)}
	if !o.once {
		w.clock = a.Now
	}
	a.keepTo(w.budget, false)
	a.Board = status.NewBoard(a.Now())
	err = a.shown(ctx, &w, func(ctx context.Context) error { return w.sessions(ctx, a, to) })
	if err != nil || !o.once {
		return err
	}
	return w.report.Result()
}

// receiving receives telemetry while something else runs, if that is wanted.
func (o *watching) receiving(ctx context.Context, run func(context.Context) error) error {
	if !o.wanted() {
		return run(ctx)
	}
	receiver, err := o.receiver(ctx, o.journals, o.rules.Redaction, o.report.Log)
	if err != nil {
		return err
	}
	return beside(ctx, receiver, run)
}

// watching is what is followed, and how.
type watching struct {
	watchOptions

	below    []discover.Root // the folders that are looked through
	journals string          // the one of them with what tools pushed; or ""
	report   *cli.Reporter
	state    *state
	budget   *budget.Budget
	observe  func(capture.Progress)
	keeper   *keeper
	lookout  *lookout         // nil: what is written to is not kept
	distrust bool             // what was noted of the sink: it was found to be another than before
	clock    func() time.Time // by which inputs take turns; nil: each is read to its end
}

// drainTime is how long the sink may take to become durable when the program is
// asked to end.
const drainTime = 1500 * time.Millisecond

func (o *watching) follow(ctx context.Context, out sink.Sink) error {
	report := o.report
	c, err := newCapture(o.privacy, o.budget, destination{nodes: out}, report)
	if err != nil {
		return err
	}
	for _, dir := range o.roots {
		if _, err = os.Stat(dir); err != nil {
			report.Log.Warn("cannot look into root", slog.String("folder", dir), slog.Any("error", err))
		}
	}
	o.state.check(out, o.distrust, report.Log)
	o.lookout.begin()
	source := &tail.Source{Roots: o.below, Log: report.Log, Grace: drainTime, Report: func(file string, err error) {
		report.CannotOpen(intake.NewProblem(file, err))
	}}
	source.Clock, source.FollowLinks = o.clock, o.links
	source.Left = func(path string) { report.Left([]string{path}) }
	o.state.store.Each(source.Resume)
	files := capture.NewFollower(o.follower(c, source, out))
	source.Keeper = capture.NewKeeper(files, capture.KeeperOptions{Layout: o.layout, IsStore: o.isStore, Clock: o.clock})
	var follower tail.Consumer = files
	if o.journals != "" {
		follower = &journal.Names{Consumer: follower, Dir: o.journals, Found: func(path string) {
			if !isBelow(source.Roots, path) {
				report.Log.Debug("a hook named a transcript", slog.String("file", path))
				source.Add(discover.Named(path))
			}
		}}
	}
	if o.once {
		o.keeper.nodes(ctx)
		err = source.Once(ctx, follower)
		if err == nil {
			o.keeper.pushed(ctx)
		}
		return err
	}
	for _, r := range o.below {
		report.Log.Info("watching", slog.String("folder", r.Dir))
	}
	err = o.keeper.beside(ctx, func(ctx context.Context) error { return source.Run(ctx, follower) })
	if err != nil || cli.WasTerminated(ctx) {
		return err
	}
	return ctx.Err()
}

func (o *watching) follower(c *capture.Capture, source *tail.Source, out sink.Sink) capture.FollowerOptions {
	f := capture.FollowerOptions{
		Capture: c, Judge: o.judge, Files: source, Store: o.state.store,
		Observe: func(p capture.Progress) {
			o.lookout.settled()
			o.observe(p)
		},
		Problem: func(err error) { o.report.Log.Warn("cannot note what has been dealt with", slog.Any("error", err)) },
	}
	if m, ok := out.(sink.Marker); ok {
		f.Mark = m.Mark
	}
	if t, ok := out.(sink.Tidier); ok {
		f.Idle = t.Tidy
	}
	return f
}

func (a *app) watchRoots(o watchOptions) ([]discover.Root, error) {
	if _, err := o.adapters(); err != nil {
		return nil, err
	}
	if len(o.roots) == 0 {
		return o.folders(a.Env)
	}
	var roots []discover.Root
	for _, dir := range o.roots {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return nil, fmt.Errorf("find root %s: %w", dir, err)
		}
		roots = append(roots, discover.Everything(abs))
	}
	return roots, nil
}

// layout says whose database one is, if it is that of a wanted tool.
func (o *watchOptions) layout(path string, s core.Schema) (core.Adapter, core.Layout) {
	a, layout := adapters.Layout(path, s)
	if a == nil || !o.wants(a.Tool()) {
		return nil, core.Layout{}
	}
	return a, layout
}

// judge says whose transcript a file is, if it is that of a wanted tool.
func (o *watchOptions) judge(path string, head []byte, whole bool, place core.Adapter) (core.Adapter, core.Framing) {
	s := intake.Sample(path, head, whole)
	a := intake.Judge(adapters.Detect, s, place)
	if a == nil || !o.wants(a.Tool()) {
		return nil, core.Lines
	}
	return a, intake.Framing(a, s)
}
