package upkeep

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/redaction"
)

// NewRedact is the command redact.
func NewRedact(a *cli.App) *cobra.Command {
	var o redaction.Options
	cmd := &cobra.Command{
		Use:   "redact FILE…",
		Short: "Show what redaction would remove",
		Long: `Redact searches files of any kind, compressed ones too, for secrets and shows each one:
its place, its type, the rule, the masked secret, and the line as it would be kept. It
changes nothing. FILE is - for standard input.`,
		Example: `  memscribe redact ~/.claude/projects/-home-me-app/0c1f….jsonl
  git diff | memscribe redact --check -
  memscribe redact --json notes.md .env | jq -r .type`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return redaction.Run(cmd.Context(), a, o, args) },
	}
	cmd.Flags().BoolVar(&o.Check, "check", false, "end with 3 if something is found")
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print each finding as a JSON object on a line")
	cmd.Flags().BoolVar(&o.NoContent, "no-content", false, "show no text, not even masked, and paths as hashes")
	cli.Configurable(cmd, "no-content", "redact.no_content")
	return cmd
}
