package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// newMan writes manual pages, for packages. Their date is SOURCE_DATE_EPOCH, if
// that is set, so that the same commit gives the same pages.
func (a *app) newMan() *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write manual pages", Hidden: true, Args: cobra.ExactArgs(1),
		Annotations: map[string]string{configNote: unconfigured},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("create folder of pages: %w", err)
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true
			header := &doc.GenManHeader{Section: "1", Source: "Memscribe", Manual: "Memscribe"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("write pages: %w", err)
			}
			return nil
		},
	}
}
