package upkeep

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/doctor"
)

// NewDoctor is the command doctor.
func NewDoctor(a *cli.App) *cobra.Command {
	var (
		o  doctor.Options
		db string
	)
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say whether everything is ready, and what to do about what is not",
		Long: `Doctor looks at what memscribe depends on and changes nothing: the stores of the
tools and what is in them, records that no adapter knows, how long until a tool
deletes or compresses its oldest transcript, the settings, the limits of the
system, who may read what was written, hooks, the database, the chain of MemDB and
what waits for its server, room on the disk, and whether watch is running. Every
finding says what to do. It ends with 3 if something is wrong.
docs/schema/doctor.v1.json describes what --json prints.

With --deep it reads every transcript that still exists again and compares what
comes out with the nodes in the database, byte for byte.`,
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
	cmd.Flags().StringVar(&db, "db", "", "the database (default: the one that watch keeps)")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&o.Deep, "deep", false, "read everything again and compare it with the database")
	return cmd
}
