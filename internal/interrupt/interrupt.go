// Package interrupt ends work early: contexts that a signal ends, and waits and reads that end
// with a context.
//
//	first SIGINT or SIGTERM     the context ends; commands finish what they are writing
//	second one                  the program ends at once, as the default handler does
//	SIGPIPE                     never a signal: the write returns an error instead
package interrupt

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// OnSignal returns a context that ends with the first SIGINT or SIGTERM, whose cause is
// then a *[Signal]. The second signal ends the program at once. A write to a closed pipe
// is an error from then on, and no signal. stop frees what the context holds; the
// caller calls it once.
func OnSignal() (ctx context.Context, stop func()) {
	signal.Ignore(syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancelCause(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(&Signal{s})
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}

// Signal is the cause of a context that a signal has ended.
type Signal struct{ os.Signal }

// Error names the signal that ended the command.
func (s *Signal) Error() string { return "stopped by " + s.String() }

// WasTerminated reports whether ctx ended by SIGTERM. A service manager ends a service that
// way, so it is no failure then; an interruption by a person (SIGINT) is reported as one.
func WasTerminated(ctx context.Context) bool {
	var s *Signal
	return errors.As(context.Cause(ctx), &s) && s.Signal == syscall.SIGTERM
}

// Wait returns nil after d, or the error of ctx if that ends before.
func Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
