package main

import (
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/config"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/io/status"
)

// env is what a command takes from the world around it.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer

	os      string // as GOOS names it
	getenv  func(string) string
	environ func() []string
	home    func() (string, error)
	now     func() time.Time
}

// app is what the commands share: the world and the flags of the root.
type app struct {
	env

	// What is printed goes through these, and never to the writers of env.
	stdout, stderr *console.Printer
	guard          *guard // of stderr

	logFormat  string
	verbose    bool
	configFile string
	started    bool // a command has begun its work: what follows is no usage error

	settings      config.Settings // of the environment and the file
	misconfigured error           // what a lenient command does not stop at
	rules         rules
	stateFolder   string        // as --state-dir names it, where there is such a flag
	board         *status.Board // of a watch
}

// rules are the user's own.
type rules struct {
	redaction redact.Options
	gate      *gate.Rules // with the built-in ones; nil: only those
	digestKey func() ([]byte, error)
	home      func() (string, error)
}

// newApp returns an app in the world of e.
func newApp(e env) *app {
	a := &app{env: e, stdout: console.New(e.stdout), stderr: console.New(e.stderr)}
	a.guard = &guard{rules: &a.rules}
	a.stderr.Clean = a.guard.message
	return a
}

// run runs the program and returns its exit code.
func run(args []string, e env) int {
	a := newApp(e)
	defer a.stderr.Flush()
	a.rules.digestKey, a.rules.home = a.digestKey, a.home
	root := a.rootFor(args)
	root.SetArgs(args)
	root.SetIn(e.stdin)
	root.SetOut(a.stdout.Text())
	root.SetErr(a.stderr.Text())
	ctx, stop := untilSignal()
	defer stop()
	cmd := root
	err := panics.Caught(func() (err error) {
		cmd, err = root.ExecuteContextC(ctx)
		return errors.Join(err, a.stdout.Flush())
	})
	if err != nil && !a.started {
		err = &usageError{err}
	}
	return a.exit(ctx, cmd, err)
}

const about = `Memscribe reads what coding agents write down about their sessions and turns it,
without any model, into nodes: what was talked about, what was decided, what was
edited, and which decision an edit carries out.

Exit codes: 0 done; 1 some input could not be processed (the rest was; each is
named on stderr); 2 wrong usage or configuration; 3 something was found that
should not be there; 130 interrupted.`

// rootFor is the root for a command line. A hook, for which somebody waits, does
// without the commands that it is not.
func (a *app) rootFor(args []string) *cobra.Command {
	if len(args) == 0 || args[0] != "hook" {
		return a.newRoot()
	}
	root := a.bareRoot()
	root.AddCommand(a.newHook())
	return root
}

func (a *app) newRoot() *cobra.Command {
	root := a.bareRoot()
	root.Version = version()
	root.AddCommand(
		a.newParse(),
		a.newReplay(),
		a.newWatch(),
		a.newQuery(),
		a.newWhy(),
		a.newPrune(),
		a.newMemDB(),
		a.newHook(),
		a.newHooks(),
		a.newEval(),
		a.newRedact(),
		a.newVerify(),
		a.newDoctor(),
		a.newConfig(),
		a.newService(),
		a.newDemo(),
		a.newMan(),
		a.newVersion(),
	)
	completeValues(root)
	return root
}

// bareRoot is the root without commands.
func (a *app) bareRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "memscribe",
		Short: "Turn coding agents' transcripts into typed nodes",
		Long:  about,
		Example: `  memscribe demo
  memscribe replay > nodes.ndjson
  memscribe watch
  memscribe query decisions --since 7d
  memscribe doctor`,
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			if err := a.configure(cmd, args); err != nil {
				return err
			}
			if a.logFormat != "text" && a.logFormat != "json" {
				return errors.New("--log-format is text or json")
			}
			a.started = true
			a.sayConfig()
			return nil
		},
	}
	root.SetVersionTemplate("memscribe {{.Version}}\n")
	root.PersistentFlags().StringVar(&a.logFormat, "log-format", "text", "form of what goes to stderr: text or json")
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "say more on stderr")
	root.PersistentFlags().StringVar(&a.configFile, "config", "", "file of settings (default: memscribe.toml here or in your configuration folder)")
	configurable(root, "log-format", "log.format", "text", "json")
	configurable(root, "verbose", "log.verbose")
	return root
}

// logger writes to stderr.
func (a *app) logger() *slog.Logger {
	w := a.stderr.Text()
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if a.verbose {
		o.Level = slog.LevelDebug
	}
	if a.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
