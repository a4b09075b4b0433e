package edit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

func TestFromTexts(t *testing.T) {
	tests := []struct {
		name          string
		before, after string
		unified       string
	}{
		{
			"one line in the middle", "a\nb\nc\nd\ne\nf\ng\nh\ni\n", "a\nb\nc\nd\nX\nf\ng\nh\ni\n",
			"@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n",
		},
		{"end of line lost", "a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
		{"end of line won", "b", "b\n", "@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+b\n"},
		{"unended line kept", "a\nb", "X\nb", "@@ -1,2 +1,2 @@\n-a\n+X\n b\n\\ No newline at end of file\n"},
		{"carriage returns", "a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"},
		{"line ends changed", "a\n", "a\r\n", "@@ -1 +1 @@\n-a\n+a\r\n"},
		{"from nothing", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"to nothing", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{
			"two hunks", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n1\n2\n3\n4\n5\n6\n7\n8\n10\n",
			"@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -6,4 +7,4 @@\n 6\n 7\n 8\n-9\n+10\n",
		},
		{"nothing", "a\n", "a\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := edit.FromTexts("/w/a.go", test.before, test.after)
			if diff := cmp.Diff("--- a/w/a.go\n+++ b/w/a.go\n"+test.unified, d.Unified); diff != "" {
				t.Errorf("unified (-want +got):\n%s", diff)
			}
			checkDiff(t, d, test.before, test.after)
		})
	}
}

// checkDiff checks what holds for every diff between two texts.
func checkDiff(t *testing.T, d core.Diff, before, after string) {
	t.Helper()
	got, err := edit.Apply(before, d.Unified)
	if err != nil {
		t.Fatalf("diff does not apply: %v\n%s", err, d.Unified)
	}
	if got != after {
		t.Fatalf("diff makes %q, want %q\n%s", got, after, d.Unified)
	}
	checkCounts(t, d)
}

func checkCounts(t *testing.T, d core.Diff) {
	t.Helper()
	added, removed := 0, 0
	for i, l := range strings.Split(d.Unified, "\n") {
		if i < 2 || l == "" {
			continue
		}
		switch l[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	if added != d.Added || removed != d.Removed {
		t.Errorf("counts +%d -%d, the diff has +%d -%d\n%s", d.Added, d.Removed, added, removed, d.Unified)
	}
}

func TestHeads(t *testing.T) {
	tests := []struct {
		name string
		diff core.Diff
		want string
	}{
		{"create", edit.Created("x/y.go", "a\n"), "--- /dev/null\n+++ b/x/y.go\n@@ -0,0 +1 @@\n+a\n"},
		{"create empty", edit.Created("y", ""), "--- /dev/null\n+++ b/y\n"},
		{"delete", edit.Deleted("/y", "a"), "--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n\\ No newline at end of file\n"},
		{"delete unseen", edit.DeletedUnseen("/y"), "--- a/y\n+++ /dev/null\n"},
		{
			"rename", edit.Renamed(edit.FromTexts("/n", "a\n", "b\n"), "/o"),
			"--- a/o\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n",
		},
		{"space", edit.Created("/a b", ""), "--- /dev/null\n+++ b/a b\t\n"},
		{"control", edit.Created("/a\n\"\x01", ""), "--- /dev/null\n+++ \"b/a\\n\\\"\\001\"\n"},
		{"windows", edit.Created(`C:\x.go`, ""), "--- /dev/null\n+++ b/C:\\x.go\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.diff.Unified != test.want {
				t.Errorf("got  %q\nwant %q", test.diff.Unified, test.want)
			}
			checkCounts(t, test.diff)
		})
	}
}

func TestRenamedKeepsBothPaths(t *testing.T) {
	d := edit.Renamed(edit.FromTexts("/n", "a\n", "b\n"), "/o")
	if d.Path != "/n" || d.OldPath != "/o" || d.Change != core.Rename || d.Added != 1 || d.Removed != 1 {
		t.Errorf("got %+v", d)
	}
}

func TestReplaced(t *testing.T) {
	tests := []struct{ name, before, after, want string }{
		{"parts of a line", "foo", "bar", "@@ -1 +1 @@\n-foo\n+bar\n"},
		{"lines", "a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
		{"end of line added", "a", "a\n", "@@ -1 +1,2 @@\n a\n+\n"},
		{"insertion", "", "x", "@@ -0,0 +1 @@\n+x\n"},
		{"deletion", "x\ny", "", "@@ -1,2 +0,0 @@\n-x\n-y\n"},
		{"empty line", "\n", "x\n", "@@ -1 +1 @@\n-\n+x\n"},
		{
			"far apart", "a\n1\n2\n3\n4\n5\n6\n7\n8\nz", "b\n1\n2\n3\n4\n5\n6\n7\n8\ny",
			"@@ -1,10 +1,10 @@\n-a\n+b\n 1\n 2\n 3\n 4\n 5\n 6\n 7\n 8\n-z\n+y\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := edit.Replaced("f", test.before, test.after)
			if want := "--- a/f\n+++ b/f\n" + test.want; d.Unified != want {
				t.Errorf("got  %q\nwant %q", d.Unified, want)
			}
			if *d.Old != test.before || *d.New != test.after {
				t.Errorf("old and new are %q and %q", *d.Old, *d.New)
			}
			checkCounts(t, d)
		})
	}
}

func TestReplace(t *testing.T) {
	tests := []struct {
		text, before, after string
		all                 bool
		want                string
		ok                  bool
	}{
		{"a b a", "b", "c", false, "a c a", true},
		{"a b a", "a", "c", false, "", false},
		{"a b a", "a", "c", true, "c b c", true},
		{"a", "x", "c", true, "", false},
		{"", "", "new", false, "new", true},
		{"text", "", "new", false, "", false},
	}
	for _, test := range tests {
		got, ok := edit.Replace(test.text, test.before, test.after, test.all)
		if ok != test.ok || ok && got != test.want {
			t.Errorf("Replace(%q, %q, %q, %v) = %q, %v", test.text, test.before, test.after, test.all, got, ok)
		}
	}
}

func TestFromHunks(t *testing.T) {
	tests := []struct {
		name  string
		hunks []edit.Hunk
		want  string
	}{
		{
			"as recorded",
			[]edit.Hunk{{3, 2, 3, 2, []string{" x", "-a", "+b"}}, {10, 0, 11, 1, []string{"+new"}}},
			"@@ -3,2 +3,2 @@\n x\n-a\n+b\n@@ -10,0 +11 @@\n+new\n",
		},
		{"counts follow the lines", []edit.Hunk{{1, 9, 1, 9, []string{"-a", "+b", "+c"}}}, "@@ -1 +1,2 @@\n-a\n+b\n+c\n"},
		{
			"unended",
			[]edit.Hunk{{1, 1, 1, 1, []string{"-a", "+b", `\ No newline at end of file`}}},
			"@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n",
		},
		{"empty file named by the line after", []edit.Hunk{{1, 0, 1, 1, []string{"+a"}}}, "@@ -0,0 +1 @@\n+a\n"},
		{"empty run named by the line after", []edit.Hunk{{10, 0, 10, 1, []string{"+a"}}}, "@@ -9,0 +10 @@\n+a\n"},
		{"blank context", []edit.Hunk{{1, 2, 1, 2, []string{"", "-a", "+b"}}}, "@@ -1,2 +1,2 @@\n \n-a\n+b\n"},
		{"no mark", []edit.Hunk{{1, 2, 1, 2, []string{"éa", "-a", "+b\nc"}}}, "@@ -1,2 +1,3 @@\n éa\n-a\n+b\n+c\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := edit.FromHunks("f", test.hunks)
			if want := "--- a/f\n+++ b/f\n" + test.want; d.Unified != want {
				t.Errorf("got  %q\nwant %q", d.Unified, want)
			}
			checkCounts(t, d)
		})
	}
}

func TestFromUnified(t *testing.T) {
	const same = "@@ -4,3 +4,3 @@ func x()\n a\n-b\n+c\n d\n"
	for name, body := range map[string]string{
		"body":             same,
		"with head":        "--- a/other\n+++ b/other\n" + same,
		"wrong counts":     "@@ -4,30 +4,1 @@ func x()\n a\n-b\n+c\n d\n",
		"no end":           strings.TrimSuffix(same, "\n"),
		"of git":           "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n" + same,
		"blank line after": same + "\n",
	} {
		d, err := edit.FromUnified("f", body)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := "--- a/f\n+++ b/f\n" + same; d.Unified != want {
			t.Errorf("%s: got  %q\nwant %q", name, d.Unified, want)
		}
		checkCounts(t, d)
	}
	for name, body := range map[string]string{
		"nothing":   "",
		"no hunk":   "hello\n",
		"bad head":  "@@ nowhere @@\n a\n",
		"bad line":  "@@ -1 +1 @@\n-a\n?b\n",
		"two files": same + "--- a/x\n+++ b/x\n" + same,
	} {
		if d, err := edit.FromUnified("f", body); err == nil {
			t.Errorf("%s: no error, but %q", name, d.Unified)
		}
	}
}

func TestApply(t *testing.T) {
	const text = "1\n2\n3\nx\n5\n6\n7\nx\n9\n"
	tests := []struct{ name, unified, want string }{
		{"where it says", "@@ -8 +8 @@\n-x\n+y\n", "1\n2\n3\nx\n5\n6\n7\ny\n9\n"},
		{"nearest above", "@@ -5 +5 @@\n-x\n+y\n", "1\n2\n3\ny\n5\n6\n7\nx\n9\n"},
		{"nearest below", "@@ -7 +7 @@\n-x\n+y\n", "1\n2\n3\nx\n5\n6\n7\ny\n9\n"},
		{"far beyond", "@@ -700 +700 @@\n-x\n+y\n", "1\n2\n3\nx\n5\n6\n7\ny\n9\n"},
		{"never before the last", "@@ -4 +4 @@\n-x\n+y\n@@ -4 +4 @@\n-x\n+z\n", "1\n2\n3\ny\n5\n6\n7\nz\n9\n"},
		{"insertion", "@@ -1,0 +2 @@\n+new\n", "1\nnew\n2\n3\nx\n5\n6\n7\nx\n9\n"},
		{"not there", "@@ -1 +1 @@\n-nope\n+y\n", ""},
		{"insertion beyond", "@@ -99,0 +100 @@\n+new\n", ""},
		{"head only", "--- a/f\n+++ b/f\n", text},
		{"end that is not missing", "@@ -9 +9 @@\n-9\n\\ No newline at end of file\n+8\n", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := edit.Apply(text, test.unified)
			if (err != nil) != (test.want == "") || got != test.want {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

// The diff of texts that share many lines in another order is where the search
// gives up; it has to stay correct and quick.
func TestFromTextsAdversarial(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	lines := func(n, kinds int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%d\n", rnd.IntN(kinds))
		}
		return b.String()
	}
	for _, n := range []int{10, 1000, 50000} {
		for _, kinds := range []int{2, 50, n} {
			before, after := lines(n, kinds), lines(n, kinds)
			checkDiff(t, edit.FromTexts("f", before, after), before, after)
		}
	}
}

func BenchmarkFromTexts(b *testing.B) {
	var old strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&old, "\tline %d of a file that is neither short nor long\n", i)
	}
	before := old.String()
	after := strings.ReplaceAll(before, "line 77", "changed line 77")
	b.SetBytes(int64(len(before)))
	b.ReportAllocs()
	for b.Loop() {
		edit.FromTexts("f", before, after)
	}
}

// TestRemoved: lines that look like the head of a diff are lines of the file, and a last
// line may have no end.
func TestRemoved(t *testing.T) {
	for unified, want := range map[string]string{
		"--- a/x.sql\n+++ /dev/null\n@@ -1,2 +0,0 @@\n--- drop\n-drop table t;\n": "-- drop\ndrop table t;\n",
		"@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n":                 "a\nb",
		"": "",
	} {
		if got := edit.Removed(unified); got != want {
			t.Errorf("%q: removed is %q, want %q", unified, got, want)
		}
	}
}
