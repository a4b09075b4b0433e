package store_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/store"
)

// talk is a conversation in a folder: what a copy keeps of a record is its
// document, and a key with a "c" in it is a copy's.
func talk(root, name string) core.Tree {
	return core.Tree{Table: "talk", Branches: []core.Branch{{
		Table: "said", Dir: path.Join(root, "said", name),
		Below: func(key string) []core.Branch {
			return []core.Branch{{Table: "part", Dir: path.Join(root, "parts", key)}}
		},
		Mark: func(key string, document []byte) (string, bool) { return string(document), strings.Contains(key, "c") },
	}}}
}

// TestCopies: a record is a copy of the one that is none, or else of the first
// copy that is left; a conversation that begins otherwise is not looked at.
func TestCopies(t *testing.T) {
	root := filepath.ToSlash(t.TempDir())
	for name, content := range map[string]string{
		"a.json": "{}", "b.json": "{}", "d.json": "{}", "e.json": "{}",
		"said/a/1.json": `"x"`, "said/a/2.json": `"y"`, // what was there first
		"said/b/c3.json": `"x"`, "said/b/c4.json": `"y"`, "said/b/z5.json": `"z"`, // a copy of it, and more
		"said/d/c6.json": `"x"`, "said/d/c7.json": `"y"`, "said/d/c8.json": `"z"`, // a copy of that
		"said/e/9.json": `"w"`, "said/e/c10.json": `"x"`, // something else
		"parts/1/p.json": `1`, "parts/1/q.json": `2`,
	} {
		file := filepath.FromSlash(path.Join(root, name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	copies := func(name string) []string {
		rows, err := store.NewTree(filepath.FromSlash(path.Join(root, name+".json")), talk(root, name)).Changes()
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, r := range rows {
			if _, of, ok := strings.Cut(string(r.JSON), `"copy_of"`); ok {
				all = append(all, of)
			}
		}
		return all
	}
	check := func(name string, want ...string) {
		t.Helper()
		if d := cmp.Diff(want, copies(name)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	check("a")
	check("b", `:"1","copied_session":"a","copied_parts":["p","q"],"data":"x"}`, `:"2","copied_session":"a","copied_parts":[],"data":"y"}`)
	check("d", `:"1","copied_session":"a","copied_parts":["p","q"],"data":"x"}`, `:"2","copied_session":"a","copied_parts":[],"data":"y"}`,
		`:"z5","copied_session":"b","copied_parts":[],"data":"z"}`)
	check("e")
	if err := os.RemoveAll(filepath.FromSlash(path.Join(root, "said/a"))); err != nil {
		t.Fatal(err)
	}
	check("b")
	check("d", `:"c3","copied_session":"b","copied_parts":[],"data":"x"}`, `:"c4","copied_session":"b","copied_parts":[],"data":"y"}`,
		`:"z5","copied_session":"b","copied_parts":[],"data":"z"}`)
}
