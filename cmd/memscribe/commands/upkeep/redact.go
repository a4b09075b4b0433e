package upkeep

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/secrets"
	"github.com/memscribe/memscribe/internal/visible"
)

// redactHow says how findings are printed.
type redactHow struct {
	check     bool // a finding is an error
	noContent bool // no text, not even masked, and paths as hashes
	json      bool
}

// NewRedact returns the command redact.
func NewRedact(a *cli.App) *cobra.Command {
	var how redactHow
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
		RunE: func(cmd *cobra.Command, args []string) error { return runRedact(cmd.Context(), a, how, args) },
	}
	cmd.Flags().BoolVar(&how.check, "check", false, "exit with 3 if something is found")
	cmd.Flags().BoolVar(&how.json, "json", false, "print one JSON object per finding")
	cmd.Flags().BoolVar(&how.noContent, "no-content", false, "show no text, not even masked, and paths as hashes")
	cli.Configurable(cmd, "no-content", "redact.no_content")
	return cmd
}

// runRedact prints the secrets in files. With check, one is a [report.ErrFound].
func runRedact(ctx context.Context, a *cli.App, how redactHow, names []string) error {
	out, count := bufio.NewWriter(a.Stdout.Text()), 0
	err := secrets.Search(ctx, &a.Setup, a.Stdin, names, func(f secrets.Finding) error {
		count++
		return printFinding(out, f, how)
	})
	if err = errors.Join(err, out.Flush()); err == nil && how.check && count > 0 {
		return report.ErrFound
	}
	return err
}

// printFinding prints one finding, as text or as a line of JSON.
func printFinding(w io.Writer, f secrets.Finding, how redactHow) error {
	if how.noContent {
		f.File, f.Masked, f.Stays = core.HashPath(f.File), "", ""
	}
	if how.json {
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(f)
	}
	_, err := visible.Fprintf(w, "%s:%d:%d: %s (rule %s), %d bytes", f.File, f.Line, f.Column, f.Type, f.Rule, f.Bytes)
	if err == nil && f.Masked != "" {
		_, err = visible.Fprintf(w, ": %s\n    %s", f.Masked, f.Stays)
	}
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}
