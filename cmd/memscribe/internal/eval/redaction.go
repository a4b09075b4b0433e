package eval

import (
	"fmt"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/eval/secrets"
)

// RedactionOptions say what is printed of a measurement.
type RedactionOptions struct {
	JSON   bool
	Errors bool // every secret that stayed and every look-alike that did not, with its text
}

// Redaction measures what redaction takes out of the labelled texts of a file.
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
