package edit_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// text is what files knows of a path; "?" is nothing.
func text(f *edit.Files, path string) string {
	s, ok := f.Text(path)
	if !ok {
		return "?"
	}
	return s
}

func TestFilesFollowEdits(t *testing.T) {
	var f edit.Files
	f.Write("a", "1\n2\n3\n")
	d := f.Replace("a", "2", "two", false)
	checkDiff(t, d, "1\n2\n3\n", "1\ntwo\n3\n")
	if *d.Old != "2" || *d.New != "two" {
		t.Errorf("old and new are %q and %q, want the strings", *d.Old, *d.New)
	}
	d = f.Replace("a", "nope", "x", false)
	if !strings.Contains(d.Unified, "@@ -1 +1 @@\n-nope\n+x\n") {
		t.Errorf("edit that cannot be followed: %q", d.Unified)
	}
	if got := text(&f, "a"); got != "?" {
		t.Errorf("still known after an edit that cannot be followed: %q", got)
	}
	d = f.Write("a", "x\n")
	if d.Change != core.Write || d.Old != nil || d.Added != 1 || d.Removed != 0 {
		t.Errorf("write of an unknown file: %+v", d)
	}
	d = f.Write("a", "y\n")
	if d.Change != core.Modify {
		t.Errorf("write of a known file: %+v", d)
	}
	checkDiff(t, d, "x\n", "y\n")
}

func TestFilesApply(t *testing.T) {
	const before = "1\n2\n3\n4\n5\n6\n7\n8\nx\n"
	var f edit.Files
	f.Set("a", before)
	right, err := edit.FromUnified("a", "@@ -9 +9 @@\n-x\n+y\n")
	if err != nil {
		t.Fatal(err)
	}
	if d := f.Apply(right); d.Unified != right.Unified || text(&f, "a") != "1\n2\n3\n4\n5\n6\n7\n8\ny\n" {
		t.Errorf("diff that fits: %q, then %q", d.Unified, text(&f, "a"))
	}
	f.Set("a", before)
	moved, err := edit.FromUnified("a", "@@ -1 +1 @@\n-x\n+y\n")
	if err != nil {
		t.Fatal(err)
	}
	d := f.Apply(moved)
	if !strings.Contains(d.Unified, "@@ -6,4 +6,4 @@\n") {
		t.Errorf("numbers were not put right: %q", d.Unified)
	}
	checkDiff(t, d, before, text(&f, "a"))

	f.Set("a", before)
	d = f.Apply(edit.Renamed(moved, "a"))
	if d.Change != core.Rename || text(&f, "a") != "1\n2\n3\n4\n5\n6\n7\n8\ny\n" {
		t.Errorf("rename onto itself: %+v, then %q", d, text(&f, "a"))
	}
	moved.Path = "b"
	d = f.Apply(edit.Renamed(moved, "a"))
	if d.Path != "b" || d.OldPath != "a" || text(&f, "a") != "?" {
		t.Errorf("rename: %+v, then %q", d, text(&f, "a"))
	}
	f.Apply(edit.Created("c", "new\n"))
	if text(&f, "c") != "new\n" {
		t.Errorf("created file is %q", text(&f, "c"))
	}
	f.Apply(edit.DeletedUnseen("c"))
	if text(&f, "c") != "?" {
		t.Errorf("deleted file is %q", text(&f, "c"))
	}
}

// TestFilesAtOnce: of two edits that ran at once, the second may have begun with the text
// before the first (recorded with Continue 1.5.43). Which of them the file held is not known.
func TestFilesAtOnce(t *testing.T) {
	before := "1\n2\n3\n"
	first, second := edit.FromTexts("a", before, "one\n2\n3\n"), edit.FromTexts("a", before, "1\n2\nthree\n")
	for name, tt := range map[string]struct {
		between func(*edit.Files)
		want    core.Certainty
	}{
		"at once":                     {func(*edit.Files) {}, core.Told},
		"in two answers of the model": {func(f *edit.Files) { f.AtOnce("2") }, ""},
	} {
		var f edit.Files
		f.Set("a", before)
		f.AtOnce("1")
		if d := f.Follow(first); d.Certainty != "" {
			t.Errorf("%s: the first edit is %q", name, d.Certainty)
		}
		tt.between(&f)
		if d := f.Follow(second); d.Certainty != tt.want {
			t.Errorf("%s: the second edit is %q, want %q", name, d.Certainty, tt.want)
		}
		third := edit.Facts{Path: "a", Shown: func() (core.Diff, bool) { return edit.FromTexts("a", before, "1\n2\n"), true }}
		if d, ok := f.Of(third); !ok || d.Certainty != tt.want {
			t.Errorf("%s: the third edit is %q, want %q", name, d.Certainty, tt.want)
		}
		if text, ok := f.Text("a"); ok {
			t.Errorf("%s: the text is known: %q", name, text)
		}
	}
}

// TestFilesMixed: of two edits that ran at once, the tool shows what both had done for the first, and
// the same for the second (recorded with OpenCode 0.5.29).
func TestFilesMixed(t *testing.T) {
	before, after := "1\n2\n3\n", "one\n2\nthree\n"
	edited := func(pair edit.Pair, shown core.Diff) edit.Facts {
		return edit.Facts{
			Path: "a", Pairs: []edit.Pair{pair}, Shown: func() (core.Diff, bool) { return shown, true },
			Agrees: func(before, after string, _ int) bool {
				return edit.FromTexts("a", before, after).Unified == shown.Unified
			},
		}
	}
	var f edit.Files
	f.Set("a", before)
	f.AtOnce("1")
	if d, ok := f.Of(edited(edit.Pair{Before: "1", After: "one"}, edit.FromTexts("a", before, after))); !ok || d.Certainty != "" {
		t.Errorf("the first edit is %q", d.Certainty)
	}
	if d, ok := f.Of(edited(edit.Pair{Before: "3", After: "three"}, edit.FromTexts("a", before, "1\n2\nthree\n"))); !ok || d.Certainty != core.Told {
		t.Errorf("the second edit is %q", d.Certainty)
	}
	f.AtOnce("2")
	if d, ok := f.Of(edited(edit.Pair{Before: "2", After: "two"}, edit.FromTexts("a", after, "one\ntwo\nthree\n"))); !ok || d.Certainty != "" {
		t.Errorf("an edit of the next answer is %q", d.Certainty)
	}
}

func TestFilesFollow(t *testing.T) {
	var f edit.Files
	f.Set("a", "1\n2\n3\n")
	f.Follow(edit.FromTexts("a", "1\n2\n3\n", "1\ntwo\n3\n"))
	if text(&f, "a") != "1\ntwo\n3\n" {
		t.Errorf("a is %q", text(&f, "a"))
	}
	f.Follow(edit.Renamed(edit.FromTexts("b", "1\ntwo\n3\n", "1\n3\n"), "a"))
	if text(&f, "a") != "?" || text(&f, "b") != "1\n3\n" {
		t.Errorf("a is %q, b is %q", text(&f, "a"), text(&f, "b"))
	}
	f.Follow(edit.FromTexts("b", "other\n", "text\n"))
	if text(&f, "b") != "?" {
		t.Errorf("b is %q after a change that does not fit", text(&f, "b"))
	}
	f.Follow(edit.Created("c", "1\n"))
	if d := f.Write("c", "2\n"); d.Change != core.Modify || text(&f, "c") != "2\n" {
		t.Errorf("write of a known file: %+v", d)
	}
	f.Doubt()
	if d := f.Write("c", "3\n"); d.Change != core.Write || text(&f, "c") != "3\n" {
		t.Errorf("write of a file in doubt: %+v", d)
	}
	f.Follow(edit.DeletedUnseen("c"))
	if text(&f, "c") != "?" {
		t.Errorf("c is %q after it was deleted", text(&f, "c"))
	}
	if d := f.Write("c", "4\n"); d.Change != core.Create {
		t.Errorf("write of a file that was deleted: %+v", d)
	}
}

// What was seen before a shell command ran is believed, and diffs that rest on it say
// so.
func TestFilesDoubt(t *testing.T) {
	const before = "1\n2\n3\n4\n5\n6\n7\n"
	for _, test := range []struct {
		name string
		do   func(f *edit.Files) core.Diff
		sure core.Diff
		then core.Diff // after a doubt
	}{
		{
			"replace",
			func(f *edit.Files) core.Diff { return f.Replace("a", "4", "four", false) },
			core.Diff{Change: core.Modify},
			core.Diff{Change: core.Modify, Certainty: core.Told},
		},
		{
			"replace what is not there",
			func(f *edit.Files) core.Diff { return f.Replace("a", "9", "nine", false) },
			core.Diff{Change: core.Modify, Certainty: core.Told},
			core.Diff{Change: core.Modify, Certainty: core.Told},
		},
		{
			"replace several",
			func(f *edit.Files) core.Diff {
				return f.ReplaceAll("a", []edit.Pair{{Before: "4", After: "four"}, {Before: "5", After: "five"}})
			},
			core.Diff{Change: core.Modify},
			core.Diff{Change: core.Modify, Certainty: core.Told},
		},
		{
			"write",
			func(f *edit.Files) core.Diff { return f.Write("a", "8\n") },
			core.Diff{Change: core.Modify},
			core.Diff{Change: core.Write},
		},
		{
			"patch",
			func(f *edit.Files) core.Diff {
				return f.Patch(firstPatch(t, "*** Update File: a\n@@\n-4\n+four\n"))
			},
			core.Diff{Change: core.Modify},
			core.Diff{Change: core.Modify, Certainty: core.Unplaced},
		},
		{
			"patch that finds its line although it differs in space",
			func(f *edit.Files) core.Diff {
				return f.Patch(firstPatch(t, "*** Update File: a\n@@\n-4 \n+four\n"))
			},
			core.Diff{Change: core.Modify},
			core.Diff{Change: core.Modify, Certainty: core.Told},
		},
		{
			"patch that deletes",
			func(f *edit.Files) core.Diff { return f.Patch(firstPatch(t, "*** Delete File: a\n")) },
			core.Diff{Change: core.Delete},
			core.Diff{Change: core.Delete, Certainty: core.Told},
		},
	} {
		var f edit.Files
		f.Set("a", before)
		if d := test.do(&f); d.Change != test.sure.Change || d.Certainty != test.sure.Certainty {
			t.Errorf("%s: a %s, %q:\n%s", test.name, d.Change, d.Certainty, d.Unified)
		} else if d.Certainty == core.Exact && d.Unified != "" && d.Removed > 0 {
			if _, err := edit.Apply(before, d.Unified); err != nil {
				t.Errorf("%s: %v\n%s", test.name, err, d.Unified)
			}
		}
		f = edit.Files{}
		f.Set("a", before)
		f.Doubt()
		if d := test.do(&f); d.Change != test.then.Change || d.Certainty != test.then.Certainty {
			t.Errorf("%s in doubt: a %s, %q:\n%s", test.name, d.Change, d.Certainty, d.Unified)
		}
		// What is made of a belief is one, too; a patch that shows it, or a write, is not.
		if d := f.Replace("a", "1", "one", false); d.Certainty == core.Exact && test.name != "write" {
			t.Errorf("%s, then another edit: %q is exact", test.name, d.Unified)
		}
	}
}

// Some reads do not show whether the last line of a file has an end.
func TestFilesOpen(t *testing.T) {
	for _, test := range []struct {
		name, before, replaced, by string
		want                       core.Certainty
		hunk                       string
	}{
		{"far from the end", "1\n2\n3\n4\n5\n6\n", "1", "one", core.Exact, "@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n"},
		{"the end is context", "1\n2\n3\n", "1", "one", core.Exact, "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n"},
		{"before the last line", "1\n2\n", "1\n", "1\n1.5\n", core.Exact, "@@ -1 +1,2 @@\n 1\n+1.5\n"},
		{"the last line", "1\n2\n", "2", "two", core.Told, "@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"},
		{"behind the last line", "1\n2\n", "2\n", "2\n3\n", core.Told, "@@ -1,2 +1,3 @@\n 1\n 2\n+3\n"},
	} {
		var f edit.Files
		f.SetOpen("a", test.before)
		d := f.Replace("a", test.replaced, test.by, false)
		if _, hunk, _ := strings.Cut(d.Unified, "+++ b/a\n"); hunk != test.hunk || d.Certainty != test.want {
			t.Errorf("%s: %q:\n%s", test.name, d.Certainty, d.Unified)
		}
		if test.want != core.Exact {
			continue
		}
		for _, end := range []string{"", "\n"} { // whatever the end
			if _, err := edit.Apply(strings.TrimSuffix(test.before, "\n")+end, d.Unified); err != nil {
				t.Errorf("%s: does not apply to a file that ends in %q: %v", test.name, end, err)
			}
		}
	}
}

func firstPatch(t *testing.T, body string) edit.FilePatch {
	t.Helper()
	files, err := edit.ParsePatch(patch(body))
	if err != nil {
		t.Fatal(err)
	}
	return files[0]
}

func TestFilesPatch(t *testing.T) {
	var f edit.Files
	apply := func(body string) core.Diff {
		t.Helper()
		files, err := edit.ParsePatch(patch(body))
		if err != nil {
			t.Fatal(err)
		}
		return f.Patch(files[0])
	}
	if d := apply("*** Add File: a\n+1\n+2\n"); d.Change != core.Write || text(&f, "a") != "1\n2\n" {
		t.Errorf("add: %+v, then %q", d, text(&f, "a"))
	}
	d := apply("*** Update File: a\n@@\n-2\n+two\n")
	if d.Change != core.Modify || d.Old != nil || d.New != nil {
		t.Errorf("update: %+v", d)
	}
	checkDiff(t, d, "1\n2\n", "1\ntwo\n")
	d = apply("*** Update File: a\n*** Move to: b\n@@\n-two\n+2\n")
	if d.Change != core.Rename || d.Path != "b" || d.OldPath != "a" || text(&f, "a") != "?" || text(&f, "b") != "1\n2\n" {
		t.Errorf("move: %+v, then %q and %q", d, text(&f, "a"), text(&f, "b"))
	}
	checkDiff(t, d, "1\ntwo\n", "1\n2\n")
	d = apply("*** Delete File: b\n")
	checkDiff(t, d, "1\n2\n", "")
	if d.Change != core.Delete || text(&f, "b") != "?" {
		t.Errorf("delete: %+v, then %q", d, text(&f, "b"))
	}
	if d := apply("*** Update File: a\n@@\n-x\n+y\n"); d.Added != 1 || text(&f, "a") != "?" {
		t.Errorf("update of an unknown file: %+v, then %q", d, text(&f, "a"))
	}
}

// After a doubt a patch gets its numbers from the text, and no lines.
func TestFilesPatchInDoubt(t *testing.T) {
	const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	tests := []struct{ name, body, want string }{
		{"placed", "@@\n 6\n-7\n+seven\n@@\n-9\n+nine\n", "@@ -6,2 +6,2 @@\n 6\n-7\n+seven\n@@ -9 +9 @@\n-9\n+nine\n"},
		{"shifted", "@@\n 2\n+two\n@@\n-9\n", "@@ -2 +2,2 @@\n 2\n+two\n@@ -9 +9,0 @@\n-9\n"},
		{"lines that stay", "@@\n-2\n-3\n+2\n+three\n", "@@ -2,2 +2,2 @@\n 2\n-3\n+three\n"},
		{"not there", "@@\n-x\n+y\n", "@@ -1 +1 @@\n-x\n+y\n"},
		{"found by trimming", "@@\n- 7\n+y\n", "@@ -1 +1 @@\n- 7\n+y\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var f edit.Files
			f.Set("a", before)
			f.Doubt()
			files, err := edit.ParsePatch(patch("*** Update File: a\n" + test.body))
			if err != nil {
				t.Fatal(err)
			}
			d := f.Patch(files[0])
			if want := "--- a/a\n+++ b/a\n" + test.want; d.Unified != want {
				t.Errorf("got  %q\nwant %q", d.Unified, want)
			}
			checkCounts(t, d)
		})
	}
}

// What a patch says of a last line without an end tells that it had none, in doubt
// too: the patch gives it one.
func TestFilesPatchInDoubtAtTheEnd(t *testing.T) {
	for body, want := range map[string]string{
		"@@\n-2\n+two\n":       "@@ -2 +2 @@\n-2\n\\ No newline at end of file\n+two\n",
		"@@\n-1\n+one\n 2\n":   "@@ -1,2 +1,2 @@\n-1\n+one\n-2\n\\ No newline at end of file\n+2\n",
		"@@\n-1\n+one\n 2\n\n": "@@ -1,2 +1,2 @@\n-1\n+one\n-2\n\\ No newline at end of file\n+2\n",
		"@@\n-1\n+one\n":       "@@ -1 +1 @@\n-1\n+one\n",
	} {
		var f edit.Files
		f.Set("a", "1\n2")
		f.Doubt()
		files, err := edit.ParsePatch(patch("*** Update File: a\n" + body))
		if err != nil {
			t.Fatal(err)
		}
		d := f.Patch(files[0])
		if d.Unified != "--- a/a\n+++ b/a\n"+want {
			t.Errorf("%q gives %q", body, d.Unified)
		}
		checkCounts(t, d)
	}
}

// A text that a patch in doubt made is still in doubt; one that is seen again
// is not.
func TestFilesDoubtLasts(t *testing.T) {
	var f edit.Files
	f.Set("a", "1\n2\n3\n")
	f.Doubt()
	for _, want := range []string{"@@ -2 +2 @@\n-2\n+two\n", "@@ -2 +2 @@\n-two\n+2\n"} {
		_, lines, _ := strings.Cut(want, "\n")
		files, err := edit.ParsePatch(patch("*** Update File: a\n@@\n" + lines))
		if err != nil {
			t.Fatal(err)
		}
		if d := f.Patch(files[0]); !strings.HasSuffix(d.Unified, want) || d.Added != 1 {
			t.Errorf("got %q, want %q", d.Unified, want)
		}
	}
	f.Set("a", "1\n2\n3\n")
	files, err := edit.ParsePatch(patch("*** Update File: a\n@@\n-2\n+two\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d := f.Patch(files[0]); !strings.Contains(d.Unified, " 1\n-2\n+two\n 3\n") {
		t.Errorf("text seen again gives no context: %q", d.Unified)
	}
}

func TestFilesAreBounded(t *testing.T) {
	f := edit.Files{Limit: 100}
	f.Set("a", strings.Repeat("a", 40))
	f.Set("b", strings.Repeat("b", 40))
	f.Text("a")
	f.Set("c", strings.Repeat("c", 40))
	if text(&f, "b") != "?" || text(&f, "a") == "?" || text(&f, "c") == "?" {
		t.Errorf("kept a=%q b=%q c=%q; the one used longest ago should go", text(&f, "a"), text(&f, "b"), text(&f, "c"))
	}
	f.Set("c", strings.Repeat("c", 400))
	if text(&f, "c") != "?" {
		t.Error("a text beyond the limit was kept, or the one before it")
	}
	f.Set("d", "x\n")
	f.Doubt()
	files, err := edit.ParsePatch(patch("*** Update File: d\n@@\n-x\n+" + strings.Repeat("y", 200) + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d := f.Patch(files[0]); d.Added != 1 || text(&f, "d") != "?" {
		t.Errorf("patch that makes a text beyond the limit: %+v", d)
	}
	f.Clear()
	if text(&f, "a") != "?" {
		t.Error("something is left after Clear")
	}
}

// TestFilesTurn: what a person's hands may have changed meanwhile is no text that a
// write replaces; an edit that finds its lines there proves it.
func TestFilesTurn(t *testing.T) {
	var f edit.Files
	f.Write("a", "1\n2\n")
	f.Turn()
	if d := f.Write("a", "3\n"); d.Change != core.Write {
		t.Errorf("written after a person's turn: %+v", d)
	}
	f.Turn()
	checkDiff(t, f.Replace("a", "3", "4", false), "3\n", "4\n")
	if d := f.Write("a", "5\n"); d.Change != core.Write {
		t.Errorf("written after an edit of what was seen before the turn: %+v", d)
	}
	checkDiff(t, f.Write("a", "6\n"), "5\n", "6\n")
	f.Remove("a")
	f.Turn()
	if d := f.Write("a", "7\n"); d.Change != core.Write {
		t.Errorf("written after a deletion and a person's turn: %+v", d)
	}
}

// TestFilesApplyInDoubt: where a file may have been changed, the tool's own numbers
// are better than those of the text that is remembered, and prove no more of it.
func TestFilesApplyInDoubt(t *testing.T) {
	var f edit.Files
	f.Set("a", "x\n")
	f.Doubt()
	d, err := edit.FromUnified("a", "@@ -9 +9 @@\n-x\n+y\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Apply(d); got.Unified != d.Unified || text(&f, "a") != "?" {
		t.Errorf("%q, then %q", got.Unified, text(&f, "a"))
	}
	f.Set("a", "x\n1\n2\n3\n4\n")
	f.Doubt()
	f.Follow(edit.FromTexts("a", "x\n1\n2\n3\n4\n", "y\n1\n2\n3\n4\n"))
	if d := f.Write("a", "z\n"); d.Change != core.Write {
		t.Errorf("written over what is believed: %+v", d)
	}
}

// TestFilesPatchOfBlankLines: a blank line of a patch may be no line of the file, before
// and behind.
func TestFilesPatchOfBlankLines(t *testing.T) {
	for _, tt := range []struct{ before, patch, want string }{
		{"", "-\n+now", "@@ -0,0 +1 @@\n+now\n"},
		{"now\n", "-now\n+", "@@ -1 +1 @@\n-now\n+\n"},
	} {
		var f edit.Files
		f.Set("a", tt.before)
		f.Doubt()
		parts, err := edit.ParsePatch("*** Begin Patch\n*** Update File: a\n@@\n" + tt.patch + "\n*** End Patch\n")
		if err != nil {
			t.Fatal(err)
		}
		if d := f.Patch(parts[0]); !strings.HasSuffix(d.Unified, tt.want) || tt.before != "" && d.Certainty != core.Told {
			t.Errorf("%q over %q: %s %q", tt.patch, tt.before, d.Certainty, d.Unified)
		}
	}
}
