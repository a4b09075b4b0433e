package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/hook"
)

// defaultRecall is how many tokens a session begins with at most, unless somebody
// wants others.
const defaultRecall = 600

// NewHook is the command hook.
func NewHook(a *cli.App) *cobra.Command {
	var o hook.Options
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Take in what a tool passes to its hooks",
		Long: `Hook is what a tool's hook runs: it takes what the tool passes on standard input,
or as the last argument, makes it durable, without its secrets, and ends. It
writes nothing to standard output and exits 0, whatever happens: a hook must not
disturb whoever runs it. With --verbose it says on stderr what went wrong.

With --recall it answers the tool, too: as a session begins and after its compaction
with the rules of the project, before an edit with what is behind the file and what
forbids it, in no more than --recall-tokens (before an edit a third of that), and not
twice in a session. Where there is nothing to say it says nothing.`,
		Example: `  memscribe hook --tool claude_code
  memscribe hook --tool codex '{"type":"agent-turn-complete"}'`,
		Args:               cobra.ArbitraryArgs,
		FParseErrWhitelist: cobra.FParseErrWhitelist{UnknownFlags: true},
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			o.Withhold = "settings" // a rule of the user's may be among what cannot be read
			quietly(a, func() error {
				err := a.Configure(cmd, args)
				if err == nil {
					o.Withhold = ""
				}
				return err
			})
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			a.Started = true
			quietly(a, func() error { return hook.Run(cmd.Context(), a, o, args) })
			return nil
		},
	}
	o.Privacy.Rules = &a.Rules
	cmd.Flags().BoolVar(&o.Privacy.NoContent, "no-content", false, "keep only whose payload it is and where its transcript lies")
	cli.Configurable(cmd, "no-content", "redact.no_content")
	cmd.Flags().StringSliceVar(&o.Privacy.Exclude, "exclude", nil, "keep nothing of projects that match")
	cli.Configurable(cmd, "exclude", "capture.exclude")
	cmd.SetFlagErrorFunc(func(*cobra.Command, error) error { return nil })
	cmd.Flags().StringVar(&o.Tool, "tool", "", "the tool that runs the hook (default: what its input looks like)")
	cmd.Flags().BoolVar(&o.Recall.Wanted, "recall", false, "answer with what is in force in the project")
	cmd.Flags().IntVar(&o.Recall.Tokens, "recall-tokens", defaultRecall, "how many tokens an answer may have")
	cli.Configurable(cmd, "recall-tokens", "recall.tokens")
	o.Recall.Database = func() (string, error) { return flags.Database(a, "") }
	cli.AddStateDir(cmd, &o.StateDir)
	return cmd
}

// quietly does what must not be noticed if it fails.
func quietly(a *cli.App, do func() error) {
	defer func() {
		if r := recover(); r != nil && a.Verbose {
			a.Stderr.Printf("memscribe: hook broke: %v\n", r)
		}
	}()
	if err := do(); err != nil && a.Verbose {
		a.Stderr.Printf("memscribe: %v\n", err)
	}
}
