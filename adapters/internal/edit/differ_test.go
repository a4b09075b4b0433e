package edit_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
)

// TestDifferAgain holds the diffs of one Differ to those of a new one for each:
// nothing of a text may show in the next one's diff.
func TestDifferAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	lines := []string{"", "a", "b", "}", "return nil", "if err != nil {", "if err == nil {", "a longer line with a word in it", "a longer line with a wood in it"}
	text := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			b.WriteString(lines[r.IntN(len(lines))] + "\n")
		}
		return b.String() + lines[r.IntN(len(lines))]
	}
	var d edit.Differ
	for range 500 {
		before, after := text(), text()
		if diff := cmp.Diff(edit.FromTexts("f", before, after), d.FromTexts("f", before, after)); diff != "" {
			t.Fatalf("%q to %q (-new +again):\n%s", before, after, diff)
		}
		if diff := cmp.Diff(edit.Replaced("f", before, after), d.Replaced("f", before, after)); diff != "" {
			t.Fatalf("%q replaced by %q (-new +again):\n%s", before, after, diff)
		}
	}
}
