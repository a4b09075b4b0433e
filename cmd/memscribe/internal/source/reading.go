package source

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/internal/budget"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/intake"
	"github.com/memscribe/memscribe/io/shelf"
	"github.com/memscribe/memscribe/io/unpack"
)

// IntakeOptions are what all commands want of the files that a user names.
func IntakeOptions(ctx context.Context, e cli.Env) intake.Options {
	return intake.Options{
		Detect: Detect(e), Layout: adapters.Layout, IsStore: (&Places{}).IsStore, Limits: unpack.Standard(),
		Wrap: func(r io.Reader) io.Reader { return cli.Interruptible(ctx, r) },
	}
}

// Way leads from transcripts to a sink, or to a stream of events.
type Way struct {
	Privacy Privacy
	Budget  *budget.Budget
	Report  *cli.Reporter

	Nodes  sink.Sink // one of the two is set
	Events io.Writer

	Texts  pipeline.Shelf // keeps texts out of memory; or nil
	Aside  *shelf.Shelf   // where echoes wait; nil: they come like any other event
	Shapes bool           // records are compared with what is known of their tool's

	Messages bool // what was said is delivered too
}

// NewCapture builds the way.
func NewCapture(w Way) (*capture.Capture, error) {
	encoder, err := w.Privacy.Encoder()
	if err != nil {
		return nil, err
	}
	leave, err := w.Privacy.Leave()
	if err != nil {
		return nil, err
	}
	rules := w.Privacy.Rules
	set, err := pipeline.NewSet(pipeline.Options{
		Leave: leave, Rules: rules.Gate, Threshold: rules.Threshold, Echoes: w.Privacy.Echoes, Shelf: w.Texts, Shapes: w.Shapes,
		MaxFacts: w.Budget.Facts(), Messages: w.Messages,
	})
	if err != nil {
		return nil, err
	}
	return capture.New(capture.Options{
		Set: set, Encoder: encoder, Sink: w.Nodes, Events: w.Events, Echoes: w.Aside, Report: w.Report.Problem,
		MaxLine: w.Budget.Line(), MaxDocument: w.Budget.Document(),
	}), nil
}

// Reading is a series of transcripts that is read once to its end.
type Reading struct {
	Privacy Privacy
	Plan    *intake.Plan
	Report  *cli.Reporter
	Env     cli.Env // for the owner's settings of memory

	Messages bool // what was said is delivered too
}

// Nodes delivers the nodes of the transcripts.
func (r *Reading) Nodes(ctx context.Context, s sink.Sink) (err error) {
	texts, err := shelf.New()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, texts.Close()) }()
	return r.run(ctx, Way{Nodes: s, Texts: texts, Messages: r.Messages})
}

// Events prints the events of the transcripts as they come, those before an error
// too. Echoes come at the end, if nothing else says the same.
func (r *Reading) Events(ctx context.Context, w io.Writer) (err error) {
	way := Way{}
	if !r.Privacy.Echoes {
		if way.Aside, err = shelf.New(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, way.Aside.Close()) }()
	}
	buf := bufio.NewWriterSize(w, 256<<10)
	way.Events = buf
	return errors.Join(r.run(ctx, way), buf.Flush())
}

// run reads the transcripts along a way that is complete but for what the reading has.
func (r *Reading) run(ctx context.Context, w Way) error {
	w.Privacy, w.Report, w.Budget = r.Privacy, r.Report, Budget(r.Env, r.Privacy.Memory)
	KeepTo(r.Env, w.Budget, true)
	c, err := NewCapture(w)
	if err != nil {
		return err
	}
	defer r.Report.Left(r.Plan.Links)
	for t, err := range r.Plan.Transcripts(ctx) {
		if err != nil {
			r.Report.CannotOpen(err)
			continue
		}
		if err := r.one(ctx, c, t); err != nil {
			return err
		}
	}
	return c.Settle(ctx)
}

// one reads one transcript, or the rows of one that lies in a database.
func (r *Reading) one(ctx context.Context, c *capture.Capture, t intake.Transcript) (err error) {
	s := c.Open(capture.Transcript{Adapter: t.Adapter, Info: t.Info, Framing: t.Framing, File: t.File, Key: t.Key})
	if t.Rows != nil {
		err = s.Rows(ctx, t.Rows)
	} else {
		err = s.Read(ctx, t.Body)
	}
	if err != nil {
		return err
	}
	stats, err := s.Close(ctx)
	if err != nil {
		return err
	}
	r.Report.Seen(t, stats)
	return nil
}
