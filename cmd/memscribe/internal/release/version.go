// Package release is the commands that a release needs: the version, the list of the
// modules that the program is made of, and the manual pages.
package release

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
)

// NewVersion returns the command that prints the version.
func NewVersion(a *cli.App) *cobra.Command {
	sbom := false
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Version prints what was built, from which commit, and with what. With --sbom it
lists the modules that the program is made of, as a CycloneDX document.`,
		Example: `  memscribe version
  memscribe version --sbom > memscribe.cdx.json`,
		Args: cobra.NoArgs,

		Annotations: map[string]string{cli.ConfigNote: cli.Unconfigured},
		RunE: func(*cobra.Command, []string) error {
			if sbom {
				return writeSBOM(a.Stdout.Data())
			}
			_, err := a.Stdout.Printf("memscribe %s\n", cli.Version())
			return err
		},
	}
	cmd.Flags().BoolVar(&sbom, "sbom", false, "list the modules that the program is made of")
	return cmd
}
