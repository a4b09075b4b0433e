package eval

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/eval/secrets"
)

type evalRedactionOptions struct {
	json   bool
	errors bool
}

func (a *app) newEvalRedaction() *cobra.Command {
	var o evalRedactionOptions
	cmd := &cobra.Command{
		Use:   "redaction FILE",
		Short: "Measure what redaction takes out of labelled texts, and what it should have left",
		Long: `Eval redaction runs redaction over labelled texts, each as it stands, coloured as a
terminal would and quoted into JSON once and twice, and prints how many secrets it
took out, by tier, shape, category and type, and how many look-alikes it touched.

A line of FILE, which may be gzipped, is a JSON object with text, secret_spans (a
list of start, end and type, in bytes), tier, kind (positive, negative or
placeholder) and cat. A secret counts as taken out when at least half of its bytes
are; a look-alike as touched when anything of it is.`,
		Example: `  memscribe eval redaction cases.jsonl.gz
  memscribe eval redaction --errors cases.jsonl | less
  memscribe eval redaction --json cases.jsonl.gz | jq .recall.core`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.evalRedaction(o, args[0]) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	cmd.Flags().BoolVar(&o.errors, "errors", false, "print every secret that stayed and every look-alike that did not, with its text")
	return cmd
}

func (a *app) evalRedaction(o evalRedactionOptions, name string) error {
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
	if !o.errors {
		report.Missed, report.Touched = nil, nil
	}
	if o.json {
		e := json.NewEncoder(a.Stdout.Text())
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(report)
	}
	return report.Write(a.Stdout.Text())
}
