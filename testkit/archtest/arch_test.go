package archtest_test

import (
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/memscribe/memscribe/testkit/archtest"
)

func TestModule(t *testing.T) {
	found, err := archtest.Check(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
	}
}

// A check that cannot fail proves nothing: each rule is shown a tree that breaks
// it, and one beside it that does not.
func TestPlanted(t *testing.T) {
	const ours = `"github.com/memscribe/memscribe/`
	tests := []struct {
		name, file, src, want string // want is part of the only violation; "" is none
	}{
		{"stage imports an earlier one", "core/decide/x.go", `import _ ` + ours + `core/gate"`, ""},
		{"stage imports a later one", "core/gate/x.go", `import _ ` + ours + `core/decide"`, "core/gate may not import core/decide"},
		{"core imports a stage", "core/x.go", `import _ ` + ours + `core/gate"`, "core may not import core/gate"},
		{"jsondoc imports core", "core/jsondoc/x.go", `import _ ` + ours + `core"`, "may not import core"},
		{"unknown stage", "core/extra/x.go", `import _ ` + ours + `core"`, `no layer for package "core/extra"`},
		{"adapter imports the pipeline", "adapters/x/x.go", `import _ ` + ours + `core/pipeline"`, "may not import core/pipeline"},
		{"adapter imports another", "adapters/x/x.go", `import _ ` + ours + `adapters/y"`, "may not import adapters/y"},
		{"adapter imports its own", "adapters/x/x.go", `import _ ` + ours + `adapters/x/internal/tree"`, ""},
		{"adapter imports another's own", "adapters/x/x.go", `import _ ` + ours + `adapters/y/internal/tree"`, "may not import adapters/y/internal/tree"},
		{"adapter's own imports the pipeline", "adapters/x/internal/y/x.go", `import _ ` + ours + `core/pipeline"`, "may not import core/pipeline"},
		{"adapter imports a sink", "adapters/x/x.go", `import _ ` + ours + `sink/ndjson"`, "may not import sink/ndjson"},
		{"source imports an adapter", "io/tail/x.go", `import _ ` + ours + `adapters"`, "may not import adapters"},
		{"sink imports a source", "sink/x/x.go", `import _ ` + ours + `io/tail"`, "may not import io/tail"},
		{"program imports the testkit", "cmd/memscribe/x.go", `import _ ` + ours + `testkit/golden"`, "may not import testkit/golden"},
		{"program imports what it verifies by", "cmd/memscribe/x.go", `import _ ` + ours + `internal/verify/trial"`, ""},
		{"what verifies imports the testkit", "internal/verify/trial/x.go", `import _ ` + ours + `testkit/golden"`, "may not import testkit/golden"},
		{"room imports a shared one", "cmd/memscribe/internal/watch/x.go", `import _ ` + ours + `cmd/memscribe/internal/console"`, ""},
		{"room imports another", "cmd/memscribe/internal/watch/x.go", `import _ ` + ours + `cmd/memscribe/internal/query"`, "room watch may not import room query"},
		{"shared room imports a higher one", "cmd/memscribe/internal/cli/x.go", `import _ ` + ours + `cmd/memscribe/internal/query"`, "room cli may not import room query"},
		{"room imports cobra", "cmd/memscribe/internal/watch/x.go", `import _ "github.com/spf13/cobra"`, "only cmd/memscribe"},
		{"work of a command imports a sink", "internal/app/watch/x.go", `import _ ` + ours + `sink/ndjson"`, ""},
		{"work of a command imports cobra", "internal/app/watch/x.go", `import _ "github.com/spf13/cobra"`, "only cmd/memscribe"},
		{"work of a command imports flags", "internal/app/watch/x.go", `import _ "github.com/spf13/pflag"`, "only cmd/ may"},
		{"work of a command imports a terminal", "internal/app/watch/x.go", `import _ "golang.org/x/term"`, "only cmd/ may"},
		{"work of a command imports the printer", "internal/app/watch/x.go", `import _ ` + ours + `cmd/memscribe/internal/console"`, "may not import cmd/"},
		{"what it is built on imports work of a command", "internal/check/x.go", `import _ ` + ours + `internal/app/watch"`, "it stands above all but the commands"},
		{"program imports a room", "cmd/memscribe/x.go", `import _ ` + ours + `cmd/memscribe/internal/watch"`, ""},
		{"test imports the testkit", "sink/x/x_test.go", `import _ ` + ours + `internal/verify/trial"`, ""},
		{"wrong door", "io/discover/x.go", `import _ "github.com/fsnotify/fsnotify"`, "only io/tail may"},
		{"right door", "io/tail/x.go", `import _ "github.com/fsnotify/fsnotify"`, ""},
		{"below a door", "core/gate/x.go", `import _ "github.com/klauspost/compress/zstd"`, "only internal/compress"},
		{"no door", "io/tail/x.go", `import _ "example.com/new"`, "no door for dependency example.com/new"},
		{"test's dependency in a test", "core/x_test.go", `import _ "github.com/google/go-cmp/cmp"`, ""},
		{"test's dependency elsewhere", "core/x.go", `import _ "github.com/google/go-cmp/cmp"`, "may not import"},
		{"other's dependency in a test", "core/x_test.go", `import _ "github.com/spf13/cobra"`, "may not import"},
		{"file in io", "io/x.go", "", "io is a folder"},
		{"os in core", "core/gate/x.go", `import _ "os"`, `may not import "os"`},
		{"sync in an adapter", "adapters/x/x.go", `import _ "sync"`, `may not import "sync"`},
		{"os in a source", "io/tail/x.go", `import _ "os"`, ""},
		{"clock", "core/x.go", "import \"time\"\nfunc f() { _ = time.Now() }", "time.Now"},
		{"clock by another name", "core/x.go", "import tm \"time\"\nfunc f() { tm.Sleep(1) }", "time.Sleep"},
		{"time without a clock", "core/x.go", "import \"time\"\nvar _ = time.UnixMilli", ""},
		{"printing", "core/x.go", "import \"fmt\"\nfunc f() { fmt.Println() }", "fmt.Println"},
		{"builtin printing", "core/x.go", "func f() { println() }", "may not print"},
		{"goroutine", "core/x.go", "func f() { go f() }", "goroutine"},
		{"goroutine of its own", "io/tail/x.go", "func f() { go f() }", "goroutine whose panic"},
		{"goroutine by a group", "io/tail/x.go", "import \"sync\"\nfunc f(g *sync.WaitGroup) { g.Go(func() {}) }", "goroutine whose panic"},
		{"channel", "adapters/x/x.go", "func f(c chan int) {}", "channels"},
		{"panic", "sink/x/x.go", "func f() { panic(1) }", "panic"},
		{"panic in a test", "sink/x/x_test.go", "func f() { panic(1) }", ""},
		{"init", "io/tail/x.go", "func init() {}", "func init"},
		{"method init", "io/tail/x.go", "type t int\nfunc (t) init() {}", ""},
		{"variable", "io/tail/x.go", "var n int", "package variable n"},
		{"variable table", "core/x.go", "var m = map[string]int{}", "package variable m"},
		{"sentinel", "io/tail/x.go", "import \"errors\"\nvar errX = errors.New(\"x\")", ""},
		{"bytes", "core/x.go", "var x = []byte(\"x\")", ""},
		{"embedded", "core/x.go", "import _ \"embed\"\n//go:embed x.txt\nvar x string", ""},
		{"range over a map", "core/x.go", "func f(m map[string]int) { for range m {} }", "range over a map"},
		{"range over a named map", "core/x.go", "type t map[string]int\ntype u struct{ m t }\nfunc f(x *u) { for range x.m {} }", "range over a map"},
		{"range over a map whose order is said", "core/x.go", "func f(m map[string]int) {\nfor range m { // order does not matter: counts\n} }", ""},
		{"copy of a map", "core/x.go", "func f(m, n map[string]int) { for k, v := range m { n[k] = v } }", ""},
		{"inversion of a map", "core/x.go", "func f(m, n map[string]int) { for k, v := range m { n[\"x\"+k] = v } }", "range over a map"},
		{
			"collected and sorted", "core/x.go",
			"import \"slices\"\nfunc f(m map[string]int) (a []string) {\nfor k := range m { a = append(a, k) }\nslices.Sort(a)\nreturn a }", "",
		},
		{
			"another thing sorted", "core/x.go",
			"import \"slices\"\nfunc f(m map[string]int, b []int) (a []string) {\nfor k := range m { a = append(a, k) }\nslices.Sort(b)\nreturn a }", "range over a map",
		},
		{"range over another thing", "core/x.go", "func f(m []int) { for range m {} }", ""},
		{
			"range over another package's map", "core/gate/x.go",
			"import \"github.com/memscribe/memscribe/core\"\nfunc f() { for range core.M() {} }", "range over a map",
		},
		{"keys", "core/x.go", "import \"maps\"\nfunc f(m map[string]int) { for range maps.Keys(m) {} }", "maps.Keys"},
		{"sorted keys", "core/x.go", "import (\n\"maps\"\n\"slices\"\n)\nfunc f(m map[string]int) { _ = slices.Sorted(maps.Keys(m)) }", ""},
		{"exported without a comment", "sink/x/x.go", "type T int", "exported T without"},
		{"exported method without a comment", "sink/x/x.go", "// T is.\ntype T int\nfunc (T) Do() {}", "exported Do without"},
		{"exported method of an unexported type", "sink/x/x.go", "type t int\nfunc (t) Do() {}", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			const core = "package core\n// M is a map.\nfunc M() map[string]int { return nil }\n"
			pkg := path.Base(path.Dir(tc.file))
			root := fstest.MapFS{
				tc.file:           {Data: []byte("// Package x is planted.\npackage " + pkg + "\n" + tc.src)},
				"core/planted.go": {Data: []byte(core)},
			}
			if path.Dir(tc.file) != "core" || strings.HasSuffix(tc.file, "_test.go") {
				root["core/planted.go"].Data = []byte("// Package core is.\n" + core)
			}
			expect(t, root, tc.want)
		})
	}
}

// TestPlantedGenerated leaves generated code its habits, and holds it to the layers.
func TestPlantedGenerated(t *testing.T) {
	const head = "// Code generated by planted. DO NOT EDIT.\n\n// Package x is planted.\npackage x\n"
	for src, want := range map[string]string{
		"var N int\nfunc init() {}":                           "",
		"import _ \"github.com/memscribe/memscribe/io/tail\"": "may not import io/tail",
	} {
		expect(t, fstest.MapFS{"sink/x/x.go": {Data: []byte(head + src)}}, want)
	}
}

func TestPlantedDocs(t *testing.T) {
	const gate = "// Package gate finds words. It does more.\npackage gate\n"
	tests := []struct {
		name string
		root fstest.MapFS
		want string
	}{
		{"no comment", fstest.MapFS{"core/gate/x.go": {Data: []byte("package gate\n")}}, "core/gate: no package comment"},
		{"two comments", fstest.MapFS{"core/gate/x.go": {Data: []byte(gate)}, "core/gate/y.go": {Data: []byte(gate)}}, "more than one"},
		{"no map yet", fstest.MapFS{"core/gate/x.go": {Data: []byte(gate)}}, ""},
		{"map", mapped(gate, "## Code map\n\n```\ncore/gate    finds words\n```\n"), ""},
		{"map with another sentence", mapped(gate, "## Code map\n```\ncore/gate  finds\n```\n"), `wants the line "core/gate  finds words", has "finds"`},
		{"map with a package too many", mapped(gate, "## Code map\n```\ncore/gate  finds words\ncore/x  is\n```\n"), `names "core/x"`},
		{"map without a package", mapped(gate, "## Code map\n```\n```\n## Next\n```\ncore/gate  finds words\n```\n"), "wants the line"},
		{"no heading", mapped("", "# A\n"), "no heading"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) { expect(t, tc.root, tc.want) })
	}
}

func mapped(src, doc string) fstest.MapFS {
	root := fstest.MapFS{"ARCHITECTURE.md": {Data: []byte("# Architecture\n\n" + doc)}}
	if src != "" {
		root["core/gate/x.go"] = &fstest.MapFile{Data: []byte(src)}
	}
	return root
}

// expect wants one violation that has want in it, or none.
func expect(t *testing.T, root fstest.MapFS, want string) {
	t.Helper()
	found, err := archtest.Check(root)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case want == "" && len(found) > 0:
		t.Errorf("found %v, want nothing", found)
	case want != "" && (len(found) != 1 || !strings.Contains(found[0].String(), want)):
		t.Errorf("found %v, want one with %q", found, want)
	}
}
