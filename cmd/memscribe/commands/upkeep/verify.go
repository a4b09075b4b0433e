package upkeep

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/verify"
)

// NewVerify is the command verify.
func NewVerify(a *cli.App) *cobra.Command {
	var (
		o   verify.Options
		add verify.AddOptions
	)
	cmd := &cobra.Command{
		Use:   "verify [PATH…]",
		Short: "Hold transcripts, and what is made of them, to what is promised",
		Long: `Verify reads transcripts and holds what comes out to the promises: every record
gives an event that points to it, diffs are right, bindings have both ends, and
the same comes out when the bytes arrive in other pieces. It names what is not
known of a tool: records, kinds and members of objects in them, versions. The tool
has changed its format, then; what it wrote is kept as it is. Nothing is written.

PATH is files, folders and archives, a database of nodes, whose pages and schema are
looked at (a trigger, a view or a table that Memscribe did not make is named), or a corpus of recorded sessions
(<tool>/<version>/<scenario>): those are held to their scenarios and to what is
known of them, too. Without a path it verifies what the tools on this machine have
written, and the database that watch keeps. It ends with 3 if a promise is not kept.

With --capture a session is added to a corpus instead: without secrets, home
paths, user names, e-mail addresses and the texts of the tool's vendor. It is
refused if something of these is left, or if a promise is not kept.`,
		Example: `  memscribe verify
  memscribe verify fixtures
  memscribe verify --json ~/.codex/sessions | jq .drift
  memscribe verify --capture session.jsonl --as claude_code --name happy_path --corpus fixtures`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if add.File != "" {
				return verify.Add(a, add)
			}
			var err error
			if o.Database, err = flags.Database(a, ""); err != nil {
				return err
			}
			return verify.Run(cmd.Context(), a, o, args)
		},
	}
	flags.AddPlaces(cmd, &o.Places)
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&add.File, "capture", "", "scrub this transcript and add it to the corpus")
	cmd.Flags().StringVar(&add.As, "as", "", "with --capture: the tool that wrote it")
	cmd.Flags().StringVar(&add.Name, "name", "", "with --capture: the name of its scenario")
	cmd.Flags().StringVar(&add.Corpus, "corpus", "fixtures", "with --capture: the folder of the corpus")
	return cmd
}
