package prose_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/prose"
)

// TestLongTurns has turns of a megabyte and more: their beginning and their end are read, as
// those of a shorter one, and twice the length is not twice the work.
func TestLongTurns(t *testing.T) {
	for name, middle := range map[string]string{
		"prose": "We looked at this for a while and it is fine.\n", "items": "- a\n", "diff": "+a\n-b\n", "blank": "\n",
		"fences": "```\ncode\n```\n", "quoted": "> x\n", "elements": "<context>\nx\n</context>\n",
	} {
		of := func(size int) string {
			head := strings.Repeat("Please read what I wrote here before you begin. ", 200)
			return head + "\n" + strings.Repeat(middle, size/len(middle)) + "\nAnd use Postgres, not MySQL."
		}
		short, long, longer := of(1<<15), of(1<<20), of(1<<21)
		want, got := prose.Of(short), prose.Of(long)
		if len(want.Sentences) == 0 || len(got.Sentences) == 0 {
			t.Fatalf("%s: nothing is read", name)
		}
		last := func(t prose.Turn) string { return t.Sentences[len(t.Sentences)-1].In(t.Text) }
		first := func(t prose.Turn) string { return t.Sentences[0].In(t.Text) }
		if last(got) != last(want) || first(got) != first(want) {
			t.Errorf("%s: a long turn begins with %q and ends with %q, a short one with %q and %q", name, first(got), last(got), first(want), last(want))
		}
		if one, two := prose.Judged(long), prose.Judged(longer); two > one+one/10 {
			t.Errorf("%s: %d lines are judged of one, %d of twice as much", name, one, two)
		}
	}
}

// TestLongPastes: a turn that is almost nothing but pasted lines is read at its beginning and
// its end, however many they are.
func TestLongPastes(t *testing.T) {
	for name, line := range map[string]string{"quoted": "> x\n", "diff": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "log": "12:00:00 INFO started\n"} {
		of := func(lines int) string {
			return "Use Postgres, not MySQL.\n\n" + strings.Repeat(line, lines/strings.Count(line, "\n")) + "\n\nPlease never use tabs."
		}
		long := of(1 << 20)
		var said []string
		for _, s := range prose.Of(long).Sentences {
			said = append(said, s.In(long))
		}
		if got := strings.Join(said, "|"); got != "Use Postgres, not MySQL.|Please never use tabs." {
			t.Errorf("%s: reads %.300q", name, got)
		}
		if one, two := prose.Judged(long), prose.Judged(of(1<<21)); two > one+one/10 {
			t.Errorf("%s: %d lines are judged of one, %d of twice as much", name, one, two)
		}
	}
}
