// Package retry retries a sink that fails.
//
// A disk that is full or fails for a while makes deliveries wait: whoever
// delivers is held up, so that nothing piles up, and nothing is lost, because
// what was not flushed yet is kept and applied again. What a failed sync has left
// on a disk is not known, so the sink is opened again before it is trusted. If
// it then does not hold what was flushed, waiting does not help: whoever delivers is
// given a [sink.ErrLost].
//
// The states of a Sink:
//
//	             error that passes            attempt succeeds
//	delivering ───────────────────► waiting ───────────────────► delivering
//	                                 │  ▲
//	                                 └──┘ open again, apply what is pending, flush
//	any ── sink.Fault or sink.ErrLost ──► the error is returned
//
// The wait is 250 ms at first and doubles to 30 s. What waits in memory is at most 16
// MiB: beyond that Apply flushes.
package retry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/memscribe/memscribe/internal/sink"
)

// How long to wait between two attempts: longer each time.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 30 * time.Second
)

// pendingSize is how much is kept at most of what was not flushed, in bytes.
const pendingSize = 16 << 20

// Options say what a Sink keeps trying, and how.
type Options struct {
	// Open opens the sink that is delivered to.
	Open func(context.Context) (sink.Sink, error)
	// Passes says of an error of the first opening whether to wait until it has
	// passed; nil waits for none. Later everything is waited for but a [sink.Fault]:
	// what could be opened once can be again.
	Passes func(error) bool
	// Wait waits for so long, or until the context ends; then it returns why.
	Wait func(context.Context, time.Duration) error
	// Failed hears once what keeps the sink from being written to, and again
	// if that changes; Works, that it can be written to after all.
	Failed func(error)
	Works  func()
}

// Sink delivers to another sink, and does not give up. See [sink.Sink].
//
// It belongs to one goroutine, which is held up while the sink fails.
type Sink struct {
	options Options
	inner   sink.Sink // nil: it has to be opened
	pending []sink.Line
	size    int
	mark    string // of what it held when it was last flushed, or opened at first
	failure string // what was said last
}

// Open opens the sink, and waits for what passes.
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

// drop forgets the last lines: the caller will come with them again.
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

// again opens the sink and applies what was not flushed until that works, or
// never will.
//
// The context ends it; the error then has both reasons.
func (s *Sink) again(ctx context.Context, err error, flush bool) error {
	wait := firstWait
	for {
		switch {
		case errors.Is(err, sink.ErrLost), sink.IsFault(err):
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		}
		if !errors.Is(err, errBroken) { // why it is not open was said
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

// attempt opens the sink again and gives it what it has not got. After a failed sync the
// state on the disk is unknown, so that the old one is never used again.
func (s *Sink) attempt(ctx context.Context, flush bool) error {
	if _, failed := s.inner.(broken); !failed {
		_ = s.inner.Close() // it has said what is wrong with it
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

// say reports a failure, once as long as it stays the same.
func (s *Sink) say(err error) {
	if s.failure != err.Error() {
		s.failure = err.Error()
		s.options.Failed(err)
	}
}

// works says so if it was said that something fails.
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

// Tidy implements [sink.Tidier]. Why it could not be done, a delivery finds out, unless what was
// delivered is lost: then somebody has to deliver it again.
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

// broken stands in for a sink that could not be opened again.
type broken struct{}

var errBroken = errors.New("sink is not open")

// Apply returns the error of a sink that could not be opened again.
func (broken) Apply(context.Context, []sink.Line) error { return errBroken }

// Flush returns the same error.
func (broken) Flush(context.Context) error { return errBroken }

// Close does nothing.
func (broken) Close() error { return nil }
