package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/sink"
)

// The exit codes.
const (
	exitDone        = 0
	exitIncomplete  = 1
	exitUsage       = 2
	exitFound       = 3
	exitInterrupted = 130
)

// usageError says that the command cannot be carried out as it was given.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// errIncomplete says that some input could not be processed. What, has been said
// already.
var errIncomplete = errors.New("some input could not be processed")

// errFound says that something was found that should not be there. What, has been
// said already.
var errFound = errors.New("found what should not be there")

// exit turns what a command returned into an exit code, and says what was not
// said yet.
func (a *app) exit(ctx context.Context, cmd *cobra.Command, err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case isClosedPipe(err):
		return exitDone // whoever reads has had enough
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return exitInterrupted
	case errors.Is(err, errIncomplete):
		return exitIncomplete
	case errors.Is(err, errFound):
		return exitFound
	case sink.IsFault(err):
		a.stderr.Printf("memscribe: %v\n", err)
		return exitFound
	case isMisconfigured(err):
		a.stderr.Printf("%v\nmemscribe: the configuration cannot be used; 'memscribe config init --out -' shows what one looks like\n", err)
		return exitUsage
	case errors.As(err, &usage):
		a.stderr.Printf("memscribe: %v\nRun '%s --help' for usage.\n", err, cmd.CommandPath())
		return exitUsage
	default:
		a.stderr.Printf("memscribe: %v\n", err)
		return exitIncomplete
	}
}

// isMisconfigured reports whether err says what is wrong in a file of settings or
// in the environment.
func isMisconfigured(err error) bool {
	_, ok := errors.AsType[config.Problems](err)
	return ok
}

// untilSignal returns a context that ends with the first signal to stop, whose
// cause is a *stopSignal. The second signal ends the program at once.
func untilSignal() (ctx context.Context, stop func()) {
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
			cancel(&stopSignal{s})
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}

// stopSignal is the cause of a context that a signal has ended.
type stopSignal struct{ os.Signal }

func (s *stopSignal) Error() string { return "stopped by " + s.String() }

// wasTerminated reports whether ctx has ended because the program was asked to
// end, as a service is, and not interrupted.
func wasTerminated(ctx context.Context) bool {
	var s *stopSignal
	return errors.As(context.Cause(ctx), &s) && s.Signal == syscall.SIGTERM
}
