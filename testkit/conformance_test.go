package testkit_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/testkit/scenario"
)

func TestConformanceOfRecorded(t *testing.T) { conform(t, recorded()) }

// conform holds every tool to the one statement of each scenario. That none is
// without use shows where all recordings are.
func conform(t *testing.T, root string) {
	all, err := scenario.Statements()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	each(t, root, func(t *testing.T, s *session) {
		want, ok := scenario.For(all, s.Case)
		if !ok {
			t.Fatalf("no statement of %s", s.Scenario)
		}
		used[want.Tool+want.Version+want.Scenario] = true
		shape := scenario.Shape(s.result, s.Truth.Repo)
		if line, ok := want.Holds(shape); !ok {
			t.Errorf("from line %d on it shows\n  %s\nwant\n  %s", line, strings.Join(shape, "\n  "), strings.Join(want.Lines, "\n  "))
		}
	})
	for _, s := range all {
		if root == shared && !used[s.Tool+s.Version+s.Scenario] && !partial() {
			t.Errorf("nothing is held to the statement of %s %s %s", s.Scenario, s.Tool, s.Version)
		}
	}
}
