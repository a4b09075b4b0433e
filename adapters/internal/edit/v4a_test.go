package edit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

func patch(body string) string { return "*** Begin Patch\n" + body + "*** End Patch" }

func TestParsePatch(t *testing.T) {
	body := "*** Add File: new.txt\n+one\n+\n*** Update File: a.go\n*** Move to: b.go\n@@ func x()\n-a\n+b\n*** Delete File: gone\n"
	type file struct {
		Change                   core.Change
		Path, MoveTo, Text, Diff string
	}
	want := []file{
		{core.Create, "new.txt", "", "one\n\n", "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+\n"},
		{core.Rename, "a.go", "b.go", "", "--- a/a.go\n+++ b/b.go\n@@ -1 +1 @@ func x()\n-a\n+b\n"},
		{core.Delete, "gone", "", "", "--- a/gone\n+++ /dev/null\n"},
	}
	for name, text := range map[string]string{
		"plain":             patch(body),
		"space around":      "\n  *** Begin Patch  \n" + body + "  *** End Patch \n\n",
		"heredoc":           "<<EOF\n" + patch(body) + "\nEOF\n",
		"quoted heredoc":    "<<'EOF'\n" + patch(body) + "\nEOF",
		"double quoted":     "<<\"PATCH\"\n" + patch(body) + "\nPATCH",
		"carriage returns":  strings.ReplaceAll(patch(body), "\n", "\r\n"),
		"environment":       patch("*** Environment ID: e1\n" + body),
		"padded part heads": patch(" " + body),
	} {
		files, err := edit.ParsePatch(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []file
		for _, f := range files {
			got = append(got, file{f.Change, f.Path, f.MoveTo, f.Text, f.Diff().Unified})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParsePatchRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":        "",
		"no begin":       "*** Update File: a\n@@\n-a\n*** End Patch",
		"no end":         "*** Begin Patch\n*** Update File: a\n@@\n-a\n",
		"begin only":     "*** Begin Patch",
		"no file":        patch(""),
		"empty update":   patch("*** Update File: a\n"),
		"stray line":     patch("hello\n"),
		"stray in add":   patch("*** Add File: a\nhello\n"),
		"stray in chunk": patch("*** Update File: a\n@@\n-a\n?b\n"),
	} {
		if files, err := edit.ParsePatch(text); err == nil {
			t.Errorf("%s: no error, but %+v", name, files)
		}
	}
}

func TestPatchApply(t *testing.T) {
	tests := []struct{ name, body, before, want string }{
		{"exact", "@@\n a\n-b\n+c\n", "x\na\nb\n", "x\na\nc\n"},
		{"no mark before the first chunk", "-b\n+c\n", "b\n", "c\n"},
		{"after context", "@@ func two\n-x\n+y\n", "func one\nx\nfunc two\nx\n", "func one\nx\nfunc two\ny\n"},
		{"context of context", "@@ class B\n@@ def f\n-x\n+y\n", "class A\ndef f\nx\nclass B\ndef f\nx\n", "class A\ndef f\nx\nclass B\ndef f\ny\n"},
		{"chunks in order", "@@\n-x\n+1\n@@\n-x\n+2\n", "x\nx\nx\n", "1\n2\nx\n"},
		{"blank context", "@@\n a\n\n-b\n+c\n", "a\n\nb\n", "a\n\nc\n"},
		{"blank that is not there", "@@\n-b\n+c\n\n@@\n-d\n+e\n", "b\nd\n", "c\ne\n"},
		{"space at the end", "@@\n-b\n+c\n", "b  \t\n", "c\n"},
		{"space around", "@@\n a\n-b\n+c\n", "\ta\n\tb\n", "a\nc\n"},
		{"punctuation", "@@\n-say \"a-b\"\n+c\n", "say \u201ca\u2013b\u201d\n", "c\n"},
		{"at the end of the file", "@@\n-x\n+y\n*** End of File\n", "x\nz\nx\n", "x\nz\ny\n"},
		{"addition goes to the end", "@@\n+new\n", "a\nb\n", "a\nb\nnew\n"},
		{"addition before a blank last line", "@@\n+new\n", "a\n\n\n", "a\n\nnew\n"},
		{"line end added", "@@\n-b\n+c\n", "a\nb", "a\nc\n"},
		{"not there", "@@\n-nope\n+c\n", "a\n", ""},
		{"context not there", "@@ nope\n-a\n+c\n", "a\n", ""},
		{"longer than the text", "@@\n-a\n-b\n-c\n", "a\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files, err := edit.ParsePatch(patch("*** Update File: f\n" + test.body))
			if err != nil {
				t.Fatal(err)
			}
			got, err := files[0].Apply(test.before)
			if (err != nil) != (test.want == "") || got != test.want {
				t.Fatalf("got %q, %v; want %q", got, err, test.want)
			}
			if err != nil {
				return
			}
			d, err := files[0].DiffOf(test.before)
			if err != nil {
				t.Fatal(err)
			}
			checkDiff(t, d, test.before, test.want)
			checkCounts(t, files[0].Diff())
		})
	}
}

// A patch whose lines stand in the file exactly gives a diff that applies even
// when the file is not known.
func TestPatchDiffApplies(t *testing.T) {
	files, err := edit.ParsePatch(patch("*** Update File: f\n@@ two\n x\n-y\n+Y\n\n@@\n-z\n+Z\n"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := edit.Apply("one\nx\n?\ntwo\nx\ny\nz\n", files[0].Diff().Unified)
	if want := "one\nx\n?\ntwo\nx\nY\nZ\n"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestMerge(t *testing.T) {
	const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"
	tests := []struct {
		name, body string
		want       []string // path and result
	}{
		{"one file twice", "*** Update File: a\n@@\n-8\n+eight\n*** Update File: b\n@@\n-1\n+x\n*** Update File: a\n@@\n-2\n+two\n", []string{"a", "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n", "b", "x\n2\n3\n4\n5\n6\n7\n8\n9\n"}},
		{"created and changed", "*** Add File: n\n+1\n+2\n*** Update File: n\n@@\n-2\n+two\n", []string{"n", "1\ntwo\n"}},
		{"moved and changed", "*** Update File: a\n*** Move to: b\n@@\n-1\n+x\n*** Update File: b\n@@\n-9\n+y\n", []string{"a", "x\n2\n3\n4\n5\n6\n7\n8\ny\n"}},
		{"deleted and created", "*** Delete File: a\n*** Add File: a\n+x\n", []string{"a", "x\n"}},
		{"changed and deleted", "*** Update File: a\n@@\n-1\n+x\n*** Delete File: a\n", []string{"a", "x\n2\n3\n4\n5\n6\n7\n8\n9\n", "a", ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files, err := edit.ParsePatch(patch(test.body))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range edit.Merge(files) {
				after, err := f.Apply(before)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, f.Path, after)
				checkCounts(t, f.Diff())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("parts (-want +got):\n%s", diff)
			}
		})
	}
}

// Some tools end what a patch writes as the file ends its lines; a file with both
// kinds of ends they leave to the patch.
func TestKeepEnds(t *testing.T) {
	for before, want := range map[string]string{
		"1\r\n2\r\n3\r\n": "1\r\ntwo\r\n3\r\n",
		"1\r\n2\r\n3\n":   "1\r\ntwo\n3\n",
		"1\n2\n3":         "1\ntwo\n3\n",
	} {
		files, err := edit.ParsePatch(patch("*** Update File: a\n@@\n-2\n+two\n"))
		if err != nil {
			t.Fatal(err)
		}
		files[0].KeepEnds = true
		if got, err := files[0].Apply(before); got != want || err != nil {
			t.Errorf("%q becomes %q, %v, want %q", before, got, err, want)
		}
	}
}
