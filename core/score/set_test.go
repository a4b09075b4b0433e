package score_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/score"
)

// TestSet puts in more hashes than a set has room for at first, all of which begin to be
// looked for in one place.
func TestSet(t *testing.T) {
	var s score.Set
	for range 2 {
		if s.Has(1) {
			t.Fatal("an empty set has 1")
		}
		for i := range uint64(400) {
			h := i<<40 | 1
			if !s.Add(h) || s.Add(h) || !s.Has(h) || s.Has(h+1) {
				t.Fatalf("%x: wrong after it was put in", h)
			}
		}
		if s.Len() != 400 {
			t.Errorf("%d hashes, want 400", s.Len())
		}
		s.Reset()
	}
}

// TestHashOfGram holds the hash of each n-gram, which is made word by word, to the hash of
// its name.
func TestHashOfGram(t *testing.T) {
	turn := prose.Plain("Use `x` migrations, 추가해 please")
	var w score.Words
	w.Read(&turn)
	var b score.Bag
	b.Named()
	w.Grams(&b, "says ", 0, len(turn.Tokens), 3)
	w.Stems(&b, "says ", 0, len(turn.Tokens))
	b.Add("turn ", "asks")
	b.AddHash(score.Hash("ev ", "set"), func() string { return "ev set" })
	all := b.Counts(nil)
	if len(all) < 20 {
		t.Fatalf("%d features only", len(all))
	}
	for _, c := range all {
		if name := b.Name(c.Hash); score.Hash(name) != c.Hash {
			t.Errorf("%q has another hash", name)
		}
	}
}
