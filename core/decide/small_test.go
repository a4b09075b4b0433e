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
	for _, group := range []string{"en", "eu", "zh", "ja", "ko", "ru", "none"} {
		for sum := int64(-6000); sum < 6000; sum += 250 {
			if got, w := is.Mix(is.Group(group), sum, -sum), want.Mix(want.Group(group), sum, -sum); got != w || is.Score(got) != want.Score(w) {
				t.Fatalf("%d in %s is mixed to %d, want %d", sum, group, got, w)
			}
		}
		if got, w := *is.Group(group), *want.Group(group); got != w {
			t.Errorf("group %s is %+v, want %+v", group, got, w)
		}
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
