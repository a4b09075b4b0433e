package discover_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
)

// accompanied is a tool whose transcripts have companions.
type accompanied struct {
	core.Adapter

	patterns []string
}

func (a accompanied) Companions(string) (string, []string) { return "work", a.patterns }

// TestCompanions reads the files for which patterns stand, and nothing that is too
// large, is no file, or is not there.
func TestCompanions(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string]string{
		"chats/s.json": "{}", "work/a/s/state.json": "A", "work/b/s/state.json": "B", "work/b/s/texts/1": "one", "work/b/s/texts/2x": "two",
		"work/c/other.json": "C", "work/huge/s/state.json": strings.Repeat("x", 17<<20),
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "work/d/s/state.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := accompanied{patterns: []string{"../work/*/s/state.json", "../work/*/s/texts/*x", "none.json", "../nowhere/*/x", "../work/huge/s/state.json?", "none.json?"}}
	file := filepath.Join(dir, "chats", "s.json")
	got := map[string]string{}
	if data, ok := discover.Info(a, "s.json", file).Sidecars["../work/huge/s/state.json"]; !ok || data != nil {
		t.Error("a file that is only looked for is not there, or is read")
	}
	for name, data := range discover.Info(a, "s.json", file).Sidecars {
		got[name] = string(data)
	}
	want := map[string]string{"../work/a/s/state.json": "A", "../work/b/s/state.json": "B", "../work/b/s/texts/2x": "two", "../work/huge/s/state.json": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	before := discover.Companions(a, "s.json", file)
	if names := slices.Sorted(maps.Keys(before)); !slices.Contains(names, "../work/a/s/state.json") || slices.Contains(names, "none.json") {
		t.Errorf("stamps of %q", names)
	}
	if err := os.WriteFile(filepath.Join(dir, "work/a/s/state.json"), []byte("AA"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "work/huge/s/state.json"), []byte("less"), 0o600); err != nil {
		t.Fatal(err)
	}
	after := discover.Companions(a, "s.json", file)
	if before["../work/a/s/state.json"] == after["../work/a/s/state.json"] || before["../work/b/s/state.json"] != after["../work/b/s/state.json"] {
		t.Error("a stamp does not show what has changed")
	}
	if huge := "../work/huge/s/state.json"; before[huge] != after[huge] {
		t.Error("a file that is only looked for has changed")
	}
}

// TestDiffers tells what has come, gone or changed since it was shown, except where a
// pattern is asked for; of what is only looked for, whether it is there.
func TestDiffers(t *testing.T) {
	dir := t.TempDir()
	put := func(name, data string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gone := func(name string) {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	a, file := accompanied{patterns: []string{"index", "teller?", "*.old"}}, filepath.Join(dir, "s.json")
	for _, step := range []struct {
		name string
		do   func()
		want bool
	}{
		{"nothing", func() {}, false},
		{"an index comes", func() { put("index", "{}") }, true},
		{"it changes", func() { put("index", "{ }") }, true},
		{"a teller comes", func() { put("teller", "") }, true},
		{"it grows", func() { put("teller", "more") }, false},
		{"one of a pattern comes", func() { put("1.old", "") }, false},
		{"the teller goes", func() { gone("teller") }, true},
		{"the index goes", func() { gone("index") }, true},
	} {
		shown := discover.Companions(a, "s.json", file)
		step.do()
		if got := discover.Differs(a, "s.json", file, shown); got != step.want {
			t.Errorf("%s: %v", step.name, got)
		}
	}
}
