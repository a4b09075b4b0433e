package decide_test

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/decide"
)

//go:embed testdata/pairs.tsv
var pairs string

// TestPairs goes through the table of what decides and what only looks like it. Of
// what is typed without anything before it and any reply before the next turn, most is told apart, and what
// decides is of the kind that it should be.
func TestPairs(t *testing.T) {
	j, all := judge(t, standard(t), decide.Threshold), judge(t, standard(t), 0)
	n, missed, wrong, otherKind := 0, 0, 0, 0
	for line := range strings.Lines(pairs) {
		if line = strings.TrimSuffix(line, "\n"); strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.ReplaceAll(line, `\n`, "\n"), "\t")
		if len(f) != 3 {
			t.Fatalf("%q: %d fields", line, len(f))
		}
		n++
		kind, must, mustNot := decide.Kind(f[0]), decide.Input{Text: f[1], Over: true}, decide.Input{Text: f[2], Over: true}
		if v := all.Exchange(must); v.Kind != kind {
			t.Logf("%q is %s, not %s", must.Text, v.Kind, kind)
			otherKind++
		}
		if v := j.Exchange(must); len(v.Decisions) == 0 {
			t.Logf("missed: %s %q (%d)", kind, must.Text, v.Score)
			missed++
		}
		if v := j.Exchange(mustNot); len(v.Decisions) > 0 {
			t.Logf("taken: %q (%d)", mustNot.Text, v.Score)
			wrong++
		}
	}
	if n < 120 || missed*100 > 15*n || wrong*100 > 4*n || otherKind*100 > 5*n {
		t.Errorf("of %d pairs, %d missed, %d taken wrongly, %d of another kind", n, missed, wrong, otherKind)
	}
}
