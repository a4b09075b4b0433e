// Package eval is the command eval: it measures how well decisions are found in
// labelled turns, and secrets in labelled cases.
package eval

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/internal/eval/labels"
	"github.com/memscribe/memscribe/io/capture"
)

// app has the parts of the command as methods.
type app struct{ *cli.App }

// New returns the command.
func New(a *cli.App) *cobra.Command { return (&app{a}).newEval() }

func (a *app) newEval() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure against labelled data",
		Example: `  memscribe eval decisions turns.jsonl
  memscribe eval redaction cases.jsonl`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.newEvalDecisions(), a.newEvalRedaction())
	return cmd
}

type evalDecisionsOptions struct {
	json      bool
	cross     bool
	ambiguous bool
}

func (a *app) newEvalDecisions() *cobra.Command {
	var o evalDecisionsOptions
	cmd := &cobra.Command{
		Use:   "decisions FILE…",
		Short: "Measure how decisions are found in labelled turns",
		Long: `Eval decisions judges labelled turns and prints precision, recall and F1 with
intervals of 95 %: overall, per kind, per language, per category and per rule of
the gate; how epitomes, options and bans come out; and every error with its text
and what spoke for and against it.

A line of FILE is a JSON object with id, text, prev_assistant_tail, label and,
for decisions, epitome, epitome_in, options, is_ban and scope; of the reply,
next_assistant_head and session_has_edit_after. FILE is - for
standard input. Turns with "ambiguous": true are left out.`,
		Example: `  memscribe eval decisions labels.jsonl
  memscribe eval decisions --json labels.jsonl | jq .overall`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.evalDecisions(o, args) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object instead of Markdown")
	cmd.Flags().BoolVar(&o.cross, "cross-validate", false, "judge each project's turns by weights learnt from the other projects' turns")
	cmd.Flags().BoolVar(&o.ambiguous, "ambiguous", false, "count the turns on which the readers differ, too")
	return cmd
}

func (a *app) evalDecisions(o evalDecisionsOptions, files []string) error {
	rules, err := gate.New(gate.Standard())
	if err != nil {
		return fmt.Errorf("compile rules: %w", err)
	}
	report := a.NewReporter()
	var turns []labels.Turn
	for _, name := range files {
		turns = append(turns, a.labelled(name, report)...)
	}
	if !o.ambiguous {
		turns = labels.Agreed(turns)
	}
	judge := labels.Judge
	if o.cross {
		judge = labels.CrossValidate
	}
	outcomes, err := judge(rules, turns)
	if err != nil {
		return fmt.Errorf("eval decisions: %w", err)
	}
	write := labels.Measure(outcomes).Write
	if o.json {
		write = labels.Measure(outcomes).WriteJSON
	}
	if err := write(a.Stdout.Text()); err != nil {
		return fmt.Errorf("eval decisions: %w", err)
	}
	return report.Result()
}

// labelled reads the labelled turns of a file and reports what cannot be read.
func (a *app) labelled(name string, report *cli.Reporter) []labels.Turn {
	in := a.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			report.Problem(capture.Problem{File: name, Reason: cli.Unwrapped(err).Error(), Lost: true})
			return nil
		}
		defer f.Close()
		in = f
	}
	turns, bad, err := labels.LoadAll(in)
	if err != nil {
		report.Problem(capture.Problem{File: name, Reason: err.Error(), Lost: true})
	}
	for _, b := range bad {
		report.Problem(capture.Problem{File: name, Line: int64(b.Line), Reason: b.Err.Error(), Lost: true})
	}
	return turns
}
