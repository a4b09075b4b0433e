package upkeep

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/answers"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/doctor"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/source"
)

// NewDoctor returns the command doctor. It has the flags of watch that say where things
// are, so that it checks what watch would use.
func NewDoctor(a *cli.App) *cobra.Command {
	var (
		o  doctor.Options
		db string

		asJSON bool
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
			return examine(cmd.Context(), a, o, asJSON)
		},
	}
	flags.AddPrivacy(a, cmd, &o.Privacy)
	flags.AddPlaces(cmd, &o.Places)
	flags.AddPushed(cmd, &o.StateDir, &o.Privacy.Echoes)
	cmd.Flags().StringVar(&db, "db", "", "database (default: the one of watch)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&o.Deep, "deep", false, "read everything again and compare it with the database")
	return cmd
}

// examine prints what doctor finds. Something that is wrong is a [report.ErrFound].
func examine(ctx context.Context, a *cli.App, o doctor.Options, asJSON bool) error {
	o.Misconfigured = a.Misconfigured
	if a.Environ != nil {
		for _, name := range a.StrayVariables() {
			o.Stray = append(o.Stray, doctor.Stray{Name: name, Hint: a.NearVariable(name)})
		}
	}
	found, err := doctor.Run(ctx, &a.Setup, o)
	if err != nil {
		return err
	}
	if err := writeReport(a, found, asJSON); err != nil {
		return err
	}
	if found.Broken() {
		return report.ErrFound
	}
	return nil
}

// writeReport prints a report. It has paths in it, so it is redacted.
func writeReport(a *cli.App, found *doctor.Report, asJSON bool) error {
	var b strings.Builder
	if asJSON {
		out := json.NewEncoder(&b)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		if err := out.Encode(found); err != nil {
			return err
		}
	} else {
		answers.Doctor(&b, found, a.Now())
	}
	encoder, err := (&source.Privacy{Rules: &a.Rules}).Encoder()
	if err != nil {
		return err
	}
	clean, _, err := encoder.Scrubber.Scrub(core.TextField, []byte(b.String()))
	if err != nil {
		return err
	}
	_, err = a.Stdout.Text().Write(clean)
	return err
}
