package adapters_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/adapters/hooks"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/shape"
	"github.com/memscribe/memscribe/testkit/golden"
)

// tabled lists the kinds of records of each tool that has a table of them.
func tabled(t *testing.T) map[core.Tool][]stream.Kind {
	t.Helper()
	all := map[core.Tool][]stream.Kind{hookTools: hooks.Adapter{}.Kinds()}
	for _, a := range adapters.All() {
		if tool, ok := a.(interface{ Kinds() []stream.Kind }); ok && a.Tool() != core.Kilo {
			all[a.Tool()] = tool.Kinds()
		}
	}
	return all
}

// hookTools stands for all tools that have hooks.
const hookTools core.Tool = "hooks"

// The table of a page stands between these lines.
const (
	opening = "<!-- kinds: from the adapter's table, by `go test ./adapters -run TestKindsOnPages -update` -->\n"
	closing = "<!-- end of kinds -->\n"
)

// TestKindsOnPages: the page of each tool has the table of its adapter. With -update
// the test writes it.
func TestKindsOnPages(t *testing.T) {
	for tool, rows := range tabled(t) {
		file := filepath.Join("../docs/adapters", string(tool)+".md")
		if tool == hookTools {
			file = "../docs/hooks.md"
		}
		page, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s: %v", tool, err)
			continue
		}
		before, rest, begun := bytes.Cut(page, []byte(opening))
		_, after, ended := bytes.Cut(rest, []byte(closing))
		if !begun || !ended {
			t.Errorf("%s has no place for the table of kinds", file)
			continue
		}
		want := string(before) + opening + "\n" + markdown(rows) + "\n" + closing + string(after)
		if want == string(page) {
			continue
		}
		if !golden.Updating() {
			t.Errorf("%s is not the adapter's table; -update writes it", file)
			continue
		}
		if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// markdown is a table of kinds as a page shows it.
func markdown(rows []stream.Kind) string {
	var b strings.Builder
	b.WriteString("| record | becomes | evidence |\n| --- | --- | --- |\n")
	for _, r := range rows {
		in := ""
		if r.In != "" {
			in = "`" + r.In + "` / "
		}
		becomes := r.Becomes
		if becomes == "" {
			becomes = "bookkeeping"
		}
		b.WriteString("| " + in + "`" + strings.Join(strings.Fields(r.Names), "`, `") + "` | " + becomes + " | " + r.Known + " |\n")
	}
	return b.String()
}

// evidence is what may stand in a row: tags, and behind them the versions.
var evidence = regexp.MustCompile(`\b(rec|wild|src|hear|doc|unv)\b`)

// TestKinds: each kind stands in its table once, with its evidence, and within a kind
// that is in the table too. All readers of a table have one type: a parser passes over
// another. VS Code has two tables, of parts and of entries.
func TestKinds(t *testing.T) {
	for tool, rows := range tabled(t) {
		seen, outers, readers := map[string]bool{}, map[string]bool{}, map[reflect.Type]bool{}
		for _, r := range rows {
			if r.Read != nil {
				readers[reflect.TypeOf(r.Read)] = true
			}
			if !evidence.MatchString(r.Known) {
				t.Errorf("%s: %s: evidence %q", tool, r.Names, r.Known)
			}
			outer := r.In
			if part := outer == "entry" || outer == "response" || outer == "message"; outer != "" && !part && !outers[outer] {
				t.Errorf("%s: %s stands within %s, which is not above it", tool, r.Names, outer)
			}
			for name := range strings.FieldsSeq(r.Names) {
				outers[name] = true
				if r.In != "" {
					name = r.In + "/" + name
				}
				if seen[name] {
					t.Errorf("%s: %s stands in the table twice", tool, name)
				}
				seen[name] = true
			}
		}
		if tables := len(readers); tables > 1 && (tool != core.VSCode || tables > 2) {
			t.Errorf("%s: readers of types %v", tool, readers)
		}
	}
}

// TestKindsWereSeen holds the evidence of each kind to the recordings: one that is said
// to be recorded stands in a fixture or in what was learnt from recordings and published
// sessions (core/shape/tables), and one that was seen is not said to be read of only.
func TestKindsWereSeen(t *testing.T) {
	for tool, rows := range tabled(t) {
		learnt, recorded := seenKinds(tool), fixtures(t, tool)
		for _, r := range rows {
			for name := range strings.FieldsSeq(r.Names) {
				seen := learnt[r.In+"/"+name]
				switch {
				case strings.HasPrefix(r.Known, "rec"):
					if !seen && len(recorded) > 0 && !bytes.Contains(recorded, []byte(`"`+name+`"`)) {
						t.Errorf("%s: %s %s is in no recording; its evidence is %q", tool, r.In, name, r.Known)
					}
				case seen && !strings.HasPrefix(r.Known, "wild"):
					t.Errorf("%s: %s %s was seen; its evidence is %q", tool, r.In, name, r.Known)
				}
			}
		}
	}
}

// seenKinds are the kinds that were learnt from what was recorded or published, each
// behind the kind that it is in and a slash.
func seenKinds(tool core.Tool) map[string]bool {
	_, learnt, _ := strings.Cut(string(shape.Table(tool)), "# Learnt from recordings and published sessions:\n")
	seen := map[string]bool{}
	for path := range strings.Lines(learnt) {
		path, _, _ = strings.Cut(strings.TrimSpace(path), " ")
		outer, inner, within := strings.Cut(strings.TrimPrefix(path, ":"), ">")
		if !within {
			seen["/"+outer], seen[outer] = true, true // "system/init" is the subtype of a type
			continue
		}
		if _, kind, ok := strings.Cut(inner, ":"); ok && !strings.ContainsAny(kind, ":>") {
			seen[outer+"/"+kind] = true
		}
	}
	return seen
}

// fixtures is the text of a tool's recordings.
func fixtures(t *testing.T, tool core.Tool) []byte {
	t.Helper()
	var all []byte
	err := filepath.WalkDir(filepath.Join("../fixtures", string(tool)), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // a tool that was not recorded has none
		}
		text, err := os.ReadFile(path)
		all = append(all, text...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
