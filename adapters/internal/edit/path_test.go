package edit_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/internal/edit"
)

func TestClean(t *testing.T) {
	for name, want := range map[string]string{
		"/w/src/../docs/./a.md": "/w/docs/a.md",
		"/w//a":                 "/w/a",
		"/w/../../a":            "/a",
		"./a":                   "a",
		"/w/.env":               "/w/.env",
		"a":                     "a",
		"":                      "",
		`C:\w\..\a`:             `C:\w\..\a`,
		"vscode://w//a":         "vscode://w//a",
	} {
		if got := edit.Clean(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// TestOneFileOfManyPaths: what is known of a file is known by whichever path a
// call names it.
func TestOneFileOfManyPaths(t *testing.T) {
	var f edit.Files
	f.Set("/w/src/../a", "1\n2\n")
	d := f.Replace("/w/./a", "2\n", "two\n", false)
	checkDiff(t, d, "1\n2\n", "1\ntwo\n")
	if d.Path != "/w/a" || !strings.Contains(d.Unified, "+++ b/w/a\n") {
		t.Errorf("the diff is of %s:\n%s", d.Path, d.Unified)
	}
	f.Forget("/w//a")
	if got := text(&f, "/w/a"); got != "?" {
		t.Errorf("still known: %q", got)
	}
}
