package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
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

		Annotations: map[string]string{configNote: unconfigured},
		RunE: func(*cobra.Command, []string) error {
			if sbom {
				return writeSBOM(a.stdout.Data())
			}
			_, err := a.stdout.Printf("memscribe %s\n", version())
			return err
		},
	}
	cmd.Flags().BoolVar(&sbom, "sbom", false, "list the modules that the program is made of")
	return cmd
}

// version is that of the module the program was built from, its commit where the
// build knows it, and what it was built with.
func version() string {
	v, commit := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		v = info.Main.Version
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = " " + s.Value[:min(len(s.Value), 12)] + commit
			case s.Key == "vcs.modified" && s.Value == "true":
				commit += " (modified)"
			}
		}
	}
	return fmt.Sprintf("%s%s %s %s/%s", v, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
