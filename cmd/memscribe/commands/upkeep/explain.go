package upkeep

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/commands/flags"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/answers"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/explain"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/nodedb"
)

// NewExplain returns the command explain.
func NewExplain(a *cli.App) *cobra.Command {
	var (
		db     string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "explain ID",
		Short: "Show the evidence behind the score of a decision",
		Long: `Explain shows why something was taken for a decision: what the person wrote, what the
agent had said before, what it replied and whether it edited, and how much each piece of
this counts. ID is a node's id as query --ids and --json show it, or the beginning of one.

Weights are in log odds: +0.7 doubles the odds that it is a decision, -0.7 halves them.
Their sum becomes the score, the share of decisions with such a sum that are right.

The transcript is read again for this. If it does not exist here, explain shows the
rules that matched, and exits with 1.`,
		Example: `  memscribe explain 94ab03c1
  memscribe explain 94ab03c1 --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return explained(cmd.Context(), a, db, args[0], asJSON)
		},
	}
	cmd.Flags().StringVar(&db, "db", "", "database (default: the one of watch)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object: id, title, score, certain, source, session_id, timestamp, file, line, how (exchange, structured, gone, changed), epitome, evidence (from, says, feature, weight), rules")
	return cmd
}

// explained prints the evidence for a decision. If its transcript is gone or has changed, what
// is known without it is printed, and the error is [report.ErrIncomplete].
func explained(ctx context.Context, a *cli.App, db, id string, asJSON bool) error {
	privacy := source.Privacy{Rules: &a.Rules, Echoes: true}
	path, err := flags.Database(a, db)
	if err != nil {
		return err
	}
	r, err := nodedb.Open(ctx, path)
	if err != nil {
		return flags.Advised(err)
	}
	return errors.Join(flags.Advised(explainFrom(ctx, a, r, id, &privacy, asJSON)), r.Close())
}

// explainFrom explains a decision of a database.
func explainFrom(ctx context.Context, a *cli.App, r *nodedb.Reader, id string, privacy *source.Privacy, asJSON bool) error {
	reporter := a.NewReporter()
	x, err := explain.Ask(ctx, r, id, privacy, func(files []string) *source.Reading {
		options := source.IntakeOptions(ctx, a.Machine)
		options.MaxConversation = source.Budget(a.Machine, privacy.Memory).Document()
		return &source.Reading{Privacy: *privacy, Plan: options.Paths(files), Report: reporter, Env: a.Machine}
	})
	if err != nil {
		return err
	}
	if err := answers.Explanation(a.Stdout.Text(), x, asJSON); err != nil {
		return err
	}
	if x.How == explain.Gone || x.How == explain.Changed {
		return report.ErrIncomplete
	}
	return nil
}
