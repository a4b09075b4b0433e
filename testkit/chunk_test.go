package testkit_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/chunk"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/size"
)

func play(t testing.TB, inputs []trial.Input, s chunk.Schedule) *chunk.Outcome {
	t.Helper()
	o, err := chunk.Play(inputs, s, true)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// same fails with the first differences, and says how to see them again.
func same(t testing.TB, want, got *chunk.Outcome, how string) {
	t.Helper()
	for i, d := range chunk.Differences(want, got) {
		if i < 3 {
			t.Errorf("%s: %s", how, d)
		}
	}
}

// TestEverySplit cuts each transcript of the smallest session of each version at
// every byte, if it is a file of lines, and every transcript around its line ends.
func TestEverySplit(t *testing.T) {
	smallest := smallestSessions(t)
	each(t, fixtures, func(t *testing.T, s *session) {
		if s.isSpared(t) {
			return
		}
		t.Parallel()
		want := play(t, s.inputs, chunk.Whole(s.inputs))
		for i, in := range s.inputs {
			for _, at := range cuts(in.Data, smallest[s.Name()] && in.Framing() == core.Lines && in.At == nil) {
				same(t, want, play(t, s.inputs, chunk.Split(s.inputs, i, at)), fmt.Sprintf("%s cut at byte %d", in.Name, at))
				if t.Failed() {
					return
				}
			}
		}
	})
}

// smallestSessions picks a session of each tool and version, by the first two of
// its numbers: at the ordinary size, of each tool.
func smallestSessions(t *testing.T) map[string]bool {
	best := map[string]*session{}
	for _, s := range sessions(t, fixtures) {
		if s.isSpared(t) {
			continue
		}
		s.load(t)
		major, rest, _ := strings.Cut(s.Version, ".")
		minor, _, _ := strings.Cut(rest, ".")
		version := string(s.Tool)
		if size.IsFull() {
			version += " " + major + "." + minor
		}
		if b := best[version]; b == nil || total(s) < total(b) {
			best[version] = s
		}
	}
	names := map[string]bool{}
	for _, s := range best {
		names[s.Name()] = true
	}
	return names
}

func total(s *session) int {
	n := 0
	for _, in := range s.inputs {
		n += len(in.Data)
	}
	return n
}

// everyByte is the largest transcript that is cut at every byte: the work grows
// with the square. A larger one is cut at every second byte, or third.
func everyByte() int { return size.Of(256, 4<<10) }

// cuts lists where a transcript is cut: everywhere, or around some line ends and
// in as many places between.
func cuts(data []byte, everywhere bool) []int {
	var all []int
	if everywhere {
		for i := 0; i <= len(data); i += 1 + len(data)/everyByte() {
			all = append(all, i)
		}
	}
	r := rand.New(rand.NewPCG(uint64(len(data)), 3))
	step := 1 + bytes.Count(data, []byte("\n"))/6
	for i, line := 0, 0; i < len(data); i++ {
		if data[i] == '\n' {
			if line%step == 0 {
				all = append(all, i, i+1, r.IntN(len(data)))
			}
			line++
		}
	}
	return all
}

func TestByteByByte(t *testing.T) {
	each(t, fixtures, func(t *testing.T, s *session) {
		if s.isSpared(t) {
			return
		}
		t.Parallel()
		same(t, play(t, s.inputs, chunk.Whole(s.inputs)), play(t, s.inputs, chunk.Bytes(s.inputs)), "byte by byte")
	})
}

// TestRandomArrival cuts and orders the transcripts of each session at random:
// one after another, and in turns.
func TestRandomArrival(t *testing.T) {
	for _, root := range []string{fixtures, recorded()} {
		t.Run(root, func(t *testing.T) {
			each(t, root, func(t *testing.T, s *session) {
				if s.isSpared(t) {
					return
				}
				t.Parallel()
				arriveAtRandom(t, s.inputs, uint64(size.Of(1, 4)))
			})
		})
	}
}

// TestRandomCompany lets several sessions arrive in turns.
func TestRandomCompany(t *testing.T) {
	all := sessions(t, fixtures)
	for seed := range uint64(size.Of(4, 12)) {
		r := rand.New(rand.NewPCG(seed, 1))
		var inputs []trial.Input
		names := ""
		for range 3 {
			s := all[r.IntN(len(all))]
			s.load(t)
			if total(s) < 200_000 {
				inputs = append(inputs, named(s.inputs, len(inputs))...)
				names += " " + s.Name()
			}
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Log(names)
			arriveAtRandom(t, inputs, 2)
		})
	}
}

// named gives transcripts names of their own, for a session that came twice.
func named(inputs []trial.Input, n int) []trial.Input {
	var out []trial.Input
	for _, in := range inputs {
		in.Name = fmt.Sprintf("%d/%s", n, in.Name)
		out = append(out, in)
	}
	return out
}

func arriveAtRandom(t *testing.T, inputs []trial.Input, seeds uint64) {
	want := play(t, inputs, chunk.Whole(inputs))
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 2))
		same(t, want, play(t, inputs, chunk.Random(inputs, r)), fmt.Sprintf("one after another, seed %d", seed))
		same(t, want, play(t, inputs, chunk.Interleaved(inputs, r)), fmt.Sprintf("in turns, seed %d", seed))
		if t.Failed() {
			return
		}
	}
}

// TestUnobserved: looking at the events changes nothing in the nodes.
func TestUnobserved(t *testing.T) {
	each(t, fixtures, func(t *testing.T, s *session) {
		if s.isSpared(t) {
			return
		}
		want := play(t, s.inputs, chunk.Whole(s.inputs))
		got, err := chunk.Play(s.inputs, chunk.Whole(s.inputs), false)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range chunk.DifferentNodes(want, got) {
			t.Error(d)
		}
	})
}
