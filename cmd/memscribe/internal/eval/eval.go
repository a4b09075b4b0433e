// Package eval implements the command eval: it measures how well decisions are found in
// labelled turns, and how well secrets are found in labelled texts. The measures and the
// formats of labels are those of internal/eval.
//
//	memscribe eval decisions FILE…      Markdown: precision and recall of decisions and bans
//	memscribe eval redaction FILE       secrets that stayed, look-alikes that were removed
package eval

import (
	"fmt"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/eval/labels"
	"github.com/memscribe/memscribe/io/capture"
)

// DecisionsOptions say which turns are judged, and how.
type DecisionsOptions struct {
	JSON      bool // one object instead of Markdown
	Cross     bool // each project's turns by weights learnt from the others
	Ambiguous bool // also count turns on which the readers disagree
}

// Decisions measures the decisions that are found in the labelled turns of some files, and
// prints the result. Lines that cannot be read are reported, and make the exit code 1; the
// other lines count.
func Decisions(a *cli.App, o DecisionsOptions, files []string) error {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		return fmt.Errorf("compile rules: %w", err)
	}
	reporter := a.NewReporter()
	var turns []labels.Turn
	for _, name := range files {
		turns = append(turns, labelled(a, name, reporter)...)
	}
	if !o.Ambiguous {
		turns = labels.Agreed(turns)
	}
	judge := labels.Judge
	if o.Cross {
		judge = labels.CrossValidate
	}
	outcomes, err := judge(rules, turns)
	if err != nil {
		return fmt.Errorf("eval decisions: %w", err)
	}
	write := labels.Measure(outcomes).Write
	if o.JSON {
		write = labels.Measure(outcomes).WriteJSON
	}
	if err := write(a.Stdout.Text()); err != nil {
		return fmt.Errorf("eval decisions: %w", err)
	}
	return reporter.Result()
}

// labelled returns the labelled turns of a file; "-" is standard input. It reports the file, or
// each line of it, that cannot be read.
func labelled(a *cli.App, name string, reporter *report.Reporter) []labels.Turn {
	in := a.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			reporter.Problem(capture.Problem{File: name, Reason: report.Unwrapped(err).Error(), Lost: true})
			return nil
		}
		defer f.Close()
		in = f
	}
	turns, bad, err := labels.LoadAll(in)
	if err != nil {
		reporter.Problem(capture.Problem{File: name, Reason: err.Error(), Lost: true})
	}
	for _, b := range bad {
		reporter.Problem(capture.Problem{File: name, Line: int64(b.Line), Reason: b.Err.Error(), Lost: true})
	}
	return turns
}
