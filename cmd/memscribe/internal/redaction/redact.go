// Package redaction implements the command redact: it shows what redaction would
// remove from a file and changes nothing.
package redaction

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/internal/visible"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/capture"
)

// Options say what is shown.
type Options struct {
	Check     bool // what is found is an error
	NoContent bool // no text, not even masked, and paths as hashes
	JSON      bool
}

// Run shows the secrets in files. With Check, one that is found is an [report.ErrFound].
func Run(ctx context.Context, a *cli.App, o Options, names []string) error {
	engine, err := redact.New(a.Rules.Redaction)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(a.Stdout.Text())
	s := &search{engine: engine, out: out, options: o}
	reporter := a.NewReporter()
	for _, name := range names {
		if err := s.file(ctx, a.Stdin, name, reporter); err != nil {
			return errors.Join(err, out.Flush())
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := reporter.Result(); err != nil {
		return err
	}
	if o.Check && s.count > 0 {
		return report.ErrFound
	}
	return nil
}

// file searches a file and what is packed in it. The error is one of
// writing, or of ctx: what cannot be read is reported.
func (s *search) file(ctx context.Context, stdin io.Reader, name string, reporter *report.Reporter) error {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			reporter.Problem(capture.Problem{File: name, Reason: report.Unwrapped(err).Error(), Lost: true})
			return nil
		}
		defer f.Close()
		in = f
	}
	for e, err := range archive.File(name, interrupt.Reader(ctx, in), archive.Standard()) {
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
			reporter.Problem(capture.Problem{File: e.Path, Reason: report.Unwrapped(err).Error(), Lost: true})
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
	if s.options.NoContent {
		f.File, f.Masked, f.Stays = core.HashPath(f.File), "", ""
	}
	if s.options.JSON {
		e := json.NewEncoder(s.out)
		e.SetEscapeHTML(false)
		return wrapWrite(e.Encode(f))
	}
	_, err := visible.Fprintf(s.out, "%s:%d:%d: %s (rule %s), %d bytes", f.File, f.Line, f.Column, f.Type, f.Rule, f.Bytes)
	if err == nil && f.Masked != "" {
		_, err = visible.Fprintf(s.out, ": %s\n    %s", f.Masked, f.Stays)
	}
	if err == nil {
		_, err = io.WriteString(s.out, "\n")
	}
	return wrapWrite(err)
}

// wrapWrite marks an error of writing the output, which is no fault of the input.
func wrapWrite(err error) error {
	if err == nil {
		return nil
	}
	return &writeError{err}
}
