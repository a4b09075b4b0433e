// Package cli holds what all commands share on the side of the terminal: the root flags,
// how flags get their values, printing, progress and exit codes.
//
// An [App] is made from an [Env], so that a test can run a command in a world of its
// own. What a command does takes its [setup.Setup] and knows no App.
//
// Every value of a flag comes from the first of these that has it:
//
//	command line  --sink sqlite
//	environment   MEMSCRIBE_SINK_KIND
//	file          ./memscribe.toml, else memscribe.toml in the configuration folder
//	default       as the help says
//
// The order of a run: the root parses flags, [App.Configure] fills in those that were
// not given, the command works, and [App.Exit] turns its error into a message and an
// exit code.
package cli

import (
	"io"
	"log/slog"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
)

// Env is what a command takes from the world around it: the machine and the three
// streams. A test gives its own; the program that of the process. The functions of the
// machine that tune the process may be nil, the others must be there.
type Env struct {
	host.Machine

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// App is what the commands share: what they are set up with, the terminal, and the flags
// of the root. One is made for each run of a command.
type App struct {
	setup.Setup

	Stdin io.Reader
	env   Env // with the writers below the printers

	// What is printed goes through these, and never to the writers of the environment.
	Stdout, Stderr *console.Printer
	Guard          *guard // of stderr

	Verbose bool
	Started bool // a command has begun its work: what follows is no usage error

	Misconfigured error // what a lenient command does not stop at

	// Build makes the root with all commands: settings are known by their flags.
	Build func(*App) *cobra.Command
}

// New returns an app in the world of e, without commands.
func New(e Env) *App {
	a := &App{Stdin: e.Stdin, env: e, Stdout: console.New(e.Stdout), Stderr: console.New(e.Stderr)}
	a.Setup = setup.Setup{Machine: e.Machine, Logger: a.logger, Say: a.say, Data: a.Stdout.Data}
	a.Rules = a.BuiltIn()
	a.Guard = &guard{rules: &a.Rules}
	a.Clean = a.Guard.Clean
	a.Progress = func(printing bool) setup.Progress { return a.NewProgress(printing) }
	a.Stderr.Clean = a.Guard.message
	return a
}

// Env returns the world that the app was made from, with what the settings say of its
// environment.
func (a *App) Env() Env {
	e := a.env
	e.Machine = a.Machine
	return e
}

// Piped is standard input; nil where it is a terminal.
func (a *App) Piped() io.Reader {
	if f, ok := a.Stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return a.Stdin
}

// Columns returns how wide a line of stdout may be: as the environment says, else as wide as the
// terminal is; 0 is any width.
// Output into a file has any width.
func (a *App) Columns() int {
	if width, err := strconv.Atoi(a.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return a.Stdout.Width()
}

// say prints a message on stderr. If it cannot be printed, there is no other place for it.
func (a *App) say(format string, args ...any) { _, _ = a.Stderr.Printf(format, args...) }

// logger writes to stderr.
// It logs what is worth knowing, with --verbose also details. Everything passes the
// guard, so that no secret of a transcript reaches a log.
func (a *App) logger() *slog.Logger {
	w := a.Stderr.Text()
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if a.Verbose {
		o.Level = slog.LevelDebug
	}
	if a.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
