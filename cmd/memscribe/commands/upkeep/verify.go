package upkeep

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/verify"
)

// NewVerify returns the command verify. With --capture it adds a scrubbed transcript to
// a corpus of fixtures instead of checking one.
func NewVerify(a *cli.App) *cobra.Command {
	var (
		o      verify.Options
		add    verify.AddOptions
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "verify [PATH…]",
		Short: "Check transcripts and their nodes against the contract",
		Long: `Verify reads transcripts and checks the result against the contract: every record gives an
event that points to it, diffs are right, bindings have both ends, and any other division
of the bytes gives the same result. It names what is unknown: records, kinds and members
of objects, versions. Unknown records mean that the tool has changed its format; they are
kept as they are. Nothing is written.

PATH is a file, a folder, an archive, a database of nodes, or a corpus of recorded
sessions (<tool>/<version>/<scenario>). A database is checked for damaged pages and for
foreign triggers, views and tables. A corpus is also compared with its ground
truth. Without a path it checks what the tools on this machine have written, and the
database of watch. The exit code is 3 if a check fails.

--capture adds a session to a corpus instead, without secrets, home paths, user names,
e-mail addresses and the texts of the tool's vendor. It is refused if any of these
remain, or if a check fails.`,
		Example: `  memscribe verify
  memscribe verify fixtures
  memscribe verify --json ~/.codex/sessions | jq .drift
  memscribe verify --capture session.jsonl --as claude_code --name happy_path --corpus fixtures`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if add.File != "" {
				return runAdd(a, add)
			}
			var err error
			if o.Database, err = flags.Database(a, ""); err != nil {
				return err
			}
			return runVerify(cmd.Context(), a, o, args, asJSON)
		},
	}
	flags.AddPlaces(cmd, &o.Places)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&add.File, "capture", "", "scrub this transcript and add it to the corpus")
	cmd.Flags().StringVar(&add.As, "as", "", "with --capture: the tool that wrote it")
	cmd.Flags().StringVar(&add.Name, "name", "", "with --capture: the name of its scenario")
	cmd.Flags().StringVar(&add.Corpus, "corpus", "fixtures", "with --capture: the folder of the corpus")
	return cmd
}
