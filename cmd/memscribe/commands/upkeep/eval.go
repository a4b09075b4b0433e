package upkeep

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/eval"
)

// NewEval returns the command eval.
func NewEval(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure decisions and redaction against labelled data",
		Example: `  memscribe eval decisions turns.jsonl
  memscribe eval redaction cases.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newEvalDecisions(a), newEvalRedaction(a))
	return cmd
}

// newEvalDecisions returns the command eval decisions.
func newEvalDecisions(a *cli.App) *cobra.Command {
	var o eval.DecisionsOptions
	cmd := &cobra.Command{
		Use:   "decisions FILE…",
		Short: "Measure decisions against labelled turns",
		Long: `Eval decisions judges labelled turns and prints precision, recall and F1 with 95 %
intervals: overall, per kind, per language, per category and per rule of the gate; the
results for epitomes, options and bans; and every error with its text and the evidence
for and against.

Each line of FILE is a JSON object with id, text, prev_assistant_tail, label and, for
decisions, epitome, epitome_in, options, is_ban and scope; for the reply,
next_assistant_head and session_has_edit_after. FILE is - for standard input. Turns with
"ambiguous": true are left out.`,
		Example: `  memscribe eval decisions labels.jsonl
  memscribe eval decisions --json labels.jsonl | jq .overall`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return eval.Decisions(a, o, args) },
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object instead of Markdown")
	cmd.Flags().BoolVar(&o.Cross, "cross-validate", false, "judge the turns of each project by weights learnt from the other projects")
	cmd.Flags().BoolVar(&o.Ambiguous, "ambiguous", false, "also count turns on which the readers disagree")
	return cmd
}

// newEvalRedaction returns the command eval redaction.
func newEvalRedaction(a *cli.App) *cobra.Command {
	var o eval.RedactionOptions
	cmd := &cobra.Command{
		Use:   "redaction FILE",
		Short: "Measure redaction against labelled texts",
		Long: `Eval redaction redacts labelled texts, each one plain, coloured as in a terminal, and
quoted in JSON once and twice. It prints how many secrets were removed, by tier, shape,
category and type, and how many look-alikes were touched.

Each line of FILE, which may be compressed with gzip, is a JSON object with text,
secret_spans (a list of start, end and type, in bytes), tier, kind (positive, negative or
placeholder) and cat. A secret counts as removed when at least half of its bytes are; a
look-alike counts as touched when any byte of it is.`,
		Example: `  memscribe eval redaction cases.jsonl.gz
  memscribe eval redaction --errors cases.jsonl | less
  memscribe eval redaction --json cases.jsonl.gz | jq .recall.core`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return eval.Redaction(a, o, args[0]) },
	}
	cmd.Flags().BoolVar(&o.JSON, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&o.Errors, "errors", false, "print every secret that was missed and every look-alike that was removed, with its text")
	return cmd
}
