package edit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/edit"
)

// TestManyLines makes diffs of texts with more lines than are compared one by one: they apply,
// show little of what the texts have in common, and count their lines.
func TestManyLines(t *testing.T) {
	t.Parallel()
	const n = 600_000
	head, tail := strings.Repeat("h\n", 1000), strings.Repeat("t\n", 1000)
	for name, c := range map[string]struct {
		before, after  string
		added, removed int
	}{
		"all":            {strings.Repeat("a\n", n), strings.Repeat("b\n", n), n, n},
		"middle":         {head + strings.Repeat("a\n", n) + tail, head + strings.Repeat("b\n", n) + tail, n, n},
		"no end":         {strings.Repeat("a\n", n) + "x", strings.Repeat("b\n", n) + "y", n + 1, n + 1},
		"grown":          {head + tail, head + strings.Repeat("b\n", 2*n) + tail, 2 * n, 0},
		"shrunk":         {head + strings.Repeat("b\n", 2*n) + tail, head + tail, 0, 2 * n},
		"one line":       {strings.Repeat("a\n", n) + "x\n" + strings.Repeat("a\n", n), strings.Repeat("a\n", n) + "y\n" + strings.Repeat("a\n", n), 1, 1},
		"last line":      {strings.Repeat("a\n", 2*n) + "x", strings.Repeat("a\n", 2*n) + "x\n", 1, 1},
		"nothing at all": {strings.Repeat("a\n", 2*n), strings.Repeat("a\n", 2*n), 0, 0},
	} {
		d := edit.FromTexts("/a", c.before, c.after)
		if d.Added != c.added || d.Removed != c.removed {
			t.Errorf("%s: +%d -%d, want +%d -%d", name, d.Added, d.Removed, c.added, c.removed)
		}
		if context := strings.Count(d.Unified, "\n") - d.Added - d.Removed; context > 20 {
			t.Errorf("%s: %d lines of context", name, context)
		}
		if c.before == c.after {
			continue
		}
		if got, err := edit.Apply(c.before, d.Unified); err != nil || got != c.after {
			t.Errorf("%s: it does not apply: %v", name, err)
		}
	}
	d := edit.Replaced("/a", strings.Repeat("a\n", n)+"x", strings.Repeat("b\n", n))
	if d.Added != n+1 || d.Removed != n+1 {
		t.Errorf("replaced: +%d -%d", d.Added, d.Removed)
	}
}

// TestSharedEnds makes diffs of texts that have much in common at their ends, repeated lines
// above all: they apply, and are no longer than the change.
func TestSharedEnds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%c\n", 'a'+rune(r.IntN(2)))
		}
		return b.String()
	}
	for range 3000 {
		head, tail := text(r.IntN(12)), text(r.IntN(12))
		if r.IntN(3) == 0 {
			tail = strings.TrimSuffix(tail, "\n")
		}
		before, after := head+text(r.IntN(3))+tail, head+text(r.IntN(3))+tail
		if r.IntN(4) == 0 {
			after = strings.TrimSuffix(after, "\n")
		}
		d := edit.FromTexts("/a", before, after)
		if before == after {
			if d.Added+d.Removed > 0 {
				t.Errorf("%q: %s", before, d.Unified)
			}
			continue
		}
		if got, err := edit.Apply(before, d.Unified); err != nil || got != after {
			t.Fatalf("%q to %q: %v, %q\n%s", before, after, err, got, d.Unified)
		}
		if d.Added > 6 || d.Removed > 6 {
			t.Errorf("%q to %q: +%d -%d", before, after, d.Added, d.Removed)
		}
	}
}

// TestContextOfRepeatedLines adds a blank line to another one: three lines are shown behind it.
func TestContextOfRepeatedLines(t *testing.T) {
	t.Parallel()
	const head, tail = "a\nb\nc\nd\n\n", "e\nf\ng\nh\ni\n"
	const want = "@@ -3,6 +3,7 @@\n c\n d\n \n+\n e\n f\n g\n"
	if got := edit.FromTexts("/a", head+tail, head+"\n"+tail).Unified; !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
