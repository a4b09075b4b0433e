package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/hook"
)

// defaultRecall is the default for the number of tokens of rules that an agent gets at the
// start of a session.
const defaultRecall = 600

// NewHook returns the command hook, which a tool runs at each event and waits for.
//
// It never fails: unknown flags are ignored, arguments are accepted, errors and panics are
// shown only with -v, and the exit code is 0. If the settings cannot be read, redaction may
// lack rules of the user's, and the payload is stored without its content (Options.Withhold).
//
//	the tool          stdin or last argument ──▶ hook ──▶ the journal of hooks in the state folder
//	                        stdout ◀── only with --recall, and only if there is something to say
func NewHook(a *cli.App) *cobra.Command {
	var o hook.Options
	cmd := &cobra.Command{
		Use:   "hook",
		Short: "Store what a tool passes to its hook",
		Long: `Hook is the command that a tool's hook runs. It reads the payload from standard input or
the last argument, stores it redacted and durable, and ends. It writes nothing to standard
output and always exits with 0, so that a fault never disturbs the tool. With --verbose it
reports faults on stderr.

With --recall it also answers the tool: at the start of a session and after a compaction
with the rules of the project, and before an edit with the decisions and bans for that
file, in at most --recall-tokens (a third of that before an edit), and never the same
thing twice in a session. If there is nothing to say it prints nothing.`,
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
			quietly(a, func() error { return hook.Run(cmd.Context(), &a.Setup, o, a.Piped(), args) })
			return nil
		},
	}
	o.Privacy.Rules = &a.Rules
	cmd.Flags().BoolVar(&o.Privacy.NoContent, "no-content", false, "store only the tool, the session and the path of the transcript")
	cli.Configurable(cmd, "no-content", "redact.no_content")
	cmd.Flags().StringSliceVar(&o.Privacy.Exclude, "exclude", nil, "store nothing from projects that match")
	cli.Configurable(cmd, "exclude", "capture.exclude")
	cmd.SetFlagErrorFunc(func(*cobra.Command, error) error { return nil })
	cmd.Flags().StringVar(&o.Tool, "tool", "", "tool that runs the hook (default: detected from its input)")
	cmd.Flags().BoolVar(&o.Recall.Wanted, "recall", false, "answer with what is in force in the project")
	cmd.Flags().IntVar(&o.Recall.Tokens, "recall-tokens", defaultRecall, "maximum number of tokens in an answer")
	cli.Configurable(cmd, "recall-tokens", "recall.tokens")
	o.Recall.Database = func() (string, error) { return flags.Database(a, "") }
	cli.AddStateDir(cmd, &o.StateDir)
	return cmd
}

// quietly calls do and hides its error and its panic. With -v it prints them on stderr.
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
