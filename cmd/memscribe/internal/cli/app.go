// Package cli has what all commands share on the side of the terminal: the flags of the root,
// where flags get their values, printing, progress and exit codes.
//
// An [App] is made from an [Env], so that a test can run a command with its own files, clock
// and streams. The work of a command takes a [setup.Setup] and does not know the App.
//
// The value of a flag comes from the first of these that sets it:
//
//	command line  --sink sqlite
//	environment   MEMSCRIBE_SINK_KIND
//	file          ./memscribe.toml, else memscribe.toml in the configuration folder
//	default       as the help says
//
// The order of a run:
//
//	1  the root parses the command line          a mistake: usage, exit code 2
//	2  App.Configure reads file and environment, and sets the flags that were not given
//	3  the command works                         App.Started is set
//	4  App.Exit prints the error, if it was not printed yet, and returns the exit code
//
// Everything printed on stderr passes the guard, which redacts it: error messages repeat names
// and texts from transcripts.
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

// Env is what a command needs from outside: the machine and the three streams. A test passes
// its own; the program passes those of the process. The functions of the machine that tune the
// process may be nil, all others must be set.
type Env struct {
	host.Machine

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// App is what the commands share: the setup, the terminal, and the flags of the root. Each run
// of a command has its own App. It is used by one goroutine, except Stderr and Guard, which
// loggers of any goroutine write to.
type App struct {
	setup.Setup

	Stdin io.Reader
	env   Env // with the writers below the printers

	// Everything is printed through these, never to the writers of the environment.
	Stdout, Stderr *console.Printer
	Guard          *guard // of stderr

	Verbose bool
	Started bool // a command has begun its work: what follows is no usage error

	Misconfigured error // what a lenient command does not stop at

	// Build makes the root with all commands: settings are known by their flags.
	Build func(*App) *cobra.Command
}

// New returns an App for an environment. It has no commands until Build is set.
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

// Env returns the environment that the App was made from, with the present Machine, which
// settings may have changed.
func (a *App) Env() Env {
	e := a.env
	e.Machine = a.Machine
	return e
}

// Piped returns standard input, or nil if it is a terminal: a command that takes its input from
// a pipe must not wait for a person to type.
func (a *App) Piped() io.Reader {
	if f, ok := a.Stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return a.Stdin
}

// Columns returns the width to which lines of stdout are wrapped: COLUMNS if it is set, else
// the width of the terminal. 0 means that lines are not wrapped, as in a file.
func (a *App) Columns() int {
	if width, err := strconv.Atoi(a.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return a.Stdout.Width()
}

// say prints a message on stderr. An error of printing is ignored, since there is no other
// place to report it.
func (a *App) say(format string, args ...any) { _, _ = a.Stderr.Printf(format, args...) }

// logger returns a logger to stderr, as text or as JSON. It logs from level info on, with
// --verbose also debug. Everything passes the guard, so no secret of a transcript reaches a
// log.
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
