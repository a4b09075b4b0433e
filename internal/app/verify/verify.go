// Package verify checks transcripts and their nodes against the contract ([Run]), and adds
// scrubbed sessions to a corpus of fixtures ([Add]).
//
// For each transcript it checks the promises of docs/output.md:
//
//	trial      read it whole: records → events → nodes
//	invariant  each record gives an event, ids are unique, diffs apply, times are in order, …
//	chunk      read it again in pieces, as a watch would: the nodes must be the same
//	truth      a recorded session only: what really happened in its work tree
//	scenario   a recorded session only: the events show what the scenario is for
//
// Nothing is written and nothing is sent. A transcript is kept in memory, at most 256
// MiB.
package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/invariant"
	"github.com/memscribe/memscribe/internal/verify/scenario"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/internal/verify/truth"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/input"
)

// Options say which transcripts are verified.
type Options struct {
	Places source.Places
	// Database is the database of watch. It is verified if no path is given.
	Database string
}

// Run verifies what is at paths: transcripts, archives, databases of nodes and corpora.
// Without paths it verifies the transcripts of the tools and the database of watch. Its
// texts are redacted by the user's rules.
//
// A promise that is not kept is part of the verdict and no error. Input that could not be
// read is reported as it is met, and err is [report.ErrIncomplete] then, with a verdict
// on the rest.
func Run(ctx context.Context, s *setup.Setup, o Options, paths []string) (*Verdict, error) {
	reporter := s.NewReporter()
	v := newVerdict()
	if err := v.read(ctx, s, reporter, o, paths); err != nil {
		return nil, err
	}
	if err := v.redact(s); err != nil {
		return nil, err
	}
	return v, reporter.Result()
}

// read verifies what is at paths, or what is found without any.
func (v *Verdict) read(ctx context.Context, s *setup.Setup, reporter *report.Reporter, o Options, paths []string) error {
	named := len(paths) > 0
	paths, err := v.databases(ctx, paths, o.Database)
	if err != nil || named && len(paths) == 0 {
		return err
	}
	paths, err = v.corpora(paths, o.Places.Wants) //nolint:contextcheck // a corpus is read to its end
	if err != nil || len(paths) == 0 && v.Transcripts > 0 {
		return err
	}
	return v.found(ctx, s, reporter, o.Places, paths)
}

// databases verifies the databases of nodes among the paths and returns the other paths;
// the database of a tool is one of those. Without paths it verifies kept, if that exists.
func (v *Verdict) databases(ctx context.Context, paths []string, kept string) (others []string, err error) {
	all := paths
	if len(all) == 0 && kept != "" {
		all = []string{kept}
	}
	for _, path := range all {
		ours, err := v.database(ctx, path)
		if err != nil {
			return nil, err
		}
		if !ours && path != kept {
			others = append(others, path)
		}
	}
	return others, nil
}

// database verifies a file if it is a database of nodes.
func (v *Verdict) database(ctx context.Context, path string) (ours bool, err error) {
	if !isSQLite(path) {
		return false, nil
	}
	problems, err := schema.Inspect(ctx, path)
	switch {
	case errors.Is(err, schema.ErrForeign):
		return false, nil // the database of a tool
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		problems = append(problems, err.Error())
	}
	v.Databases++
	v.add(path, problems)
	return true, nil
}

// isSQLite reports whether a file begins like a SQLite database.
func isSQLite(path string) bool {
	const head = "SQLite format 3\x00"
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	b := make([]byte, len(head))
	_, err = io.ReadFull(f, b)
	return err == nil && string(b) == head
}

// corpora verifies the corpora among the paths and returns the other paths.
func (v *Verdict) corpora(paths []string, wants func(core.Tool) bool) ([]string, error) {
	statements, err := scenario.Statements()
	if err != nil {
		return nil, err
	}
	var others []string
	for _, path := range paths {
		info, statErr := os.Stat(path)
		if statErr != nil || !info.IsDir() {
			others = append(others, path)
			continue
		}
		cases, err := corpus.Load(path)
		if err != nil || len(cases) == 0 {
			others = append(others, path)
			continue
		}
		for _, c := range cases {
			if !wants(c.Tool) {
				continue
			}
			if err := v.recorded(c, statements); err != nil {
				return nil, fmt.Errorf("verify %s: %w", c.Name(), err)
			}
		}
	}
	return others, nil
}

// recorded verifies a recorded session, also against its ground truth and its scenario.
func (v *Verdict) recorded(c *corpus.Case, statements []scenario.Statement) error {
	adapter, ok := adapters.ByTool(c.Tool)
	if !ok {
		v.Broken = append(v.Broken, Broken{c.Name(), "no adapter reads it"})
		return nil
	}
	inputs, err := trial.Inputs(c, adapter)
	if err != nil {
		return err
	}
	r, err := v.transcripts(c.Name(), inputs)
	if err != nil {
		return err
	}
	if c.Truth == nil {
		return nil
	}
	v.add(c.Name(), truth.Check(c, r))
	if s, ok := scenario.For(statements, c); ok {
		shape := scenario.Shape(r, c.Truth.Repo)
		if line, holds := s.Holds(shape); !holds {
			v.add(c.Name(), []string{fmt.Sprintf("it does not show its scenario from line %d on:\n    %s\n  but\n    %s",
				line, strings.Join(s.Lines, "\n    "), strings.Join(shape, "\n    "))})
		}
	}
	return nil
}

// transcripts verifies transcripts that belong together, as one fold.
func (v *Verdict) transcripts(name string, inputs []trial.Input) (*trial.Result, error) {
	r, err := trial.Whole(inputs, nil)
	if err != nil {
		return nil, err
	}
	v.Nodes += len(r.Nodes)
	for _, s := range r.Streams {
		v.Transcripts++
		v.Records += s.Stats.Records
		v.Events += s.Stats.Events
		v.Malformed += s.Stats.Malformed
		for kind, n := range s.Stats.Unknown { // order does not matter: counts
			v.Drift[string(s.Input.Adapter.Tool())+" "+kind] += n
		}
		v.shape(s)
	}
	v.add(name, invariant.Result(r))
	return r, v.pieces(name, inputs)
}

// pieces reads transcripts again in pieces, as a watch might get them, and demands the same
// nodes. The pieces are random with a fixed seed, so a failure can be repeated.
func (v *Verdict) pieces(name string, inputs []trial.Input) error {
	want, err := chunk.Play(inputs, chunk.Whole(inputs), true)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(1, uint64(len(inputs)))) //nolint:gosec // not for secrets
	got, err := chunk.Play(inputs, chunk.Random(inputs, r), true)
	if err != nil {
		return err
	}
	v.add(name, chunk.Differences(want, got))
	return nil
}

// add adds the problems of one file.
func (v *Verdict) add(name string, problems []string) {
	for _, p := range problems {
		v.Broken = append(v.Broken, Broken{name, p})
	}
}

// found verifies the transcripts that are named, or those that discovery finds, one by one.
func (v *Verdict) found(ctx context.Context, s *setup.Setup, reporter *report.Reporter, from source.Places, paths []string) error {
	options := source.IntakeOptions(ctx, s.Machine)
	from.Choose(&options)
	bar := s.Progress(false)
	bar.Of(&options)
	all, err := plan(s.Machine, options, from, paths)
	if err != nil {
		return err
	}
	defer bar.Over(all)()
	for t, err := range all.Transcripts(ctx) {
		if err != nil {
			reporter.CannotOpen(err)
			continue
		}
		if err := v.one(ctx, reporter, t); err != nil {
			return err
		}
	}
	return nil
}

// plan returns the transcripts that verify reads: the paths named, else the roots,
// else what discovery finds.
func plan(e host.Machine, options input.Options, from source.Places, paths []string) (*input.Plan, error) {
	if paths = append(paths, from.Roots...); len(paths) > 0 {
		return options.Paths(paths), nil
	}
	roots, err := from.Folders(e)
	if err != nil {
		return nil, err
	}
	return options.Places(roots), nil
}

// maxVerified bounds a transcript, in bytes: it is kept in memory several times.
const maxVerified = 256 << 20

// one verifies one transcript. One that cannot be read is reported and is no error.
func (v *Verdict) one(ctx context.Context, reporter *report.Reporter, t input.Transcript) error {
	in, err := verified(t)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		reporter.Problem(capture.Problem{File: t.File, Reason: report.Unwrapped(err).Error(), Lost: true})
		return nil
	}
	if _, err := v.transcripts(t.File, []trial.Input{in}); err != nil {
		return fmt.Errorf("verify %s: %w", t.File, err)
	}
	return nil
}

// verified reads a transcript into memory. Records of a database become lines, with the
// place that each is from.
func verified(t input.Transcript) (trial.Input, error) {
	in := trial.Input{Adapter: t.Adapter, Path: t.Info.Path, Name: t.File, Sidecars: t.Info.Sidecars}
	if t.Body == nil {
		in.At = make([]core.Location, 0, len(t.Rows))
		for _, r := range t.Rows {
			in.At = append(in.At, r.At)
			in.Data = append(append(in.Data, bytes.ReplaceAll(r.JSON, []byte("\n"), []byte(" "))...), '\n')
		}
		return in, tooLarge(in.Data)
	}
	data, err := io.ReadAll(io.LimitReader(t.Body, maxVerified+1))
	if err != nil {
		return in, err
	}
	in.Data = data
	return in, tooLarge(data)
}

// tooLarge returns an error for a transcript above the limit.
func tooLarge(data []byte) error {
	if len(data) > maxVerified {
		return fmt.Errorf("is larger than %d bytes", maxVerified)
	}
	return nil
}
