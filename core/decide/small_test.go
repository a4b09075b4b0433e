package decide_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/score"
)

// TestSmallWeights has what is released, where weights have the hashes of names instead of
// the names, weigh and score as the text in the repository does.
func TestSmallWeights(t *testing.T) {
	text, err := os.ReadFile("weights.tsv")
	if err != nil {
		t.Fatal(err)
	}
	small, err := score.Small(string(text))
	if err != nil {
		t.Fatal(err)
	}
	is, err := score.Parse(string(small))
	if err != nil {
		t.Fatal(err)
	}
	want, err := score.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if 2*len(small) > len(text) {
		t.Errorf("the small form has %d bytes, the text %d", len(small), len(text))
	}
	known := 0
	for row := range strings.Lines(string(text)) {
		name := strings.Join(strings.Split(row, "\t")[1:max(1, strings.Count(row, "\t"))], "\t")
		for of := range score.Standing + 1 {
			for _, hash := range []uint64{score.Hash(name), score.Hash(name, "?")} {
				w := want.Weight(of, hash)
				if got := is.Weight(of, hash); got != w {
					t.Fatalf("%q weighs %d in model %d, want %d", name, got, of, w)
				}
				if w != 0 {
					known++
				}
			}
		}
	}
	if known < 30_000 {
		t.Errorf("%d weights are compared", known)
	}
	for sum := int64(-6000); sum < 6000; sum += 250 {
		if got, w := is.Mix(sum, -sum), want.Mix(sum, -sum); got != w || is.Score(got) != want.Score(w) {
			t.Fatalf("%d is mixed to %d, want %d", sum, got, w)
		}
	}
	if is.Least != want.Least || is.First != want.First {
		t.Errorf("sent from %d and %d on, want %d and %d", is.Least, is.First, want.Least, want.First)
	}
	if is.Alone != want.Alone || is.Joins != want.Joins {
		t.Errorf("sentences are apart from %d and join from %d, want %d and %d", is.Alone, is.Joins, want.Alone, want.Joins)
	}
	for _, cut := range []int{10, 30, len(small) / 2, len(small) - 1} {
		if _, err := score.Parse(string(small[:cut])); err == nil {
			t.Errorf("%d bytes of the small form are taken for weights", cut)
		}
	}
	if _, err := score.Parse(string(small) + "x"); err == nil {
		t.Error("a byte too many is taken for weights")
	}
}
