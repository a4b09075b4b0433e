// Package replay implements the commands replay and parse: they read transcripts once, to the
// end, and write nodes or events.
//
//	paths, or the tools' folders ── input.Plan ── source.Reading ──┬─ Events ─▶ lines
//	                                                               └─ Nodes  ─▶ a sink
//
// Lines are sorted by id, so the output does not depend on the order of reading, and several
// goroutines may read. A database shows which node came first, so it is written by one
// goroutine. Problems of single files are reported and make the exit code 1; the other files
// are read.
package replay

import (
	"context"
	"io"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/app/target"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
)

// Options say what a replay reads, and where it writes.
type Options struct {
	Privacy  source.Privacy
	Places   source.Places
	Target   target.Options
	StateDir string
	Jobs     source.Jobs
	Events   bool // write events instead of nodes
}

// Run reads the transcripts below paths; without paths, those in the folders of the tools.
// Everything that was read is in the sink when it returns, even if it returns
// [report.ErrIncomplete].
func Run(ctx context.Context, a *cli.App, o Options, paths []string) error {
	o.Target.NoRedact = o.Privacy.NoRedact
	to, err := o.Target.Resolve(&a.Setup)
	if err != nil {
		return err
	}
	if o.Events && !to.Streams() {
		return usage.Errorf("--events is not for --sink %s, which keeps nodes", to.Name())
	}
	options := source.IntakeOptions(ctx, a.Machine)
	options.MaxConversation = source.Budget(a.Machine, o.Privacy.Memory).Document()
	o.Places.Choose(&options)
	bar := a.NewProgress(o.Events && o.Target.Out == "-")
	bar.Of(&options)
	plan, err := o.Places.Plan(a.Machine, options, o.StateDir, paths)
	if err != nil {
		return err
	}
	r := source.Reading{Privacy: o.Privacy, Plan: plan, Report: a.NewReporter(), Env: a.Machine, Messages: to.Messages()}
	if to.Streams() { // lines are sorted; in a database it shows which came first
		r.Jobs = o.Jobs.Number(source.Budget(a.Machine, o.Privacy.Memory).Limit())
	}
	defer bar.Over(plan)()
	if o.Events {
		err = target.WriteOut(a.Stdout.Data(), to.Out, func(w io.Writer) error { return r.Events(ctx, w) })
	} else {
		err = to.Fill(ctx, func(s sink.Sink) error { return r.Nodes(ctx, s) })
	}
	if err != nil {
		return err
	}
	return r.Report.Result()
}
