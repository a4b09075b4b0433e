package source

import (
	"bufio"
	"context"
	"errors"
	"io"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/core/score"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/budget"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/input"
	"github.com/memscribe/memscribe/io/spill"
)

// IntakeOptions returns the options for files that a user names, the same for all commands.
func IntakeOptions(ctx context.Context, e host.Machine) input.Options {
	return input.Options{
		Detect: Detect(e), Layout: Layout(e), IsStore: (&Places{}).IsStore, Limits: archive.Standard(),
		Wrap: func(r io.Reader) io.Reader { return interrupt.Reader(ctx, r) },
	}
}

// Way is the path from transcripts to a sink, or to a stream of events. A Way is copied for
// each lane; what lanes share is in the last three fields.
type Way struct {
	Privacy Privacy
	Budget  *budget.Budget
	Problem func(capture.Problem) // called for each problem of an input

	Nodes  sink.Sink // exactly one of Nodes and Events is set
	Events io.Writer

	Texts  pipeline.Spill // stores texts outside of memory; may be nil
	Aside  *spill.Store   // where echoes wait; nil means that they are treated like other events
	Shapes bool           // records are compared with the known shapes of their tool

	Messages bool // what was said is delivered too

	Judged func(id string, in decide.Input) // called when a decision is judged; may be nil

	// Shared by the ways of several lanes; nil means that they are made.
	encoder *encode.Encoder
	rules   *gate.Rules
	model   *score.Model
}

// NewCapture returns a capture for the way.
func NewCapture(w Way) (*capture.Capture, error) {
	set, err := w.set()
	if err != nil {
		return nil, err
	}
	return w.capture(set)
}

// set returns an empty set of streams for the way.
func (w *Way) set() (*pipeline.Set, error) {
	leave, err := w.Privacy.Leave()
	if err != nil {
		return nil, err
	}
	rules := w.rules
	if rules == nil {
		rules = w.Privacy.Rules.Gate
	}
	return pipeline.NewSet(pipeline.Options{
		Exclude: leave, Rules: rules, Model: w.model, Threshold: w.Privacy.Rules.Threshold, Echoes: w.Privacy.Echoes, Spill: w.Texts,
		Shapes: w.Shapes, MaxFacts: w.Budget.Facts(), MaxEdit: w.Budget.Edit(), Messages: w.Messages, Judged: w.Judged,
	})
}

// capture returns a capture that drives transcripts through a set.
func (w *Way) capture(set *pipeline.Set) (*capture.Capture, error) {
	encoder := w.encoder
	if encoder == nil {
		var err error
		if encoder, err = w.Privacy.Encoder(); err != nil {
			return nil, err
		}
	}
	return capture.New(capture.Options{
		Set: set, Encoder: encoder, Sink: w.Nodes, Events: w.Events, Echoes: w.Aside, Report: w.Problem,
		MaxLine: w.Budget.Line(), MaxDocument: w.Budget.Document(),
	}), nil
}

// Reading reads the transcripts of a plan once, to their ends.
type Reading struct {
	Privacy Privacy
	Plan    *input.Plan
	Report  *report.Reporter
	Env     host.Machine // for the user's GOGC and GOMEMLIMIT

	Messages bool // what was said is delivered too
	Jobs     int  // number of lanes; 0 means 1
}

// Nodes delivers the nodes of the transcripts to a sink.
func (r *Reading) Nodes(ctx context.Context, s sink.Sink) (err error) {
	if parts := r.parts(); len(parts) > 1 {
		return r.lanes(s, parts).run(ctx, r.Jobs)
	}
	texts, err := spill.New()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, texts.Close()) }()
	return r.run(ctx, Way{Nodes: s, Texts: texts, Messages: r.Messages})
}

// Exchanges reads the transcripts and calls judged each time the exchange of a decision is
// judged; the last call for an id has the complete exchange. Nodes are discarded.
func (r *Reading) Exchanges(ctx context.Context, judged func(id string, in decide.Input)) error {
	return r.run(ctx, Way{Nodes: nowhere{}, Judged: judged})
}

// Events writes the events of the transcripts in the order of reading, also those before an
// error. Echoes without a transcript are written at the end.
func (r *Reading) Events(ctx context.Context, w io.Writer) (err error) {
	way := Way{}
	if !r.Privacy.Echoes {
		if way.Aside, err = spill.New(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, way.Aside.Close()) }()
	}
	buf := bufio.NewWriterSize(w, 256<<10)
	way.Events = buf
	return errors.Join(r.run(ctx, way), buf.Flush())
}

// run reads the transcripts along a way. It fills in the fields that the reading has.
func (r *Reading) run(ctx context.Context, w Way) error {
	w.Privacy, w.Problem, w.Budget = r.Privacy, r.Report.Problem, Budget(r.Env, r.Privacy.Memory)
	KeepTo(r.Env, w.Budget, true)
	c, err := NewCapture(w)
	if err != nil {
		return err
	}
	defer r.Report.Left(r.Plan.Links)
	pace := newPacer(r.Env)
	for t, err := range r.Plan.Transcripts(ctx) {
		if err != nil {
			r.Report.CannotOpen(err)
			continue
		}
		_, stats, err := read(ctx, c, t)
		if err != nil {
			return err
		}
		r.Report.Seen(t, stats)
		pace.next()
	}
	return c.Settle(ctx)
}

// read reads one transcript to its end: a file, or the rows of a conversation in a database. It
// returns the stream, which stays in the capture's set, and what was counted.
func read(ctx context.Context, c *capture.Capture, t input.Transcript) (of *pipeline.Stream, seen pipeline.Stats, err error) {
	s := c.Open(capture.Transcript{Adapter: t.Adapter, Info: t.Info, Framing: t.Framing, File: t.File, Key: t.Key})
	if t.Rows != nil {
		err = s.Rows(ctx, t.Rows)
	} else {
		err = s.Read(ctx, t.Body)
	}
	if err != nil {
		return nil, seen, err
	}
	seen, err = s.Close(ctx)
	return s.Stream(), seen, err
}

// nowhere is a sink that discards everything.
type nowhere struct{}

// Apply implements [sink.Sink].
func (nowhere) Apply(context.Context, []sink.Line) error { return nil }

// Flush implements [sink.Sink].
func (nowhere) Flush(context.Context) error { return nil }

// Close implements [sink.Sink].
func (nowhere) Close() error { return nil }
