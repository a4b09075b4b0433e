package source_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/app/source"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/io/input"
	"github.com/memscribe/memscribe/sink/ndjson"
	"github.com/memscribe/memscribe/testkit/meta"
	"github.com/memscribe/memscribe/testkit/size"
)

const fixtures = "../../../fixtures"

// read is one reading of what lies in a folder: what was written, and what was said
// of the transcripts.
type read struct{ out, said string }

// inAnyOrder is the reading of a plan whose parts are not in the order of paths: what
// is said comes part by part.
func (r read) inAnyOrder() read {
	lines := strings.Split(r.said, "\n")
	slices.Sort(lines)
	return read{r.out, strings.Join(lines, "\n")}
}

// reads reads what lies in a folder by a function of the reading and its plan.
func reads(t *testing.T, dir string, how func(*source.Reading, *ndjson.Sorted) error) read {
	t.Helper()
	var out, stderr bytes.Buffer
	a := setup.Setup{
		Machine: host.Machine{
			OS: "linux", Now: time.Now,
			Getenv: func(string) string { return "" }, Home: func() (string, error) { return t.TempDir(), nil },
		},
		Logger: func() *slog.Logger { return slog.New(slog.NewTextHandler(&stderr, nil)) },
		Say:    func(format string, args ...any) { fmt.Fprintf(&stderr, format, args...) },
	}
	r := &source.Reading{
		Privacy: source.Privacy{Rules: &a.Rules}, Report: a.NewReporter(), Env: a.Machine,
		Plan: source.IntakeOptions(t.Context(), a.Machine).Paths([]string{dir}),
	}
	s := ndjson.NewSorted(&out)
	if err := errors.Join(how(r, s), s.Close()); err != nil {
		t.Fatal(err)
	}
	return read{out.String(), stderr.String()}
}

// same reads a folder by one job and by several, with what is read divided as it is
// and by chance, and wants the same bytes. It returns how many sources were read again.
func same(t *testing.T, dir string, rng *rand.Rand) (again int) {
	t.Helper()
	nodes := func(jobs int) func(*source.Reading, *ndjson.Sorted) error {
		return func(r *source.Reading, s *ndjson.Sorted) error {
			r.Jobs = jobs
			return r.Nodes(t.Context(), s)
		}
	}
	want := reads(t, dir, nodes(1))
	for _, jobs := range []int{2, 5} {
		compare(t, fmt.Sprintf("%d jobs", jobs), want, reads(t, dir, nodes(jobs)))
	}
	for _, jobs := range []int{2, 3, 8} {
		got := reads(t, dir, func(r *source.Reading, s *ndjson.Sorted) error {
			n, err := r.OnLanes(t.Context(), s, drawn(r.Plan, rng), jobs)
			again += n
			return err
		})
		compare(t, fmt.Sprintf("%d jobs, parts drawn", jobs), want.inAnyOrder(), got.inAnyOrder())
	}
	return again
}

func compare(t *testing.T, what string, want, got read) {
	t.Helper()
	if got.said != want.said {
		t.Errorf("%s: said\n%s\nwant\n%s", what, got.said, want.said)
	}
	if got.out == want.out {
		return
	}
	w, g := strings.Split(want.out, "\n"), strings.Split(got.out, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			t.Errorf("%s: line %d of %d is\n%s\nwant, of %d,\n%s", what, i+1, len(g), g[i], len(w), w[i])
			return
		}
	}
	t.Errorf("%s: %d lines, want %d", what, len(g), len(w))
}

// drawn divides a plan by chance: what lies together need not be read together.
func drawn(p *input.Plan, rng *rand.Rand) [][]int {
	parts := make([][]int, 1+rng.IntN(12))
	for _, numbers := range p.Divide(1 << 40) {
		for _, n := range numbers {
			i := rng.IntN(len(parts))
			parts[i] = append(parts[i], n)
		}
	}
	return parts
}

// TestJobsOfFixtures reads the whole corpus.
func TestJobsOfFixtures(t *testing.T) {
	dir := filepath.Join(fixtures, "codex")
	if size.IsFull() {
		dir = fixtures
	}
	if again := same(t, dir, rand.New(rand.NewPCG(1, 1))); again == 0 {
		t.Error("nothing was read again: no session has a say in another's nodes")
	}
}

// TestJobsOfScatteredSessions takes sessions apart: each of their files lies in some
// folder, and some have copies elsewhere that end earlier.
func TestJobsOfScatteredSessions(t *testing.T) {
	all, err := corpus.Load(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	again := 0
	for seed := range uint64(seeds(size.Of(6, 25))) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			dir, rng := t.TempDir(), rand.New(rand.NewPCG(seed, 2))
			for range 8 {
				scatter(t, dir, all[rng.IntN(len(all))], rng)
			}
			again += same(t, dir, rng)
		})
	}
	if again == 0 {
		t.Error("nothing was read again: no session has a say in another's nodes")
	}
}

// seeds is how many of n seeds are taken: a third under the race detector, which watches the
// same goroutines at each.
func seeds(n int) int {
	if size.Race && !size.IsFull() {
		return n / 3
	}
	return n
}

// scatter writes the files of a session, each below one of a few folders.
func scatter(t *testing.T, dir string, c *corpus.Case, rng *rand.Rand) {
	t.Helper()
	a, ok := adapters.ByTool(c.Tool)
	if !ok {
		t.Fatalf("no adapter for %s", c.Tool)
	}
	files, err := trial.Inputs(c, a)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) {
		path := filepath.Join(dir, fmt.Sprint("home", rng.IntN(4)), filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		name := strings.TrimPrefix(filepath.ToSlash(f.Path), "/")
		write(name, f.Data)
		if rng.IntN(3) == 0 {
			write(name, f.Data[:rng.IntN(len(f.Data)+1)])
		}
	}
}

// TestJobsOfSchedules reads what is left of transcripts that grew, were cut, copied,
// moved, compressed and linked while a program followed them.
func TestJobsOfSchedules(t *testing.T) {
	cases := played(t)
	for seed := range uint64(seeds(20)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := (meta.Schedule{Seed: seed, Cases: cases, Steps: 30}).Play(t.Context(), dir); err != nil {
				t.Fatal(err)
			}
			same(t, dir, rand.New(rand.NewPCG(seed, 3)))
		})
	}
}

// played are the sessions of the corpus that are short: transcripts, and databases.
func played(t *testing.T) (cases []meta.Case) {
	t.Helper()
	all, err := corpus.Load(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		a, ok := adapters.ByTool(c.Tool)
		if !ok {
			t.Fatalf("no adapter for %s", c.Tool)
		}
		p := meta.Case{Databases: databases(t, c)}
		if _, isTree := a.(core.TreeAdapter); !isTree && len(p.Databases) == 0 {
			if p.Files, err = trial.Inputs(c, a); err != nil {
				t.Fatal(err)
			}
		}
		if p.IsShort() && len(p.Files)+len(p.Databases) > 0 {
			cases = append(cases, p)
		}
	}
	return cases
}

// databases are those of a session, which the corpus has as the statements that make
// them.
func databases(t *testing.T, c *corpus.Case) (all []meta.Database) {
	t.Helper()
	for _, f := range c.Files {
		if !strings.HasSuffix(f.Name, corpus.Dump) {
			continue
		}
		script, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, meta.Database{Name: strings.TrimSuffix(filepath.Base(f.Name), corpus.Dump), Script: string(script)})
	}
	return all
}
