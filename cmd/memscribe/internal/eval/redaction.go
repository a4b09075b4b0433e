package eval

import (
	"fmt"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/eval/secrets"
)

// RedactionOptions say what is printed about a measurement.
type RedactionOptions struct {
	JSON bool
	// Errors also prints the text of every secret that was missed and of every look-alike that
	// was removed. Such texts are test data, not the user's.
	Errors bool // every secret that stayed and every look-alike that did not, with its text
}

// Redaction measures what redaction removes from the labelled texts of a file; "-" is standard
// input. The rules are those of the settings.
func Redaction(a *cli.App, o RedactionOptions, name string) error {
	in := a.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("open cases: %w", err)
		}
		defer f.Close()
		in = f
	}
	cases, err := secrets.Read(in)
	if err != nil {
		return err
	}
	engine, err := redact.New(a.Rules.Redaction)
	if err != nil {
		return err
	}
	report, err := secrets.Evaluate(engine, cases)
	if err != nil {
		return fmt.Errorf("evaluate redaction: %w", err)
	}
	if !o.Errors {
		report.Missed, report.Touched = nil, nil
	}
	if o.JSON {
		return a.Stdout.JSON(report)
	}
	return report.Write(a.Stdout.Text())
}
