package why_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/why"
)

// show writes claims as a person reads them: e0 an edit, h0 changed after one, ?01
// candidates, - nothing.
func show(claims []why.Claim) string {
	var out []string
	for _, c := range claims {
		switch c.Status {
		case why.Edited:
			form := ""
			if c.Reformatted {
				form = "~"
			}
			out = append(out, fmt.Sprintf("e%d%s", c.Edit, form))
		case why.Hand:
			out = append(out, fmt.Sprintf("h%d", c.Edit))
		case why.Ambiguous:
			s := "?"
			for _, k := range c.Candidates {
				s += fmt.Sprint(k)
			}
			out = append(out, s)
		default:
			out = append(out, "-")
		}
	}
	return strings.Join(out, " ")
}

func modify(hunks string) why.Edit { return why.Edit{Hunks: why.Hunks(hunks)} }

func whole(text string, creates bool) why.Edit {
	h := why.Hunk{NewStart: 1}
	for l := range strings.Lines(text) {
		h.Lines = append(h.Lines, why.Line{Mark: '+', Text: l})
	}
	return why.Edit{Hunks: []why.Hunk{h}, Creates: creates, Whole: !creates}
}

func held(e why.Edit, lines string) why.Edit {
	e.Held = func(l string) int {
		if strings.Contains("\n"+lines, "\n"+strings.TrimRight(l, "\r\n")+"\n") {
			return 1
		}
		return -1
	}
	return e
}

func TestLines(t *testing.T) {
	const one = "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"
	for _, test := range []struct {
		name, file string
		edits      []why.Edit
		want       string
	}{
		{"nothing recorded", "a\nb\n", nil, "- -"},
		{"a line replaced", "a\nB\nc\n", []why.Edit{modify(one)}, "- e0 -"},
		{"and replaced once more", "a\nBB\nc\n", []why.Edit{modify(one), modify("@@ -2 +2 @@\n-B\n+BB\n")}, "- e1 -"},
		{"another line of the same edit stays", "a\nB\nC\nd\n", []why.Edit{modify("@@ -1,4 +1,4 @@\n a\n-b\n-c\n+B\n+c2\n d\n"), modify("@@ -3 +3 @@\n-c2\n+C\n")}, "- e0 e1 -"},
		{"created", "a\nb\n", []why.Edit{whole("a\nb\n", true)}, "e0 e0"},
		{"created, then a line by hand", "a\nx\nb\n", []why.Edit{whole("a\nb\n", true)}, "e0 h0 e0"},
		{"created again over older edits", "a\nb\n", []why.Edit{whole("a\nz\n", true), whole("a\nb\n", true)}, "e1 e1"},
		{"written over a file that nothing tells of", "a\nb\n", []why.Edit{whole("a\nb\n", false)}, "?0 ?0"},
		{"written over a file that git knows", "a\nb\n", []why.Edit{held(whole("a\nb\n", false), "a\n")}, "- e0"},
		{"written where git knows no file", "a\nb\n", []why.Edit{held(whole("a\nb\n", false), "")}, "e0 e0"},
		{"what an older edit wrote survives a write", "a\nB\nc\nd\n", []why.Edit{whole("a\nB\n", true), held(whole("a\nB\nc\nd\n", false), "")}, "e0 e0 e1 e1"},
		{"a write over a file of which only a part is recorded", "a\nB\nc\nnew\n", []why.Edit{modify(one), held(whole("a\nB\nc\nnew\n", false), "")}, "?1 e0 ?1 ?1"},
		{"moved by lines above", "0\n0\n0\na\nB\nc\n", []why.Edit{modify(one)}, "- - - - e0 -"},
		{"changed by hand since", "a\nB!\nc\n", []why.Edit{modify("@@ -1,5 +1,5 @@\n alpha line\n-b\n+B\n omega line\n x\n y\n")}, "- - -"},
		{
			"a line between those of an edit changed by hand", "func a() {\n\tone := first()\n\tTWO := changed()\n\tthree := third()\n}\n",
			[]why.Edit{modify("@@ -1,2 +1,5 @@\n func a() {\n+\tone := first()\n+\ttwo := second()\n+\tthree := third()\n }\n")},
			"- e0 h0 e0 -",
		},
		{
			"formatted since", "  const first = \"long enough\"\n  return [first, \"x\"]\n}\n",
			[]why.Edit{modify("@@ -1,2 +1,3 @@\n-\treturn 1\n+\tconst first = 'long enough';\n+\treturn [first, 'x'];\n }\n")},
			"e0~ e0~ -",
		},
		{"created, and formatted since", "  x = one(\"a\")\n  y = two(\"b\")\n", []why.Edit{whole("x = one('a');\ny = two('b');\n", true)}, "e0~ e0~"},
		{"created, and one line formatted since", "x = one('a');\n  y = two('b')\nz = three('c');\n", []why.Edit{whole("x = one('a');\ny = two('b');\nz = three('c');\n", true)}, "e0 h0 e0"},
		{
			"written over a file that git knows, and formatted since", "  x = one(1)\n  y = two(2)\n  z = three(3)\n",
			[]why.Edit{held(whole("x = one(1);\ny = two(2);\nz = three(3);\n", false), "x = one(1);\n")},
			"- e0~ e0~",
		},
		{
			"formatted, and a part of it removed before", "\tfirst := one(1)\n\tlast := new(4)\n",
			[]why.Edit{
				modify("@@ -1 +1,4 @@\n-x\n+  first := one(1)\n+  second := two(2)\n+  third := three(3)\n+  fourth := four(4)\n"),
				modify("@@ -1,4 +1,2 @@\n   first := one(1)\n-  second := two(2)\n-  third := three(3)\n-  fourth := four(4)\n+  last := new(4)\n"),
			},
			"e0~ e1~",
		},
		{"a single line with more space since", "a\n\tB = one('x');\nc\n", []why.Edit{modify("@@ -2 +2 @@\n-b\n+B = one('x');\n")}, "- e0~ -"},
		{"a single line with other quotes since", "a\nB = one(\"x\");\nc\n", []why.Edit{modify("@@ -2 +2 @@\n-b\n+B = one('x');\n")}, "- - -"},
		{"one of many lines with more space since", "aaaa = 1\nif x\n  B = one(1)\ncccc = 3\n", []why.Edit{modify("@@ -1,3 +1,3 @@\n aaaa = 1\n-b\n+B = one(1)\n cccc = 3\n")}, "- h0 h0 -"},
		{
			"context that a formatter changed since is an older edit's", "\tfirst := one(1)\n\tsecond := two(2)\nend\nlast\n",
			[]why.Edit{
				modify("@@ -1,2 +1,4 @@\n+\tfirst := one(1)\n+\tsecond := two(2)\n end\n x\n"),
				modify("@@ -1,4 +1,4 @@\n \tfirst := one(1)\n     second := two(2)\n end\n-x\n+last\n"),
			},
			"e0 e0 - e1",
		},
		{
			"the same line in two places, without a place", "x = 1\ny\nx = 1\n",
			[]why.Edit{{Hunks: why.Hunks("@@ -1 +1 @@\n-x = 0\n+x = 1\n"), Unplaced: true}},
			"?0 - ?0",
		},
		{
			"the same line in two places, where the edit says", "x = 1\ny\nx = 1\n",
			[]why.Edit{modify("@@ -3 +3 @@\n-x = 0\n+x = 1\n")},
			"- - e0",
		},
		{"a byte order mark that the edit does not name", "\ufeffa\nB\nc\n", []why.Edit{modify("@@ -1,2 +1,2 @@\n-x\n+a\n B\n")}, "e0 - -"},
		{"a byte order mark in the edit alone", "a\nB\nc\n", []why.Edit{modify("@@ -1,2 +1,2 @@\n-\ufeffx\n+\ufeffa\n B\n")}, "e0 - -"},
		{"other line ends", "a\r\nB\r\nc\r\n", []why.Edit{modify(one)}, "- e0 -"},
		{
			"a line by hand that a later edit removed", "first line\nsecond line\nc\n",
			[]why.Edit{modify("@@ -1,3 +1,3 @@\n first line\n-x\n+second line\n c\n"), modify("@@ -1,4 +1,3 @@\n first line\n-by hand\n second line\n c\n")},
			"- e0 -",
		},
		{"no text", "", []why.Edit{modify(one)}, ""},
	} {
		lines := strings.SplitAfter(test.file, "\n")
		if got := show(why.Lines(lines[:len(lines)-1], test.edits)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// TestChains makes random files by random edits and holds every line to the edit that
// wrote it. Lines are unlike each other, so that nothing is ambiguous.
func TestChains(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var file []string
		var by []int
		next := 0
		line := func() string { next++; return fmt.Sprintf("line %d of %d\n", next, r.IntN(1000)) }
		for range 5 + r.IntN(20) {
			file, by = append(file, line()), append(by, -1)
		}
		var edits []why.Edit
		for k := range 1 + r.IntN(12) {
			at, n := r.IntN(len(file)), r.IntN(3)
			n = min(n, len(file)-at)
			var added []string
			for range r.IntN(4) {
				added = append(added, line())
			}
			edits = append(edits, hunkOf(file, at, n, added))
			var owners []int
			for range added {
				owners = append(owners, k)
			}
			file = append(append(append([]string{}, file[:at]...), added...), file[at+n:]...)
			by = append(append(append([]int{}, by[:at]...), owners...), by[at+n:]...)
			if len(file) == 0 {
				file, by = []string{line()}, []int{-1}
			}
		}
		for i, c := range why.Lines(file, edits) {
			if c.Status == why.Edited && c.Edit != by[i] || c.Status != why.Edited && by[i] >= 0 {
				t.Fatalf("seed %d: line %d (%q) is said to be by %d (%d), is by %d", seed, i+1, file[i], c.Edit, c.Status, by[i])
			}
		}
	}
}

// hunkOf is an edit that replaces n lines at a place, with three lines of context.
func hunkOf(file []string, at, n int, added []string) why.Edit {
	from, to := max(at-3, 0), min(at+n+3, len(file))
	h := why.Hunk{NewStart: from + 1}
	for i := from; i < to; i++ {
		if i == at {
			for _, l := range added {
				h.Lines = append(h.Lines, why.Line{Mark: '+', Text: l})
			}
		}
		mark := byte(' ')
		if i >= at && i < at+n {
			mark = '-'
		}
		h.Lines = append(h.Lines, why.Line{Mark: mark, Text: file[i]})
	}
	return why.Edit{Hunks: []why.Hunk{h}}
}

func FuzzLines(f *testing.F) {
	f.Add("a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "@@ -0,0 +1 @@\n+x\n", false)
	f.Add("", "@@ -1 +1 @@\n\\ No newline\n", "@@ -9999999,1 +99999999,2 @@\n+a\n+b\n", true)
	f.Fuzz(func(t *testing.T, file, one, two string, creates bool) {
		if len(file)+len(one)+len(two) > 1<<12 {
			t.Skip()
		}
		lines := strings.SplitAfter(file, "\n")
		edits := []why.Edit{modify(one), {Hunks: why.Hunks(two), Creates: creates}}
		claims := why.Lines(lines, edits)
		if len(claims) != len(lines) {
			t.Fatalf("%d claims of %d lines", len(claims), len(lines))
		}
		for i, c := range claims {
			if c.Status == why.Edited && !strings.Contains(one+two, strings.TrimRight(lines[i], "\r\n")) && c.Exact {
				t.Fatalf("line %q is claimed by an edit that does not have it", lines[i])
			}
		}
	})
}
