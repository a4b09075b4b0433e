package store_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
		rows, err := store.NewTree(filepath.FromSlash(path.Join(root, name+".json")), talk(root, name), nil).Changes()
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

// TestStrays: a folder whose record is gone is read in its place, unless it is
// another conversation's, or what it held lives on in a copy.
func TestStrays(t *testing.T) {
	root := filepath.ToSlash(t.TempDir())
	write := func(name, content string) {
		file := filepath.FromSlash(path.Join(root, name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	strays := store.NewStrays()
	check := func(name, want string) {
		t.Helper()
		tree := talk(root, name)
		tree.Branches[0].OrphanDirs = &core.OrphanDirs{Dir: path.Join(root, "parts"), Of: name, Owner: func(b []byte) string { return string(b[1:2]) }}
		rows, err := store.NewTree(filepath.FromSlash(path.Join(root, name+".json")), tree, strays).Changes()
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, r := range rows[1:] {
			keys = append(keys, strings.TrimSuffix(path.Base(filepath.ToSlash(r.At.File)), ".json"))
		}
		if d := cmp.Diff(want, strings.Join(keys, " ")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	for _, name := range []string{"a.json", "b.json", "parts/6/none.txt"} {
		write(name, "{}")
	}
	for key, of := range map[string]string{"1": "a", "2": "a", "3": "b", "4": "a", "5": "a"} {
		write("parts/"+key+"/p"+key+".json", `"`+of+`"`)
	}
	write("said/a/1.json", `"x"`)
	write("said/a/4.json", `"z"`)
	write("said/b/3.json", `"w"`)
	check("a", "1 p1 p2 4 p4 p5")
	check("b", "3 p3")
	if err := os.Remove(filepath.FromSlash(path.Join(root, "said/a/4.json"))); err != nil {
		t.Fatal(err)
	}
	check("a", "1 p1 p2 p4 p5")
	write("parts/7/p7.json", `"b"`)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.FromSlash(path.Join(root, "parts")), later, later); err != nil {
		t.Fatal(err)
	}
	check("b", "3 p3 p7")
	write("said/c/c8.json", `"x"`)
	check("a", "1 p1")
}
