// Package secrets finds in files what redaction would remove. It changes nothing. Begin with
// [Search].
//
// The rules are those of the user, so memscribe redact FILE shows what a capture of the file
// would remove. A [Finding] has the place of a secret and a masked form, never the secret:
//
//	{"file":"a.log","line":7,"column":12,"bytes":40,"type":"github_pat","rule":"github-pat",
//	 "masked":"ghp_…","stays":"token: [REDACTED:github_pat]"}
package secrets

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/memscribe/memscribe/core/redact"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/interrupt"
	"github.com/memscribe/memscribe/io/archive"
	"github.com/memscribe/memscribe/io/capture"
)

// Finding is one secret. Nothing of it is the secret itself.
type Finding struct {
	File string `json:"file"`
	// Line and Column are those of its first byte, from 1. Bytes is its length.
	Line   int    `json:"line"`
	Column int    `json:"column"` // in bytes, from 1
	Bytes  int    `json:"bytes"`
	Type   string `json:"type"`
	Rule   string `json:"rule"`
	Masked string `json:"masked,omitempty"` // the secret, masked
	Stays  string `json:"stays,omitempty"`  // the line around it, as it would be kept
}

// Search calls found for every secret in the named files, in the order of the files and of
// their bytes. Compressed files and archives are opened; "-" is stdin. The rules are those
// of the user.
//
// A file that cannot be read is reported and the others are searched; after all of them
// that is the error. An error of found ends the search and is returned.
func Search(ctx context.Context, s *setup.Setup, stdin io.Reader, names []string, found func(Finding) error) error {
	engine, err := redact.New(s.Rules.Redaction)
	if err != nil {
		return err
	}
	in := search{engine: engine, found: found}
	reporter := s.NewReporter()
	for _, name := range names {
		if err := in.file(ctx, stdin, name, reporter); err != nil {
			return err
		}
	}
	return reporter.Result()
}

// foundError is an error of the caller's function, not of the input.
type foundError struct{ error }

// file searches a file and what is packed in it. The error is one of found or of ctx:
// input that cannot be read is reported.
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
		if w, ok := errors.AsType[*foundError](err); ok {
			return w.error
		}
		if err != nil {
			reporter.Problem(capture.Problem{File: e.Path, Reason: report.Unwrapped(err).Error(), Lost: true})
		}
	}
	return nil
}
