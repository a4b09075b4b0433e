package decide_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/decide"
)

//go:embed testdata/pairs.tsv
var pairs string

// TestPairs goes through the table of what decides and what only looks like it.
func TestPairs(t *testing.T) {
	rules := standard(t)
	n := 0
	for line := range strings.Lines(pairs) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.ReplaceAll(line, `\n`, "\n"), "\t")
		if len(f) != 3 {
			t.Fatalf("%q: %d fields", line, len(f))
		}
		n++
		kind, must, mustNot := decide.Kind(f[0]), f[1], f[2]
		if v := decide.Turn(rules, decide.Input{Text: must}); v.Kind != kind {
			t.Errorf("must be %s: %q is %s (%d)", kind, must, v.Kind, v.Score)
		}
		if v := decide.Turn(rules, decide.Input{Text: mustNot}); len(v.Decisions) > 0 {
			t.Errorf("must not decide: %q is %s (%d)", mustNot, v.Kind, v.Score)
		}
	}
	if n < 120 {
		t.Errorf("only %d pairs", n)
	}
}
