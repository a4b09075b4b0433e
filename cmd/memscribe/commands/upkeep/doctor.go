package upkeep

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/doctor"
)

// NewDoctor returns the command doctor. It has the flags of watch that say where things
// are, so that it checks what watch would use.
func NewDoctor(a *cli.App) *cobra.Command {
	var (
		o  doctor.Options
		db string
	)
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the installation and say how to fix it",
		Long: `Doctor checks everything that memscribe depends on and changes nothing: the tools' stores
and their contents, unknown records, when a tool will delete or compress its oldest
transcript, settings, system limits, file permissions, hooks, the database, the chain of
MemDB and what waits for its server, disk space, and whether watch is running. Every
finding says what to do. The exit code is 3 if something is wrong.
docs/schema/doctor.v1.json describes the output of --json.

--deep reads every transcript again and compares the result with the nodes in the
database, byte for byte.`,
		Example: `  memscribe doctor
  memscribe doctor --deep
  memscribe doctor --json | jq '.findings[] | select(.level != "ok")'`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{cli.ConfigNote: cli.Lenient},
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Database = func() (string, error) { return flags.Database(a, db) }
			return doctor.Run(cmd.Context(), a, o)
		},
	}
	flags.AddPrivacy(a, cmd, &o.Privacy)
	flags.AddPlaces(cmd, &o.Places)
	flags.AddPushed(cmd, &o.StateDir, &o.Privacy.Echoes)
	cmd.Flags().StringVar(&db, "db", "", "database (default: the one of watch)")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&o.Deep, "deep", false, "read everything again and compare it with the database")
	return cmd
}
