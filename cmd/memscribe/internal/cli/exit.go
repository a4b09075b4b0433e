package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/sink"
)

// The exit codes.
const (
	ExitDone        = 0
	ExitIncomplete  = 1
	ExitUsage       = 2
	ExitFound       = 3
	ExitInterrupted = 130
)

// usageError says that the command cannot be carried out as it was given.
type usageError struct{ error }

// Unwrap returns the error without its mark, for errors.Is and errors.As.
func (e *usageError) Unwrap() error { return e.error }

// Usage is err as what a wrong use of a command leads to.
func Usage(err error) error { return &usageError{err} }

// Usagef says what is wrong with how a command is used.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// ErrIncomplete says that some input could not be processed, or that what was asked
// for is not there. What, has been said already.
var ErrIncomplete = errors.New("some input could not be processed")

// ErrFound says that something was found that should not be there. What, has been
// said already.
var ErrFound = errors.New("found what should not be there")

// Exit turns what a command returned into an exit code, and says what was not
// said yet.
func (a *App) Exit(ctx context.Context, cmd *cobra.Command, err error) int {
	var wrong *usageError
	switch {
	case err == nil:
		return ExitDone
	case isClosedPipe(err):
		return ExitDone // whoever reads has had enough
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return ExitInterrupted
	case errors.Is(err, ErrIncomplete):
		return ExitIncomplete
	case errors.Is(err, ErrFound):
		return ExitFound
	case sink.IsFault(err):
		a.Stderr.Printf("memscribe: %v\n", err)
		return ExitFound
	case isMisconfigured(err):
		a.Stderr.Printf("%v\nmemscribe: the configuration cannot be used; 'memscribe config init --out -' shows what one looks like\n", err)
		return ExitUsage
	case errors.As(err, &wrong):
		a.Stderr.Printf("memscribe: %v\nRun '%s --help' for usage.\n", err, cmd.CommandPath())
		return ExitUsage
	default:
		a.Stderr.Printf("memscribe: %v\n", err)
		return ExitIncomplete
	}
}

// isMisconfigured reports whether err says what is wrong in a file of settings or
// in the environment.
func isMisconfigured(err error) bool {
	_, ok := errors.AsType[config.Problems](err)
	return ok
}

// UntilSignal returns a context that ends with the first signal to stop, whose
// cause is a *stopSignal. The second signal ends the program at once.
func UntilSignal() (ctx context.Context, stop func()) {
	// Writing to a closed pipe shall be an error and not the end.
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
			cancel(&StopSignal{s})
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}

// StopSignal is the cause of a context that a signal has ended.
type StopSignal struct{ os.Signal }

// Error names the signal that ended the command.
func (s *StopSignal) Error() string { return "stopped by " + s.String() }

// WasTerminated reports whether ctx has ended because the program was asked to
// end, as a service is, and not interrupted.
func WasTerminated(ctx context.Context) bool {
	var s *StopSignal
	return errors.As(context.Cause(ctx), &s) && s.Signal == syscall.SIGTERM
}

// Wait waits for so long, or until ctx ends.
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
