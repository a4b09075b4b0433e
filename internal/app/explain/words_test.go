package explain

import (
	"os"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/score"
)

// TestPhrases holds the phrases to the weights: every feature that is shown has one.
func TestPhrases(t *testing.T) {
	weights, err := os.ReadFile("../../../core/decide/weights.tsv")
	if err != nil {
		t.Fatal(err)
	}
	shown := score.Code(score.Exchange) + score.Code(score.OfOne) + score.Code(score.Sparse)
	n := 0
	for line := range strings.Lines(string(weights)) {
		f := strings.Split(line, "\t")
		if len(f) != 3 || !strings.Contains(shown, f[0]) {
			continue
		}
		n++
		if says := inWords(f[1]); strings.TrimPrefix(says, "the strongest sentence: ") == strings.TrimPrefix(f[1], "s ") || strings.Contains(says, "%") {
			t.Errorf("%q has no phrase: %q", f[1], says)
		}
	}
	if n < 1000 {
		t.Errorf("%d features", n)
	}
}

func TestInWords(t *testing.T) {
	for _, test := range []struct{ feature, from, says string }{
		{"says use the <code>", Turn, "has the words “use the CODE”"},
		{"says ^ let's", Turn, "has the words “(beginning) let's”"},
		{"says migra*", Turn, "has the words “migra…”"},
		{"ends on ?", Turn, "ends with “?”"},
		{"before asks yes", Before, "asks something: yes"},
		{"reply begins: i'll", Reply, "begins with “i'll”"},
		{"takes up names 3", Reply, "repeats names of the turn (step 3)"},
		{"edited yes", Edits, "an edit follows"},
		{"edited no set", Edits, "no edit follows (set)"},
		{"s ev does in neg", Turn, "the strongest sentence: a sentence that forbids or denies"},
		{"ev mod.default as object", Turn, "matches the rule mod.default as object"},
	} {
		if got := from(test.feature); got != test.from {
			t.Errorf("%s is from %s, not %s", test.feature, test.from, got)
		}
		if got := inWords(test.feature); got != test.says {
			t.Errorf("%s: %s, not %s", test.feature, got, test.says)
		}
	}
}

func TestParts(t *testing.T) {
	parts := Parts([]Piece{{From: Turn, Weight: 0.3}, {From: Reply, Weight: -1}, {From: Turn, Weight: 0.2}})
	if len(parts) != 2 || parts[0].Name != Reply || parts[1].Weight != 0.5 || len(parts[1].Pieces) != 2 {
		t.Errorf("%+v", parts)
	}
}
