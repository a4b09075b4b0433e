// Package retry retries a sink that fails.
//
// While a disk is full or fails, Apply and Flush wait. The caller waits too, so nothing piles up.
// Nothing is lost: lines that are not flushed yet are kept and applied again. After a failed sync
// the state on disk is unknown, so the sink is reopened. If it then does not hold what was flushed
// before, waiting does not help, and the caller gets a [sink.ErrLost].
//
// The states of a Sink:
//
//	             error that passes            attempt succeeds
//	delivering ───────────────────► waiting ───────────────────► delivering
//	                                 │  ▲
//	                                 └──┘ open again, apply what is pending, flush
//	any ── sink.Fault or sink.ErrLost ──► the error is returned
//
// The first wait is 250 ms; it doubles up to 30 s. At most 16 MiB are kept for applying again:
// when there are more, Apply flushes.
//
// What happens while a disk is full, step by step:
//
//	Apply(batch)            inner.Apply fails: no space
//	  Failed("no space")    the user sees one line, not one for each attempt
//	  wait 250 ms, close, open, apply the pending lines: fails
//	  wait 500 ms, …        up to 30 s between two attempts
//	  somebody makes room   open, apply, flush: succeeds
//	  Works()
//	  returns nil           the caller does not know that anything happened
//
// What ends the waiting: the end of the context; a [sink.Fault], which a person must repair;
// and a [sink.ErrLost], after which everything must be delivered again.
package retry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
)

// The first and the longest wait between two attempts.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 30 * time.Second
)

// pendingSize is the number of bytes of unflushed lines over which Apply flushes.
const pendingSize = 16 << 20

// Options are the sink that is retried, and how.
type Options struct {
	// Open opens the inner sink.
	Open func(context.Context) (sink.Sink, error)
	// Passes reports whether an error of the first opening may pass, so that Open waits; nil
	// means that it does not wait. Later every error is retried except a [sink.Fault]: a sink
	// that could be opened once can be opened again.
	Passes func(error) bool
	// Wait waits for a duration. It returns the cause if the context ends first.
	Wait func(context.Context, time.Duration) error
	// Failed is called with the error when the sink fails, and again when the error changes.
	// Works is called when the sink works again.
	Failed func(error)
	Works  func()
}

// Sink delivers to another sink and retries until that works. See [sink.Sink].
//
// It must be used by one goroutine, which waits while the sink fails.
type Sink struct {
	options Options
	inner   sink.Sink   // nil until it is opened
	pending []sink.Line // applied since the last flush
	size    int         // bytes of pending
	mark    string      // the mark of the inner sink after the last flush or the first opening
	failure string      // the last error that was passed to Failed
}

// Open opens the sink. It waits for errors that may pass.
func Open(ctx context.Context, o Options) (*Sink, error) {
	s := &Sink{options: o}
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		inner, err := o.Open(ctx)
		switch {
		case err == nil:
			s.inner = inner
			s.mark = s.Mark()
			s.works()
			return s, nil
		case ctx.Err() != nil || o.Passes == nil || sink.IsFault(err) || !o.Passes(err):
			return nil, err
		}
		s.say(err)
		if end := o.Wait(ctx, wait); end != nil {
			return nil, fmt.Errorf("%w: %w", end, err)
		}
	}
}

// Apply implements [sink.Sink]. It returns an error only if ctx ends, or one that is a
// [sink.ErrLost] or a [sink.Fault].
func (s *Sink) Apply(ctx context.Context, lines []sink.Line) error {
	for _, l := range lines {
		l.JSON = append([]byte(nil), l.JSON...)
		s.pending = append(s.pending, l)
		s.size += len(l.JSON)
	}
	added := s.pending[len(s.pending)-len(lines):]
	if err := s.inner.Apply(ctx, added); err != nil {
		if err = s.again(ctx, err, false); err != nil {
			s.drop(len(lines))
			return err
		}
	}
	if s.size > pendingSize {
		return s.Flush(ctx)
	}
	return nil
}

// drop removes the last n lines from pending, because the caller will apply them again.
func (s *Sink) drop(n int) {
	rest := len(s.pending) - n
	for _, l := range s.pending[rest:] {
		s.size -= len(l.JSON)
	}
	clear(s.pending[rest:])
	s.pending = s.pending[:rest]
}

// Flush implements [sink.Sink]. It returns an error only if ctx ends, or one that is a
// [sink.ErrLost] or a [sink.Fault].
func (s *Sink) Flush(ctx context.Context) error {
	if err := s.inner.Flush(ctx); err != nil {
		if err = s.again(ctx, err, true); err != nil {
			return err
		}
	}
	clear(s.pending)
	s.pending, s.size = s.pending[:0], 0
	s.mark = s.Mark()
	return nil
}

// again reopens the sink and applies the pending lines. It repeats this until it succeeds or fails
// permanently.
//
// If ctx ends, the returned error has both causes.
func (s *Sink) again(ctx context.Context, err error, flush bool) error {
	wait := firstWait
	for {
		switch {
		case errors.Is(err, sink.ErrLost), sink.IsFault(err):
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		if !errors.Is(err, errBroken) { // the reason was reported before
			s.say(err)
		}
		if end := s.options.Wait(ctx, wait); end != nil {
			return fmt.Errorf("%w: %w", end, err)
		}
		wait = min(2*wait, lastWait)
		if err = s.attempt(ctx, flush); err == nil {
			s.works()
			return nil
		}
	}
}

// attempt reopens the sink and applies the pending lines. The old sink is never used again, since
// after a failed sync the state on disk is unknown.
func (s *Sink) attempt(ctx context.Context, flush bool) error {
	if _, failed := s.inner.(broken); !failed {
		_ = s.inner.Close() // its error is known
		s.inner = broken{}
	}
	inner, err := s.options.Open(ctx)
	if err != nil {
		return err
	}
	s.inner = inner
	if s.mark != "" && !s.Holds(s.mark) {
		return fmt.Errorf("open it again: %w", sink.ErrLost)
	}
	if len(s.pending) > 0 {
		if err := inner.Apply(ctx, s.pending); err != nil {
			return err
		}
	}
	if !flush {
		return nil
	}
	return inner.Flush(ctx)
}

// say calls Failed, once as long as the error stays the same.
func (s *Sink) say(err error) {
	if s.failure != err.Error() {
		s.failure = err.Error()
		s.options.Failed(err)
	}
}

// works calls Works if Failed was called before.
func (s *Sink) works() {
	if s.failure != "" {
		s.failure = ""
		s.options.Works()
	}
}

// Mark implements [sink.Marker]. It is empty if the sink has no mark.
func (s *Sink) Mark() string {
	if m, ok := s.inner.(sink.Marker); ok {
		return m.Mark()
	}
	return ""
}

// Holds implements [sink.Marker].
func (s *Sink) Holds(mark string) bool {
	m, ok := s.inner.(sink.Marker)
	return ok && m.Holds(mark)
}

// Tidy implements [sink.Tidier]. It ignores errors, which the next delivery finds, except a
// [sink.ErrLost]: then everything must be delivered again.
func (s *Sink) Tidy(ctx context.Context) error {
	if t, ok := s.inner.(sink.Tidier); ok {
		if err := t.Tidy(ctx); errors.Is(err, sink.ErrLost) {
			return err
		}
	}
	return nil
}

// Close implements [sink.Sink].
func (s *Sink) Close() error { return s.inner.Close() }

// broken takes the place of a sink that could not be reopened.
type broken struct{}

var errBroken = errors.New("sink is not open")

// Apply returns the error of a sink that could not be opened again.
func (broken) Apply(context.Context, []sink.Line) error { return errBroken }

// Flush returns the same error.
func (broken) Flush(context.Context) error { return errBroken }

// Close does nothing.
func (broken) Close() error { return nil }
