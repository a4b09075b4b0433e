package meta_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/corpus"
	"github.com/memscribe/memscribe/testkit/meta"
	"github.com/memscribe/memscribe/testkit/run"
)

// Run many with: go test ./testkit/meta -run Schedules -schedules 1000 -seed 1
func flags() (schedules, steps *int, seed *uint64) {
	return flag.Int("schedules", 30, "how many schedules to play"), flag.Int("steps", 40, "how many things happen in each"),
		flag.Uint64("seed", 1, "of the first schedule; the others follow")
}

var schedules, steps, seed = flags()

func TestSchedules(t *testing.T) {
	cases := load(t)
	for i := range *schedules {
		s := meta.Schedule{Seed: *seed + uint64(i), Cases: cases, Steps: *steps}
		t.Run(fmt.Sprint("seed ", s.Seed), func(t *testing.T) {
			t.Parallel()
			if err := s.Play(t.Context(), t.TempDir()); err != nil {
				t.Errorf("%v\nagain: go test ./testkit/meta -run Schedules -schedules 1 -seed %d -steps %d", err, s.Seed, s.Steps)
			}
		})
	}
}

// load reads the transcripts of the fixtures, those of the shorter sessions.
func load(t *testing.T) [][]run.Input {
	t.Helper()
	all, err := corpus.Load("../../fixtures")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][]run.Input
	for _, c := range all {
		a, ok := adapters.ByTool(c.Tool)
		if !ok {
			t.Fatalf("no adapter for %s", c.Tool)
		}
		_, database := a.(core.DatabaseAdapter)
		if _, tree := a.(core.TreeAdapter); tree || database {
			continue // not files of their own
		}
		inputs, err := run.Inputs(c, a)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, in := range inputs {
			size += len(in.Data)
		}
		if size < 200<<10 {
			cases = append(cases, inputs)
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	return cases
}
