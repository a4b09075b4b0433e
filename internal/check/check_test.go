package check_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/check"
)

// kase is a case of testdata/cases.txt.
type kase struct {
	line    int
	want    string
	rule    string
	changes []check.Change
}

func readCases(t *testing.T, file string) []kase {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []kase
	var block []string
	start := 0
	flush := func() {
		if len(block) > 0 {
			c, err := readCase(block)
			if err != nil {
				t.Fatalf("%s:%d: %v", file, start, err)
			}
			c.line = start
			all = append(all, c)
		}
		block = nil
	}
	for i, l := range strings.Split(string(b), "\n") {
		switch {
		case strings.HasPrefix(l, "#") && len(block) == 0:
		case l == "":
			flush()
		default:
			if len(block) == 0 {
				start = i + 1
			}
			block = append(block, l)
		}
	}
	flush()
	return all
}

func readCase(block []string) (c kase, err error) {
	if len(block) < 3 {
		return c, fmt.Errorf("%d lines: want a verdict, a rule and a change", len(block))
	}
	c.want, c.rule = block[0], block[1]
	numbers := [2]int{}
	for _, l := range block[2:] {
		switch l[0] {
		case '+':
			ch := &c.changes[len(c.changes)-1]
			numbers[0]++
			ch.Added = append(ch.Added, check.Line{Number: numbers[0], Text: l[1:]})
		case '-':
			ch := &c.changes[len(c.changes)-1]
			numbers[1]++
			ch.Removed = append(ch.Removed, check.Line{Number: numbers[1], Text: l[1:]})
		default:
			f := strings.Fields(l)
			status := map[string]check.Status{"M": check.Modified, "A": check.Added, "D": check.Deleted, "R": check.Renamed}[f[0]]
			if status == "" || len(f) < 2 {
				return c, fmt.Errorf("%q: want M, A, D or R and a path", l)
			}
			ch := check.Change{Path: f[1], Status: status}
			if len(f) > 2 {
				ch.OldPath = f[2]
			}
			c.changes, numbers = append(c.changes, ch), [2]int{}
		}
	}
	return c, nil
}

func verdict(found []check.Finding) string {
	v := "kept"
	for _, f := range found {
		if !f.Ask {
			return "broken"
		}
		v = "ask"
	}
	return v
}

func TestCases(t *testing.T) {
	for _, c := range readCases(t, "testdata/cases.txt") {
		t.Run(fmt.Sprint(c.line), func(t *testing.T) {
			found := check.Find([]check.Rule{{Text: c.rule}}, c.changes)
			if got := verdict(found); got != c.want {
				t.Errorf("%s\nis %s, want %s: %+v\nread as %+v", c.rule, got, c.want, found, check.NewReader().Parse(c.rule))
			}
		})
	}
}

// A text from a transcript is read in bounded time and never panics, and what a rule
// finds is in the change.
func FuzzFind(f *testing.F) {
	f.Add("Never use `a.b()`, git push --force or vendor/**/x.go outside tests", "src/a.ts", "import x from 'y'")
	f.Add("axiosは使わない「`", "go.mod", "\trequire a.b/c v1")
	f.Add("кроме 不要 \xff``", "\\", "/* \" ' */ x")
	f.Fuzz(func(t *testing.T, text, path, line string) {
		changes := []check.Change{{Path: path, Status: check.Added, Added: []check.Line{{Number: 7, Text: line}}}}
		for _, found := range check.Find([]check.Rule{{Text: text}}, changes) {
			if found.File != path || found.Line != 0 && (found.Line != 7 || found.Text != line) {
				t.Errorf("found %+v, which is not in the change", found)
			}
		}
	})
}
