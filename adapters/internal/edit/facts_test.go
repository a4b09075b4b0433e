package edit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// TestFacts has the best of what is told of an edit make its diff.
func TestFacts(t *testing.T) {
	const path = "/w/a"
	pairs := []edit.Pair{{Before: "b", After: "B"}}
	shown := func() (core.Diff, bool) {
		d, err := edit.FromUnified(path, "@@ -7 +7 @@\n-b\n+B\n")
		return d, err == nil
	}
	agrees := func(is bool) func(string, string, int) bool {
		return func(string, string, int) bool { return is }
	}
	sure := func(f *edit.Files) { f.Set(path, "a\nb\n") }
	believed := func(f *edit.Files) { f.Set(path, "a\nb\n"); f.Doubt() }
	part := func(f *edit.Files) { f.Show(edit.Read{Path: path, Body: []byte(`x\nb`), Start: 40}) }
	read := func(f *edit.Files) {
		f.Show(edit.Read{Path: path, Body: []byte(`a\nb\n`), Start: 1, Whole: true, Last: true})
	}
	const known, placed, patch, strs = "@@ -1,2 +1,2 @@\n a\n-b\n+B\n", "@@ -40,2 +40,2 @@\n x\n-b\n+B\n", "@@ -7 +7 @@\n-b\n+B\n", "@@ -1 +1 @@\n-b\n+B\n"
	for _, tt := range []struct {
		name  string
		knows func(*edit.Files)
		facts edit.Facts
		want  string // hunks
		as    core.Certainty
	}{
		{"both texts", nil, edit.Facts{Before: new("a\nb\n"), After: new("a\nB\n"), Pairs: pairs, Shown: shown}, known, ""},
		{"text before", nil, edit.Facts{Before: new("a\nb\n"), Pairs: pairs, Shown: shown}, known, ""},
		{"known text", sure, edit.Facts{Pairs: pairs, Shown: shown}, known, ""},
		{"read text", read, edit.Facts{Pairs: pairs, Shown: shown}, known, ""},
		{"known text that the tool contradicts", sure, edit.Facts{Pairs: pairs, Shown: shown, Agrees: agrees(false)}, patch, ""},
		{"believed text that the tool confirms", believed, edit.Facts{Pairs: pairs, Shown: shown, Agrees: agrees(true)}, known, ""},
		{"believed text", believed, edit.Facts{Pairs: pairs}, known, core.Told},
		{"part", part, edit.Facts{Pairs: pairs, Agrees: agrees(true)}, placed, ""},
		{"part that the tool contradicts", part, edit.Facts{Pairs: pairs, Shown: shown, Agrees: agrees(false)}, patch, ""},
		{"shown diff", nil, edit.Facts{Pairs: pairs, Shown: shown}, patch, ""},
		{"strings", nil, edit.Facts{Pairs: pairs}, strs, core.Told},
		{"strings, known text contradicted", sure, edit.Facts{Pairs: pairs, Agrees: agrees(false)}, strs, core.Told},
		{"content over known text", sure, edit.Facts{Content: new("a\nB\n")}, known, ""},
		{"content over recorded text", nil, edit.Facts{Before: new("a\nb\n"), Content: new("a\nB\n")}, known, ""},
		{"content with a shown diff", nil, edit.Facts{Content: new("a\nB\n"), Shown: shown}, patch, ""},
		{"content", nil, edit.Facts{Content: new("B\n")}, "@@ -0,0 +1 @@\n+B\n", ""},
		{"content of a new file", sure, edit.Facts{Content: new("B\n"), Created: true}, "@@ -0,0 +1 @@\n+B\n", ""},
		{"line ends that the tool does not show", func(f *edit.Files) { f.Set(path, "a\r\nb\r\n") }, edit.Facts{Before: new("a\nb\n"), Pairs: pairs, Unix: true}, "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n", ""},
		{"nothing changed", nil, edit.Facts{Before: new("a\n"), After: new("a\n")}, "", ""},
		{"nothing told", sure, edit.Facts{}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var f edit.Files
			if tt.knows != nil {
				tt.knows(&f)
			}
			tt.facts.Path = path
			d, ok := f.Of(tt.facts)
			if !ok {
				d = core.Diff{}
			}
			_, hunks, _ := strings.Cut(d.Unified, "@@ ")
			if hunks != "" {
				hunks = "@@ " + hunks
			}
			if diff := cmp.Diff(tt.want, hunks); diff != "" {
				t.Errorf("hunks (-want +got):\n%s", diff)
			}
			if d.Certainty != tt.as {
				t.Errorf("certainty %q, want %q", d.Certainty, tt.as)
			}
		})
	}
}
