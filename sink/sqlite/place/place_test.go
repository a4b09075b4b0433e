package place_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/memscribe/memscribe/sink/sqlite/place"
)

// table is a set of numbers that counts how often it is asked.
type table struct {
	taken map[int64]bool
	asked int
}

func (t *table) put(f *place.Finder, first int64) (at int64, err error) {
	err = f.Put(first, func(n int64) (bool, error) {
		if t.taken[n] {
			return false, nil
		}
		t.taken[n], at = true, n
		return true, nil
	}, func(n int64) (bool, error) {
		t.asked++
		return t.taken[n], nil
	})
	return at, err
}

// TestRun puts 10,000 rows at one place: each is after the last, and a new Finder
// asks some thirty times.
func TestRun(t *testing.T) {
	tab, finder := table{taken: map[int64]bool{}}, &place.Finder{}
	for i := range int64(10_000) {
		if at, err := tab.put(finder, -7); err != nil || at != i-7 {
			t.Fatalf("row %d is at %d: %v", i, at, err)
		}
	}
	if tab.asked > 0 {
		t.Errorf("asked %d times by a Finder that remembers", tab.asked)
	}
	if at, err := tab.put(&place.Finder{}, -7); err != nil || at != 9_993 {
		t.Errorf("the next one is at %d: %v", at, err)
	}
	if tab.asked > 30 {
		t.Errorf("asked %d times by a new Finder", tab.asked)
	}
}

// TestAny puts rows at places that lie near each other, with Finders that come and go. Every
// row has a number at its place or after it, and the one in front of it is taken, or it is
// the place itself.
func TestAny(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		tab, finder := table{taken: map[int64]bool{}}, &place.Finder{}
		for range 300 {
			if rng.IntN(20) == 0 {
				finder = &place.Finder{}
			}
			first := rng.Int64N(40) * 3
			at, err := tab.put(finder, first)
			if err != nil || at < first || at > first && !tab.taken[at-1] {
				t.Fatalf("seed %d: a row of %d is at %d: %v", seed, first, at, err)
			}
		}
		if len(tab.taken) != 300 {
			t.Fatalf("seed %d: %d numbers for 300 rows", seed, len(tab.taken))
		}
	}
}

// TestError: what cannot be asked or put ends the search.
func TestError(t *testing.T) {
	broken := errors.New("broken")
	no := func(int64) (bool, error) { return false, nil }
	bad := func(int64) (bool, error) { return false, broken }
	if err := (&place.Finder{}).Put(1, no, bad); !errors.Is(err, broken) {
		t.Errorf("asking: %v", err)
	}
	if err := (&place.Finder{}).Put(1, bad, no); !errors.Is(err, broken) {
		t.Errorf("putting: %v", err)
	}
}
