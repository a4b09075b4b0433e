package check_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/check"
)

// score counts how a set of cases was judged.
type score struct {
	broken, kept int // cases
	found, wrong int // broken ones that were found, kept ones that were called broken
}

func (s *score) add(want, got string) {
	if want == "broken" {
		s.broken++
		if got == "broken" {
			s.found++
		}
		return
	}
	s.kept++
	if got == "broken" {
		s.wrong++
	}
}

// row is a line of the table in docs/check.md.
func (s *score) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %s | %s |", name, s.broken, s.kept, s.found, s.wrong,
		ratio(s.found, s.found+s.wrong), ratio(s.found, s.broken))
}

func ratio(part, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3f", float64(part)/float64(of))
}

// groups read the name above each case: its language or ecosystem.
func groups(t *testing.T, file string) map[int]string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	of := map[int]string{}
	for i, l := range strings.Split(string(b), "\n") {
		if f := strings.Fields(l); len(f) == 3 && f[0] == "#" {
			of[i+2] = f[2]
		}
	}
	return of
}

// TestBlind measures the rules on sets of cases that were written without knowledge of
// them, and holds docs/check.md to the figures.
func TestBlind(t *testing.T) {
	for _, files := range [][]string{{"blind"}, {"second"}, {"third", "fourth", "fifth", "sixth", "seventh"}} {
		t.Run(files[0], func(t *testing.T) { measure(t, files) })
	}
}

func measure(t *testing.T, files []string) {
	t.Helper()
	var all score
	each := map[string]*score{}
	for _, name := range files {
		file := "testdata/" + name + ".txt"
		of := groups(t, file)
		for _, c := range readCases(t, file) {
			got := verdict(check.Find([]check.Rule{{Text: c.rule}}, c.changes))
			if (got == "broken") != (c.want == "broken") {
				t.Logf("%s:%d: %s: is %s, want %s", file, c.line, c.rule, got, c.want)
			}
			s := each[of[c.line]]
			if s == nil {
				s = &score{}
				each[of[c.line]] = s
			}
			s.add(c.want, got)
			all.add(c.want, got)
		}
	}
	if all.broken+all.kept < 70 || each[""] != nil {
		t.Errorf("there are %d cases, each with a name: %t", all.broken+all.kept, each[""] == nil)
	}
	if float64(all.found) < 0.97*float64(all.found+all.wrong) || float64(all.found) < 0.70*float64(all.broken) {
		t.Errorf("precision %s, recall %s", ratio(all.found, all.found+all.wrong), ratio(all.found, all.broken))
	}
	names := slices.SortedFunc(maps.Keys(each), func(a, b string) int {
		x, y := each[a], each[b]
		return cmp.Or(cmp.Compare(y.broken+y.kept, x.broken+x.kept), strings.Compare(a, b))
	})
	doc, err := os.ReadFile("../../docs/check.md")
	if err != nil {
		t.Fatal(err)
	}
	table := []string{all.row("**all**")}
	for _, name := range names {
		table = append(table, each[name].row(name))
	}
	if want := strings.Join(table, "\n"); !strings.Contains(string(doc), want) {
		t.Errorf("docs/check.md has not these rows:\n%s", want)
	}
}
