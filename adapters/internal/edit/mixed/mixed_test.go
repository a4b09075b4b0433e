package mixed_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/edit/mixed"
	"github.com/memscribe/memscribe/core"
)

// diff returns a diff of a file with the given lines.
func diff(path string, lines ...string) *core.Diff {
	return &core.Diff{Path: path, Unified: "--- a/" + path + "\n+++ b/" + path + "\n@@ -1,3 +1,3 @@\n" + strings.Join(lines, "\n") + "\n"}
}

// TestAdd adds a suspected edit and another one behind it.
func TestAdd(t *testing.T) {
	first := diff("a", "-1", "+one", " 2", "-3", "+three")
	for name, tt := range map[string]struct {
		first     *core.Diff
		suspected bool
		answer    string // of the second edit
		second    *core.Diff
		want      bool
	}{
		"removes what is gone":             {first, true, "1", diff("a", " 2", "-3", "+three"), true},
		"shows what is gone":               {first, true, "1", diff("a", " 3", "+4"), true},
		"goes on from it":                  {first, true, "1", diff("a", " one", "-2", "+two"), false},
		"adds what is gone":                {first, true, "1", diff("a", " one", "+3"), false},
		"moved and not gone":               {diff("a", "-1", " 2", "+1"), true, "1", diff("a", "-1", "+one"), false},
		"of another file":                  {first, true, "1", diff("b", "-3"), false},
		"of the next answer":               {first, true, "2", diff("a", "-3"), false},
		"the first was not suspected":      {first, false, "1", diff("a", "-3"), false},
		"the first is too long to be kept": {diff("a", "-3", "+"+strings.Repeat("x", 64<<10)), true, "1", diff("a", "-3"), false},
	} {
		var e mixed.Edits
		e.Begin("1")
		if e.Add(tt.first, tt.suspected) {
			t.Errorf("%s: the first edit contradicts", name)
		}
		e.Begin(tt.answer)
		if got := e.Add(tt.second, false); got != tt.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// TestMostFiles keeps lines of so many files of an answer, and no more.
func TestMostFiles(t *testing.T) {
	var e mixed.Edits
	if e.Add(diff("0", "-1"), true); e.Add(diff("0", "-1"), false) {
		t.Error("edits of no answer contradict")
	}
	e.Begin("1")
	for i := range 65 {
		e.Add(diff(strconv.Itoa(i), "-1"), true)
	}
	if !e.Add(diff("63", "-1"), false) || e.Add(diff("64", "-1"), false) {
		t.Error("want 64 files")
	}
}
