package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/source"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/invariant"
	"github.com/memscribe/memscribe/internal/verify/scenario"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/internal/verify/truth"
	"github.com/memscribe/memscribe/io/capture"
	"github.com/memscribe/memscribe/io/intake"
)

type verifyOptions struct {
	places source.Places
	captureOptions

	json bool
}

func (a *app) newVerify() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [PATH…]",
		Short: "Hold transcripts, and what is made of them, to what is promised",
		Long: `Verify reads transcripts and holds what comes out to the promises: every record
gives an event that points to it, diffs are right, bindings have both ends, and
the same comes out when the bytes arrive in other pieces. It names what is not
known of a tool: records, kinds and members of objects in them, versions. The tool
has changed its format, then; what it wrote is kept as it is. Nothing is written.

PATH is files, folders and archives, or a corpus of recorded sessions
(<tool>/<version>/<scenario>): those are held to their scenarios and to what is
known of them, too. Without a path it verifies what the tools on this machine have
written. It ends with 3 if a promise is not kept.

With --capture a session is added to a corpus instead: without secrets, home
paths, user names, e-mail addresses and the texts of the tool's vendor. It is
refused if something of these is left, or if a promise is not kept.`,
		Example: `  memscribe verify
  memscribe verify fixtures
  memscribe verify --json ~/.codex/sessions | jq .drift
  memscribe verify --capture session.jsonl --as claude_code --name happy_path --corpus fixtures`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.verify(cmd.Context(), o, args) },
	}
	addPlaceFlags(cmd, &o.places)
	cmd.Flags().BoolVar(&o.json, "json", false, "print one JSON object")
	cmd.Flags().StringVar(&o.file, "capture", "", "scrub this transcript and add it to the corpus")
	cmd.Flags().StringVar(&o.as, "as", "", "with --capture: the tool that wrote it")
	cmd.Flags().StringVar(&o.name, "name", "", "with --capture: the name of its scenario")
	cmd.Flags().StringVar(&o.corpus, "corpus", "fixtures", "with --capture: the folder of the corpus")
	return cmd
}

// verdict is what verify says in the end.
type verdict struct {
	Transcripts int              `json:"transcripts"`
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

type broken struct {
	File string `json:"file"`
	What string `json:"what"`
}

func (a *app) verify(ctx context.Context, o verifyOptions, paths []string) error {
	if o.file != "" {
		return a.captureSession(o.captureOptions)
	}
	report := a.NewReporter()
	v := &verdict{Drift: map[string]int64{}, Broken: []broken{}, Unseen: []unseen{}, Variants: []formatVariant{}}
	paths, err := a.verifyCorpora(v, paths, o) //nolint:contextcheck // a corpus is read to its end
	if err != nil {
		return err
	}
	if len(paths) > 0 || v.Transcripts == 0 {
		if err := a.verifyFound(ctx, v, report, o, paths); err != nil {
			return err
		}
	}
	if err := a.writeVerdict(v, o.json); err != nil {
		return err
	}
	if len(v.Broken) > 0 {
		return cli.ErrFound
	}
	return report.Result()
}

// verifyCorpora verifies those of the paths that are a corpus and returns the
// others.
func (a *app) verifyCorpora(v *verdict, paths []string, o verifyOptions) ([]string, error) {
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
			if !o.places.Wants(c.Tool) {
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

func (v *verdict) add(name string, problems []string) {
	for _, p := range problems {
		v.Broken = append(v.Broken, broken{name, p})
	}
}

// verifyFound verifies the transcripts that are named or found, one by one.
func (a *app) verifyFound(ctx context.Context, v *verdict, report *cli.Reporter, o verifyOptions, paths []string) error {
	options := source.IntakeOptions(ctx)
	o.places.Choose(&options)
	bar := a.NewProgress(false)
	bar.Of(&options)
	plan, err := a.verifyPlan(options, o, paths)
	if err != nil {
		return err
	}
	defer bar.Over(plan)()
	for t, err := range plan.Transcripts(ctx) {
		if err != nil {
			report.CannotOpen(err)
			continue
		}
		if err := a.verifyOne(ctx, v, report, t); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) verifyPlan(options intake.Options, o verifyOptions, paths []string) (*intake.Plan, error) {
	if paths = append(paths, o.places.Roots...); len(paths) > 0 {
		return options.Paths(paths), nil
	}
	roots, err := o.places.Folders(a.Env)
	if err != nil {
		return nil, err
	}
	return options.Places(roots), nil
}

// maxVerified is how large a transcript may be that is verified: it is read
// several times, and kept in memory.
const maxVerified = 256 << 20

func (a *app) verifyOne(ctx context.Context, v *verdict, report *cli.Reporter, t intake.Transcript) error {
	in, err := verified(t)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		report.Problem(capture.Problem{File: t.File, Reason: cli.Unwrapped(err).Error(), Lost: true})
		return nil
	}
	if _, err := v.read(t.File, []trial.Input{in}); err != nil {
		return fmt.Errorf("verify %s: %w", t.File, err)
	}
	return nil
}

// verified takes a transcript into memory. The records of one that lies in a store
// are lines that know where they are from.
func verified(t intake.Transcript) (trial.Input, error) {
	in := trial.Input{Adapter: t.Adapter, Path: t.Info.Path, Name: t.File, Beside: t.Info.Beside}
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

func tooLarge(data []byte) error {
	if len(data) > maxVerified {
		return fmt.Errorf("is larger than %d bytes", maxVerified)
	}
	return nil
}
