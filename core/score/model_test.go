package score_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/score"
)

const file = "turn\t500\nsentence\t250\noffset\t-100\nbound\t-1000\nbound\t0\nbound\t1000\ne\tsays use\t2000\ns\tsays use\t-400\ne\tedited yes\t300\n"

// TestModel weighs two bags: the features of one share its length, those of the
// other add up, and each counts once.
func TestModel(t *testing.T) {
	m, err := score.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	var b score.Bag
	b.Add("says ", "use")
	b.Add("says that nobody knows")
	if got := m.Sum(score.Exchange, &b, true); got < 1411 || got > 1419 { // 2000 by the root of 2
		t.Errorf("two features, one known: %d", got)
	}
	if got := m.Sum(score.OfOne, &b, false); got != -400 {
		t.Errorf("in the sentence: %d", got)
	}
	b.Reset()
	b.Add("edited yes")
	b.Add("edited yes")
	if got := m.Sum(score.Exchange, &b, false); got != 300 {
		t.Errorf("one feature twice: %d", got)
	}
	if got := m.Mix(2000, -400); got != 800 {
		t.Errorf("mixed: %d", got)
	}
	for sum, want := range map[int64]int{-1001: 0, -1000: 1, -1: 1, 0: 2, 999: 2, 5000: 3} {
		if got := m.Score(sum); got != want {
			t.Errorf("%d scores %d, want %d", sum, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "e\tx\t1\n", "turn\t1\n", file + "x\ty\t1\n", file + "e\tx\ty\n", file + "e\n"} {
		if _, err := score.Parse(text); err == nil {
			t.Errorf("%q is taken for weights", text)
		}
	}
	if _, err := score.Parse(file + "z\ty\t1\n"); err == nil || !strings.Contains(err.Error(), "line 10") {
		t.Errorf("error %v, want one that names line 10", err)
	}
}

// TestGrams shows the n-grams of a sentence and the pieces of its words.
func TestGrams(t *testing.T) {
	turn := prose.Plain("Use `x` migrations 추가해")
	var w score.Words
	w.Read(&turn)
	var b score.Bag
	b.Named()
	w.Grams(&b, "says ", 0, len(turn.Tokens), 2)
	w.Stems(&b, "says ", 0, len(turn.Tokens))
	names := map[string]bool{}
	for _, c := range b.Counts(nil) {
		names[b.Name(c.Hash)] = true
	}
	for _, want := range []string{"says ^ use", "says use <code>", "says migra*", "says 추가~", "says 해~$", "says 추가해 $"} {
		if !names[want] {
			t.Errorf("%q is missing from %v", want, names)
		}
	}
}
