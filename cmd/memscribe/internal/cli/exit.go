package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/sink"
	"github.com/memscribe/memscribe/internal/usage"
)

// The exit codes. Scripts depend on them, so a code never changes its meaning.
//
//	0    done; also if the reader of the output closed the pipe
//	1    incomplete: something could not be read, or a question found nothing
//	2    wrong usage, or a mistake in the configuration; nothing was done
//	3    found: a check found something wrong (doctor, verify, a broken ban, a bad chain)
//	130  interrupted
const (
	ExitDone        = 0
	ExitIncomplete  = 1
	ExitUsage       = 2
	ExitFound       = 3
	ExitInterrupted = 130
)

// Exit returns the exit code for the error of a command, and prints the error unless the
// command has printed it already ([report.ErrIncomplete], [report.ErrFound]). The first case
// that applies counts.
func (a *App) Exit(ctx context.Context, cmd *cobra.Command, err error) int {
	switch {
	case err == nil:
		return ExitDone
	case isClosedPipe(err):
		return ExitDone // whoever reads has had enough
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return ExitInterrupted
	case errors.Is(err, report.ErrIncomplete):
		return ExitIncomplete
	case errors.Is(err, report.ErrFound):
		return ExitFound
	case sink.IsFault(err):
		a.Stderr.Printf("memscribe: %v\n", err)
		return ExitFound
	case isMisconfigured(err):
		a.Stderr.Printf("%v\nmemscribe: the configuration cannot be used; 'memscribe config init --out -' shows what one looks like\n", err)
		return ExitUsage
	case usage.Is(err):
		a.Stderr.Printf("memscribe: %v\nRun '%s --help' for usage.\n", err, cmd.CommandPath())
		return ExitUsage
	default:
		a.Stderr.Printf("memscribe: %v\n", err)
		return ExitIncomplete
	}
}

// isMisconfigured reports whether err is about mistakes in a settings file or in an environment
// variable.
func isMisconfigured(err error) bool {
	_, ok := errors.AsType[config.Problems](err)
	return ok
}
