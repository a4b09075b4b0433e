// Package redaction is the command redact: it shows what redaction would strip from
// files, and changes nothing.
package redaction

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/unpack"
)

type redactOptions struct {
	check     bool
	noContent bool
	json      bool
}

// app has the parts of the command as methods.
type app struct{ *cli.App }

// New returns the command.
func New(a *cli.App) *cobra.Command { return (&app{a}).newRedact() }

func (a *app) newRedact() *cobra.Command {
	var o redactOptions
	cmd := &cobra.Command{
		Use:   "redact FILE…",
		Short: "Show what redaction would strip",
		Long: `Redact looks for secrets in files of any kind, also packed ones, and shows each:
where it stands, what it is and by which rule, the secret masked, and the line as
it would stay. It changes nothing. FILE is - for standard input.`,
		Example: `  memscribe redact ~/.claude/projects/-home-me-app/0c1f….jsonl
  git diff | memscribe redact --check -
  memscribe redact --json notes.md .env | jq -r .type`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.redact(cmd.Context(), o, args) },
	}
	cmd.Flags().BoolVar(&o.check, "check", false, "end with 3 if something is found")
	cmd.Flags().BoolVar(&o.json, "json", false, "print each finding as a JSON object on a line")
	cmd.Flags().BoolVar(&o.noContent, "no-content", false, "show no text, not even masked, and paths as hashes")
	cli.Configurable(cmd, "no-content", "redact.no_content")
	return cmd
}

func (a *app) redact(ctx context.Context, o redactOptions, names []string) error {
	engine, err := redact.New(a.Rules.Redaction)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.Stdout.Text())
	s := &search{engine: engine, out: out, options: o}
	report := a.NewReporter()
	for _, name := range names {
		if err := a.searchFile(ctx, s, name, report); err != nil {
			return errors.Join(err, out.Flush())
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := report.Result(); err != nil {
		return err
	}
	if o.check && s.count > 0 {
		return cli.ErrFound
	}
	return nil
}

// searchFile searches a file and what is packed in it. The error is one of
// writing, or of ctx: what cannot be read is reported.
func (a *app) searchFile(ctx context.Context, s *search, name string, report *cli.Reporter) error {
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
	for e, err := range unpack.File(name, cli.Interruptible(ctx, in), unpack.Standard()) {
		if err == nil {
			err = s.text(e.Path, e.Body)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if w, ok := errors.AsType[*writeError](err); ok {
			return w.error
		}
		if err != nil {
			report.Problem(capture.Problem{File: e.Path, Reason: cli.Unwrapped(err).Error(), Lost: true})
		}
	}
	return nil
}

// writeError is a failure of what is written to, and not of what is read.
type writeError struct{ error }

// finding is one secret, as it is shown.
type finding struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"` // in bytes, from 1
	Bytes  int    `json:"bytes"`
	Type   string `json:"type"`
	Rule   string `json:"rule"`
	Masked string `json:"masked,omitempty"`
	Stays  string `json:"stays,omitempty"`
}

// show writes a finding.
func (s *search) show(f finding) error {
	s.count++
	if s.options.noContent {
		f.File, f.Masked, f.Stays = core.HashPath(f.File), "", ""
	}
	if s.options.json {
		e := json.NewEncoder(s.out)
		e.SetEscapeHTML(false)
		return wrapWrite(e.Encode(f))
	}
	_, err := console.Fprintf(s.out, "%s:%d:%d: %s (rule %s), %d bytes", f.File, f.Line, f.Column, f.Type, f.Rule, f.Bytes)
	if err == nil && f.Masked != "" {
		_, err = console.Fprintf(s.out, ": %s\n    %s", f.Masked, f.Stays)
	}
	if err == nil {
		_, err = io.WriteString(s.out, "\n")
	}
	return wrapWrite(err)
}

func wrapWrite(err error) error {
	if err == nil {
		return nil
	}
	return &writeError{err}
}
