package main

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"
)

// env is what a command takes from the world around it.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	os     string // as GOOS names it
	getenv func(string) string
	home   func() (string, error)
	now    func() time.Time
}

// isTerminal reports whether somebody looks at what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// app is what the commands share: the world and the flags of the root.
type app struct {
	env

	logFormat string
	verbose   bool
	started   bool // a command has begun its work: what follows is no usage error
}

// run runs the program and returns its exit code.
func run(args []string, e env) int {
	a := &app{env: e}
	root := a.newRoot()
	root.SetArgs(args)
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	ctx, stop := untilSignal()
	defer stop()
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !a.started {
		err = &usageError{err}
	}
	return a.exit(ctx, cmd, err)
}

const about = `Memscribe reads what coding agents write down about their sessions and turns it,
without any model, into nodes: what was talked about, what was decided, what was
edited, and which decision an edit carries out.

Exit codes: 0 done; 1 some input could not be processed (the rest was; each is
named on stderr); 2 wrong usage; 130 interrupted.`

func (a *app) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "memscribe",
		Short:         "Turn coding agents' transcripts into typed nodes",
		Long:          about,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if a.logFormat != "text" && a.logFormat != "json" {
				return errors.New("--log-format is text or json")
			}
			a.started = true
			return nil
		},
	}
	root.SetVersionTemplate("memscribe {{.Version}}\n")
	root.PersistentFlags().StringVar(&a.logFormat, "log-format", "text", "form of what goes to stderr: text or json")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "say more on stderr")
	root.AddCommand(a.newParse(), a.newReplay(), a.newWatch(), a.newEval(), a.newVersion())
	return root
}

// logger writes to stderr.
func (a *app) logger() *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if a.verbose {
		o.Level = slog.LevelDebug
	}
	if a.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(a.stderr, o))
	}
	return slog.New(slog.NewTextHandler(a.stderr, o))
}
