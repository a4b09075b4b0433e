package edit_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/edit"
)

func FuzzFromTexts(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\n")
	f.Add("a\r\nb", "a\nb\n")
	f.Add("", "\n\n\n")
	f.Add("x\ny\nx\ny\nx\n", "y\nx\nz\ny\nx")
	f.Fuzz(func(t *testing.T, before, after string) {
		checkDiff(t, edit.FromTexts("f", before, after), before, after)
		checkDiff(t, edit.Created("f", after), "", after)
		checkDiff(t, edit.Deleted("f", before), before, "")
		checkCounts(t, edit.Replaced("f", before, after))
	})
}

func FuzzParsePatch(f *testing.F) {
	f.Add(patch("*** Add File: a\n+1\n"), "")
	f.Add(patch("*** Update File: a\n*** Move to: b\n@@ x\n a\n-b\n+c\n\n@@\n+d\n*** End of File\n"), "x\na\nb\n\n")
	f.Add("<<'EOF'\n"+patch("*** Delete File: a\n")+"\nEOF", "a")
	f.Fuzz(func(t *testing.T, text, before string) {
		files, err := edit.ParsePatch(text)
		if err != nil {
			return
		}
		var known edit.Files
		for _, p := range edit.Merge(files) {
			checkCounts(t, p.Diff())
			if after, err := p.Apply(before); err == nil && !strings.ContainsAny(p.Path+p.MoveTo, "\r\n") {
				d, err := p.DiffOf(before)
				if err != nil {
					t.Fatalf("applies, but has no diff: %v", err)
				}
				checkDiff(t, d, before, after)
			}
			known.Set(p.Path, before)
			checkCounts(t, known.Patch(p))
			known.Set(p.Path, before)
			known.Doubt()
			checkCounts(t, known.Patch(p))
		}
	})
}

func FuzzApply(f *testing.F) {
	f.Add("1\n2\n3\n", "@@ -1 +1 @@\n-2\n+x\n")
	f.Add("1\n2", "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+a\n@@ -1 +2 @@\n-2\n\\ No newline at end of file\n+2\n")
	f.Add("", "@@ -9999999999999999999,9 +1 @@\n")
	f.Fuzz(func(t *testing.T, text, unified string) {
		after, err := edit.Apply(text, unified)
		if err != nil {
			return
		}
		d, err := edit.FromUnified("f", unified)
		if err != nil {
			return // a head without hunks changes nothing
		}
		checkCounts(t, d)
		again, err := edit.Apply(text, d.Unified)
		if err != nil || again != after {
			t.Fatalf("rewritten diff makes %q, %v; the original makes %q", again, err, after)
		}
	})
}
