package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/release"
)

func (a *app) newVersion() *cobra.Command {
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
				return release.WriteSBOM(a.Stdout.Data())
			}
			_, err := a.Stdout.Printf("memscribe %s\n", cli.Version())
			return err
		},
	}
	cmd.Flags().BoolVar(&sbom, "sbom", false, "list the modules that the program is made of")
	return cmd
}

// newMan is the command that writes manual pages, for packages. Their date is
// SOURCE_DATE_EPOCH, if that is set, so that the same commit gives the same pages.
func (a *app) newMan() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write manual pages", Hidden: true, Args: cobra.ExactArgs(1),
		Example:     `  memscribe man ./man`,
		Annotations: map[string]string{cli.ConfigNote: cli.Unconfigured},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("create folder of pages: %w", err)
			}
			at := a.Now().UTC()
			if seconds, err := strconv.ParseInt(a.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
				at = time.Unix(seconds, 0).UTC()
			}
			root := cmd.Root()
			root.InitDefaultCompletionCmd()
			return release.WritePages(root, args[0], at)
		},
	}
}
