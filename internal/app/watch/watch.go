// Package watch follows transcripts and delivers nodes as they appear.
//
// A watch consists of sessions, and a session of loops that run beside each other until
// one of them ends:
//
//	sessions            again and again: the output or the state folder was replaced
//	 └ receiving        OTLP receiver, if asked for
//	    └ lookout       every 800 ms: is the output still the file that was opened?
//	       └ Follow     opens the sink, retries it (sink/retry)
//	          └ keeper  retention: lets old nodes go while idle
//	             └ sharer   sends to teams
//	                └ tail.Source.Run   reads files, calls the follower
//
// Each layer is a function that takes the next one as an argument, starts its
// goroutine, runs the next, and waits for its goroutine to end. So no goroutine
// outlives the call that started it, and an error of any of them ends the session.
//
// Who ends what, and with which result:
//
//	the user or the service manager    ctx ends: the last flush has 1.5 s, then Run returns nil
//	the output was deleted             lookout: the session ends, the next one opens a new file
//	the disk is full                   sink/retry waits; the session stays
//	a file cannot be read              it is reported, the others continue
//	--once, and everything was read    Run returns, with report.ErrIncomplete if an input failed
//
// After three sessions in a minute there is a pause of five seconds.
//
// Everything is read again if the checkpoint was written by another build, with other settings,
// folders or flags, since the nodes may differ then; or if the sink does not have the node that
// was confirmed last.
//
// Where to find what:
//
//	watch.go, sessions.go   Run, and the layers above
//	state.go                locks and checkpoint of the state folder
//	lookout.go              whether the output is still the file that was opened
//	telemetry.go            the OTLP receiver
//	sharing.go              sending to teams and receiving from them
//	shown.go                the line on a terminal, and the status server
//	novelties.go            unknown records, reported once
//	held.go                 what the database still has of excluded projects
package watch

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"time"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/retention"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/budget"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/io/input"
	"github.com/memscribe/memscribe/io/journal"
	"github.com/memscribe/memscribe/io/status"
	"github.com/memscribe/memscribe/io/tail"
)

// Options say what is followed, and where its nodes go.
type Options struct {
	Privacy  source.Privacy
	Places   source.Places
	Target   target.Options
	StateDir string
	Receive  Telemetry
	Keep     retention.Options
	Share    Sharing

	Once       bool   // read everything once and end
	StatusAddr string // address of the status server; "" means that there is none

	// Line shows the state on a terminal, as one line that is overwritten; nil if there is no
	// terminal.
	Line status.Line
}

// Run follows transcripts until ctx ends or, with Once, until everything is read.
//
// Errors of single files are reported, and the others continue. With Once it returns
// [report.ErrIncomplete] if some input could not be read.
func Run(ctx context.Context, s *setup.Setup, o Options) error {
	o.Target.NoRedact = o.Privacy.NoRedact
	to, err := o.Target.Resolve(s)
	if err != nil {
		return err
	}
	roots, err := o.Places.Look(s.Machine)
	if err != nil {
		return err
	}
	if err = o.Receive.check(o.Once, o.Privacy.NoContent); err != nil {
		return err
	}
	journals, err := source.Journals(s.Machine, o.StateDir, o.Places)
	if err == nil && journals == "" && o.Receive.wanted() {
		journals, err = s.JournalDir(o.StateDir)
	}
	if err != nil {
		return err
	}
	if roots, err = source.WithJournals(roots, journals); err != nil {
		return err
	}
	w := &watch{
		Options: o, setup: s, below: roots, journals: journals, report: s.NewReporter(),
		budget: source.Budget(s.Machine, o.Privacy.Memory),
	}
	if !o.Once {
		w.clock = s.Now
	}
	to.Waits, w.messages = !o.Once, to.Messages()
	w.state, err = w.awaitState(ctx, to)
	switch {
	case err != nil && to.Waits && interrupt.WasTerminated(ctx):
		return nil // it was interrupted before anything was read
	case err != nil:
		return err
	}
	source.KeepTo(s.Machine, w.budget, false)
	w.board = status.NewBoard(s.Now())
	to.Waiting = w.board.Waiting
	err = w.shown(ctx, func(ctx context.Context) error { return w.sessions(ctx, to) })
	if to.Waits && interrupt.WasTerminated(ctx) && errors.Is(err, context.Canceled) {
		return nil // it was told to end while a session began
	}
	if err != nil || !o.Once {
		return err
	}
	return w.report.Result()
}

// receiving calls run and receives telemetry meanwhile, if there is an address for it.
func (w *watch) receiving(ctx context.Context, run func(context.Context) error) error {
	if !w.Receive.wanted() {
		return run(ctx)
	}
	read, err := w.budget.Acquire(ctx, w.budget.Reading())
	if err != nil {
		return err
	}
	defer read()
	receiver, err := w.Receive.receiver(ctx, w.journals, w.Privacy.Rules.Redaction, w.budget, w.setup.Now, w.report.Log)
	if err != nil {
		return err
	}
	return beside(ctx, receiver, run)
}

// watch is the state of Run.
type watch struct {
	Options

	setup    *setup.Setup
	below    []discover.Root // the folders that are followed
	journals string          // the folder of the journals among them, or ""
	report   *report.Reporter
	budget   *budget.Budget
	board    *status.Board    // the state that is shown and served
	clock    func() time.Time // for time slices of inputs; nil means that each is read to its end
	observe  func(capture.Progress)
	messages bool // messages are delivered, too

	// These live for one session.
	state    *state
	keeper   *retention.Keeper
	lookout  *lookout // nil for output that is not a file
	distrust bool     // the sink was replaced, so its mark must not be trusted
}

// drainTime is how long the last flush may take when the program is asked to end.
const drainTime = 1500 * time.Millisecond

// follow reads and follows the files and delivers their nodes to a sink.
//
// The checkpoint is checked against the sink before the first file is read.
func (w *watch) follow(ctx context.Context, out sink.Sink) error {
	report := w.report
	c, err := source.NewCapture(source.Way{Privacy: w.Privacy, Budget: w.budget, Problem: report.Problem, Nodes: out, Shapes: true, Messages: w.messages})
	if err != nil {
		return err
	}
	for _, dir := range w.Places.Roots {
		if _, err = os.Stat(dir); err != nil {
			report.Log.Warn("cannot look into root", slog.String("folder", dir), slog.Any("error", err))
		}
	}
	w.state.check(out, w.distrust, report.Log)
	w.sayHeld(ctx)
	w.lookout.begin()
	files, consumer := w.files(c, out)
	if w.Once {
		w.keeper.Nodes(ctx)
		err = files.Once(ctx, consumer)
		if err == nil {
			w.keeper.Pushed(ctx)
		}
		return err
	}
	w.sayFolders()
	err = w.keeper.Beside(ctx, func(ctx context.Context) error {
		shares := sharer{Sharing: w.Share, database: w.keeper.Database, log: w.report.Log, now: w.setup.Now}
		return shares.beside(ctx, func(ctx context.Context) error { return files.Run(ctx, consumer) })
	})
	if err != nil || interrupt.WasTerminated(ctx) {
		return err
	}
	return ctx.Err()
}

// sayFolders logs the folders that are followed, and how many do not exist yet.
func (w *watch) sayFolders() {
	later := 0
	for _, r := range w.below {
		if _, err := os.Stat(r.Dir); err != nil {
			later++
			w.report.Log.Debug("waiting for a folder", slog.String("folder", r.Dir))
			continue
		}
		w.report.Log.Info("watching", slog.String("folder", r.Dir))
	}
	w.report.Log.Info("following", slog.Int("folders", len(w.below)-later), slog.Int("not_there_yet", later))
}

// files returns the source of the files that are followed, and their consumer.
//
// Journals of hooks and telemetry are followed like other files, with one difference: a hook
// names the transcript of its session, which is then followed wherever it is.
func (w *watch) files(c *capture.Capture, out sink.Sink) (*tail.Source, tail.Consumer) {
	report := w.report
	files := &tail.Source{
		Roots: w.below, Log: report.Log, Grace: drainTime, Clock: w.clock, FollowLinks: w.Places.Links, IsStore: w.Places.IsStore,
		Report: func(file string, err error) { report.CannotOpen(input.NewProblem(file, err)) },
		Left:   func(path string) { report.Left([]string{path}) },
		Rest:   w.setup.FreeMemory,
	}
	w.state.store.Each(files.Resume)
	follower := capture.NewFollower(w.follower(c, files, out))
	files.Keeper = capture.NewKeeper(follower, capture.KeeperOptions{Layout: w.layout, IsStore: w.Places.IsStore, Clock: w.clock, MaxConversation: w.budget.Document()})
	if w.journals == "" {
		return files, follower
	}
	return files, &journal.Names{Consumer: follower, Dir: w.journals, Found: func(path string) {
		if !source.IsBelow(files.Roots, path) {
			report.Log.Debug("a hook named a transcript", slog.String("file", path))
			files.Add(discover.Named(path))
		}
	}}
}

// follower returns the options of the follower: its checkpoint, the mark of the sink, and what it
// reports.
func (w *watch) follower(c *capture.Capture, files *tail.Source, out sink.Sink) capture.FollowerOptions {
	f := capture.FollowerOptions{
		Capture: c, Judge: w.judge, Files: files, Store: w.state.store,
		Observe: func(p capture.Progress) {
			w.lookout.settled()
			w.observe(p)
		},
		Problem: func(err error) { w.report.Log.Warn("cannot note what has been dealt with", slog.Any("error", err)) },
	}
	if m, ok := out.(sink.Marker); ok {
		f.Mark = m.Mark
	}
	if t, ok := out.(sink.Tidier); ok {
		f.Idle = t.Tidy
	}
	return f
}

// layout returns the adapter and the layout of a database of a wanted tool, or nil.
func (w *watch) layout(path string, s core.Schema) (core.Adapter, core.Layout) {
	a, layout := source.Layout(w.setup.Machine)(path, s)
	if a == nil || !w.Places.Wants(a.Tool()) {
		return nil, core.Layout{}
	}
	return a, layout
}

// judge returns the adapter and the framing of a transcript of a wanted tool, or nil.
func (w *watch) judge(path string, head []byte, whole bool, place core.Adapter) (core.Adapter, core.Framing) {
	s := input.Sample(path, head, whole)
	a := input.Judge(source.Detect(w.setup.Machine), s, place)
	if a == nil || !w.Places.Wants(a.Tool()) {
		return nil, core.Lines
	}
	return a, input.Framing(a, s)
}
