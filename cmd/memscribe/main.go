// Command memscribe turns the transcripts of coding agents into typed nodes.
//
// The command line is built by [cobra]. This package defines the commands that ask
// questions of a database; commands that capture are in commands/capture, those about
// the program itself in commands/upkeep. What a command does is in a package of its own
// the module's internal/, which takes options and knows neither flags nor a terminal;
// what a person reads of it is printed by a room below internal/ here:
//
//	main → run → rootFor → newWhy      flags → blame.Options
//	                          └─ why → blame.Ask(ctx, reader, options) → answers.Lines
//
// Every command that reads a database follows the same steps: check the flags (errors
// are [usage.Error] and end with exit code 2), find the database, open it, ask, print,
// and close. A question that finds nothing ends with [report.ErrIncomplete], exit code 1.
//
// Exit codes are part of what is promised: 0 done, 1 nothing found or incomplete, 2 a
// wrong command line or settings, 3 a check has found something, 130 interrupted.
//
// A command is added in four places: a constructor in this package or in commands/, a
// room below internal/ if it does more than ask, the tree in rootFor, and the
// documents, which the tests of this package name.
//
// [cobra]: https://github.com/spf13/cobra
package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/host"
)

// main runs the program with the real environment. Everything else takes it as an
// argument, so that tests can give another one.
func main() {
	os.Exit(run(os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Machine: host.Machine{
			OS: runtime.GOOS, Getenv: os.Getenv, Environ: os.Environ, Home: os.UserHomeDir, Now: time.Now,
			SetMemoryLimit: debug.SetMemoryLimit, SetGCPercent: debug.SetGCPercent, SetMaxProcs: runtime.GOMAXPROCS,
			FreeMemory: debug.FreeOSMemory,
		},
	}))
}
