package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/capture"
	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/commands/repository"
	"github.com/memscribe/memscribe/cmd/memscribe/commands/upkeep"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/buildinfo"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/internal/usage"
)

// app has the commands as methods. It adds nothing to [cli.App], which rooms use.
type app struct{ *cli.App }

// newApp returns an app in the world of e.
func newApp(e cli.Env) *app {
	a := &app{cli.New(e)}
	a.Build = func(a *cli.App) *cobra.Command { return (&app{a}).newRoot() }
	return a
}

// run runs the program and returns its exit code. It is the only place that handles
// errors, panics and signals:
//
//	1  the command line is parsed; an error so far is a usage error (exit code 2)
//	2  PersistentPreRunE reads the settings and starts the pager
//	3  the command runs; a panic becomes an error that names the place
//	4  output is flushed; a closed pipe is no error
//	5  [cli.App.Exit] prints the error and chooses the code
func run(args []string, e cli.Env) int {
	a := newApp(e)
	defer a.Stderr.Flush()
	root := a.rootFor(args)
	root.SetArgs(args)
	root.SetIn(e.Stdin)
	root.SetOut(a.Stdout.Text())
	root.SetErr(a.Stderr.Text())
	ctx, stop := interrupt.OnSignal()
	defer stop()
	cmd := root
	err := panics.Caught(func() (err error) {
		cmd, err = root.ExecuteContextC(ctx)
		if errors.Is(err, errVersion) {
			_, err = a.Stdout.Printf("memscribe %s\n", buildinfo.Version())
		}
		return errors.Join(err, a.Stdout.Flush(), a.Stderr.Flush())
	})
	if err != nil && !a.Started {
		err = usage.Mark(err)
	}
	return a.Exit(ctx, cmd, err)
}

// isPaged reports whether a command prints an answer that may be long, and asks
// nothing meanwhile.
func isPaged(cmd *cobra.Command) bool {
	switch cmd.CommandPath() {
	case "memscribe search", "memscribe show", "memscribe sessions", "memscribe projects", "memscribe stats", "memscribe usage",
		"memscribe why", "memscribe explain", "memscribe check", "memscribe commits", "memscribe pr", "memscribe share", "memscribe rules",
		"memscribe export", "memscribe annotations", "memscribe config show", "memscribe redact":
		return true
	}
	return cmd.HasParent() && cmd.Parent().CommandPath() == "memscribe query"
}

const about = `Memscribe reads the transcripts of coding agents and turns them, without any model,
into nodes: conversations, decisions, edits, and the decision that each edit carries out.

Exit codes: 0 success; 1 some input could not be processed (it is named on stderr, the
rest was processed), or nothing was found; 2 wrong usage or configuration; 3 a check has
found something; 130 interrupted.`

// rootFor returns the root for a command line. A tool waits for `memscribe hook`, so
// only that command is built for it, and none for a question about the version.
func (a *app) rootFor(args []string) *cobra.Command {
	switch {
	case len(args) == 1 && args[0] == "--version":
		return a.bareRoot()
	case len(args) > 0 && args[0] == "hook":
		root := a.bareRoot()
		root.AddCommand(capture.NewHook(a.App))
		return root
	}
	return a.newRoot()
}

// errVersion ends the reading of a command line that asks for the version. Cobra's own
// flag would say "memscribe version", and to say something else, would need templates,
// for which the linker keeps what the program never calls.
var errVersion = errors.New("the version is asked for")

// newRoot returns the root command with all commands. There is no registry: this
// list is all there is.
func (a *app) newRoot() *cobra.Command {
	root := a.bareRoot()
	root.AddCommand(
		capture.NewParse(a.App),
		capture.NewReplay(a.App),
		capture.NewWatch(a.App),
		a.newQuery(),
		a.newSearch(),
		a.newShow(),
		a.newResume(),
		a.newSessions(),
		a.newProjects(),
		a.newStats(),
		a.newUsage(),
		a.newTail(),
		a.newWhy(),
		a.newCheck(),
		upkeep.NewExplain(a.App),
		repository.NewCommits(a.App),
		repository.NewPR(a.App),
		repository.NewShare(a.App),
		repository.NewTrailers(a.App),
		a.newMCP(),
		a.newServe(),
		a.newRules(),
		a.newExport(),
		a.newReview(),
		a.newAdd(),
		a.newAnnotations(),
		capture.NewPrune(a.App),
		capture.NewForget(a.App),
		capture.NewMemDB(a.App),
		capture.NewJoin(a.App),
		capture.NewSync(a.App),
		capture.NewLeave(a.App),
		capture.NewHook(a.App),
		capture.NewHooks(a.App),
		upkeep.NewEval(a.App),
		upkeep.NewRedact(a.App),
		upkeep.NewVerify(a.App),
		upkeep.NewDoctor(a.App),
		upkeep.NewConfig(a.App),
		capture.NewService(a.App),
		newDemo(a.App),
		upkeep.NewMan(a.App),
		upkeep.NewVersion(a.App),
		upkeep.NewUpdate(a.App),
	)
	root.AddCommand(a.newCorrections()...)
	a.completeValues(root)
	flags.NameWhatIsNear(root)
	group(root)
	return root
}

// group has the help list the commands by what they are for.
func group(root *cobra.Command) {
	for _, g := range []struct {
		title    string
		commands []string
	}{
		{"Capture:", []string{"watch", "replay", "parse", "service", "hooks", "hook", "demo"}},
		{"Ask:", []string{"query", "search", "why", "explain", "show", "resume", "sessions", "projects", "stats", "usage", "tail", "check"}},
		{"In a git repository:", []string{"commits", "pr", "share", "trailers"}},
		{"For agents, browsers and readers:", []string{"mcp", "serve", "rules", "export"}},
		{"Correct and delete:", []string{"review", "accept", "reject", "edit", "pin", "note", "supersede", "add", "annotations", "forget", "prune"}},
		{"Share:", []string{"join", "sync", "leave", "memdb"}},
		{"The program itself:", []string{"doctor", "config", "update", "version", "verify", "redact", "eval", "man", "completion", "help"}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range root.Commands() {
			if slices.Contains(g.commands, c.Name()) {
				c.GroupID = g.title
			}
		}
		if slices.Contains(g.commands, "help") {
			root.SetHelpCommandGroupID(g.title)
			root.SetCompletionCommandGroupID(g.title)
		}
	}
}

// currentName returns what a flag is called now: what was installed with its name of before
// still runs.
func currentName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if name == "tools" {
		name = "tool"
	}
	return pflag.NormalizedName(name)
}

// bareRoot returns the root without commands.
//
// The flags here hold for every command and must be read before a command starts: the
// form of the log, and the settings file.
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
			if err := a.Configure(cmd, args); err != nil {
				return err
			}
			if a.LogFormat != "text" && a.LogFormat != "json" {
				return errors.New("--log-format is text or json")
			}
			a.Started = true
			if isPaged(cmd) {
				a.Page()
			}
			a.SayConfig()
			return nil
		},
	}
	root.SetGlobalNormalizationFunc(currentName)
	root.Flags().BoolFunc("version", "version for memscribe", func(string) error { return errVersion })
	root.PersistentFlags().StringVar(&a.LogFormat, "log-format", "text", "format of logs on stderr: text or json")
	root.PersistentFlags().BoolVarP(&a.Verbose, "verbose", "v", false, "log more on stderr")
	root.PersistentFlags().StringVar(&a.ConfigFile, "config", "", "settings file (default: memscribe.toml in the current folder or in your configuration folder)")
	cli.Configurable(root, "log-format", "log.format", "text", "json")
	cli.Configurable(root, "verbose", "log.verbose")
	return root
}
