// Package verify implements the command verify: it checks transcripts and their
// nodes against the contract, and adds scrubbed sessions to a corpus.
//
// For each transcript the promises of docs/output.md are checked:
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
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/report"
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

// Options say whose transcripts are verified.
type Options struct {
	Places source.Places
	JSON   bool
	// Database is the one that watch keeps; it is verified when no path is given.
	Database string
}

// verdict gathers what verify prints at the end; its JSON is what --json prints.
type verdict struct {
	Transcripts int              `json:"transcripts"`
	Databases   int              `json:"databases"`
	Records     int64            `json:"records"`
	Events      int64            `json:"events"`
	Nodes       int              `json:"nodes"`
	Malformed   int64            `json:"malformed"`
	Broken      []broken         `json:"broken"` // promises that are not kept
	Drift       map[string]int64 `json:"drift"`  // records that no adapter knows, by tool and type
	Unseen      []unseen         `json:"unseen"` // kinds and members of objects, and versions of tools, that are not known
	Variants    []formatVariant  `json:"variants"`
}

// unseen is something that is not known of a tool's records.
type unseen struct {
	Tool  core.Tool `json:"tool"`
	What  string    `json:"what"`
	Name  string    `json:"name"`
	Count int64     `json:"count"`
}

// formatVariant is a variant of a tool's format, and how many transcripts have it.
// Those of one fingerprint have the same kinds of record with the same members.
type formatVariant struct {
	Tool         core.Tool `json:"tool"`
	Variant      string    `json:"variant"` // "" is none that is known
	Transcripts  int       `json:"transcripts"`
	Fingerprints []string  `json:"fingerprints"`
}

// broken is a promise that a file does not keep.
type broken struct {
	File string `json:"file"`
	What string `json:"what"`
}

// Run verifies the corpora and transcripts at paths; without any, those of the tools. A
// promise that is not kept is an [report.ErrFound].
func Run(ctx context.Context, a *cli.App, o Options, paths []string) error {
	reporter := a.NewReporter()
	v := newVerdict()
	named := len(paths) > 0
	paths, err := v.databases(ctx, paths, o.Database)
	if err != nil {
		return err
	}
	if named && len(paths) == 0 {
		return v.end(a, o, reporter)
	}
	paths, err = v.corpora(paths, o.Places.Wants) //nolint:contextcheck // a corpus is read to its end
	if err != nil {
		return err
	}
	if len(paths) > 0 || v.Transcripts == 0 {
		if err := v.found(ctx, a, reporter, o.Places, paths); err != nil {
			return err
		}
	}
	return v.end(a, o, reporter)
}

// end prints the verdict.
func (v *verdict) end(a *cli.App, o Options, reporter *report.Reporter) error {
	if err := v.write(a, o.JSON); err != nil {
		return err
	}
	if len(v.Broken) > 0 {
		return report.ErrFound
	}
	return reporter.Result()
}

// databases verifies those of the paths that are databases of nodes and returns the
// others. Without paths the one that watch keeps is verified, if there is one.
//
// A path that is a database of a tool and not of nodes is a transcript, and is
// returned.
func (v *verdict) databases(ctx context.Context, paths []string, kept string) (others []string, err error) {
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
func (v *verdict) database(ctx context.Context, path string) (ours bool, err error) {
	if !isSQLite(path) {
		return false, nil
	}
	problems, err := schema.Inspect(ctx, path)
	switch {
	case errors.Is(err, schema.ErrForeign):
		return false, nil // a tool's
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		problems = append(problems, err.Error())
	}
	v.Databases++
	v.add(path, problems)
	return true, nil
}

// isSQLite reports whether a file begins as a database does.
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

// newVerdict returns a verdict whose lists are empty and not nil, as the JSON
// promises.
func newVerdict() *verdict {
	return &verdict{Drift: map[string]int64{}, Broken: []broken{}, Unseen: []unseen{}, Variants: []formatVariant{}}
}

// corpora verifies those of the paths that are a corpus and returns the
// others.
func (v *verdict) corpora(paths []string, wants func(core.Tool) bool) ([]string, error) {
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

// recorded verifies a recorded session: also by what is known of it.
func (v *verdict) recorded(c *corpus.Case, statements []scenario.Statement) error {
	adapter, ok := adapters.ByTool(c.Tool)
	if !ok {
		v.Broken = append(v.Broken, broken{c.Name(), "no adapter reads it"})
		return nil
	}
	inputs, err := trial.Inputs(c, adapter)
	if err != nil {
		return err
	}
	r, err := v.read(c.Name(), inputs)
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

// read verifies transcripts that belong together.
func (v *verdict) read(name string, inputs []trial.Input) (*trial.Result, error) {
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

// pieces reads transcripts again, as they may arrive. What comes out may not show
// it. The pieces are drawn, but always the same.
//
// A fixed seed makes a failure repeatable.
func (v *verdict) pieces(name string, inputs []trial.Input) error {
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

// adds the problems of one transcript.
func (v *verdict) add(name string, problems []string) {
	for _, p := range problems {
		v.Broken = append(v.Broken, broken{name, p})
	}
}

// found verifies the transcripts that are named or found, one by one.
func (v *verdict) found(ctx context.Context, a *cli.App, reporter *report.Reporter, from source.Places, paths []string) error {
	options := source.IntakeOptions(ctx, a.Machine)
	from.Choose(&options)
	bar := a.NewProgress(false)
	bar.Of(&options)
	all, err := plan(a.Machine, options, from, paths)
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

// maxVerified is how large a transcript may be that is verified: it is read
// several times, and kept in memory.
const maxVerified = 256 << 20

// one verifies one transcript. An error of reading it is reported and ends nothing
// else.
//
// A transcript that cannot be read is named on standard error, and the command ends
// with 1.
func (v *verdict) one(ctx context.Context, reporter *report.Reporter, t input.Transcript) error {
	in, err := verified(t)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		reporter.Problem(capture.Problem{File: t.File, Reason: report.Unwrapped(err).Error(), Lost: true})
		return nil
	}
	if _, err := v.read(t.File, []trial.Input{in}); err != nil {
		return fmt.Errorf("verify %s: %w", t.File, err)
	}
	return nil
}

// verified takes a transcript into memory. The records of one that lies in a store
// are lines that know where they are from.
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

// tooLarge returns an error for a transcript over the limit: verify keeps it in
// memory several times.
func tooLarge(data []byte) error {
	if len(data) > maxVerified {
		return fmt.Errorf("is larger than %d bytes", maxVerified)
	}
	return nil
}
