package testkit_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/internal/verify/scenario"
	"github.com/memscribe/memscribe/testkit/script"
)

// TestConformanceOfRecorded holds every tool to the one statement of each scenario.
// An exception is one that some recording needs, and a statement is of a scenario
// that was recorded or can be: that shows where all recordings are.
func TestConformanceOfRecorded(t *testing.T) {
	all, err := scenario.Statements()
	if err != nil {
		t.Fatal(err)
	}
	use := usage{of: all, used: map[string]bool{}, needed: map[string]bool{}}
	each(t, recorded(), func(t *testing.T, s *session) { use.conform(t, s) })
	if recorded() != shared || partial() {
		return
	}
	each(t, fixtures, func(t *testing.T, s *session) { use.conform(t, s) })
	if !inFull() {
		return
	}
	playable, err := script.Names()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		// Of a script, what holds for any version is there for who records one.
		ofAny := s.Tool == "" || s.Version == "*" || strings.Contains(s.Version, "<")
		played, _, _ := strings.Cut(s.Scenario, "+") // a variant is of a script, too
		kept := ofAny && slices.Contains(playable, played)
		if !use.used[s.Name()] && !kept {
			t.Errorf("nothing is held to the statement of %s", s.Name())
		} else if s.Tool != "" && use.used[s.Name()] && !use.needed[s.Name()] {
			t.Errorf("no recording needs the exception of %s", s.Name())
		}
	}
}

// usage is which statements sessions are held to, and which of these differ from
// the rule of their scenario for a reason.
type usage struct {
	of           []scenario.Statement
	used, needed map[string]bool
}

func (u usage) conform(t *testing.T, s *session) {
	want, ok := scenario.For(u.of, s.Case)
	if !ok {
		t.Fatalf("no statement of %s", s.Scenario)
	}
	u.used[want.Name()] = true
	shape := scenario.Shape(s.result, s.Truth.Repo)
	rule, ok := scenario.Rule(u.of, s.Case)
	if _, holds := rule.Holds(shape); !ok || !holds {
		u.needed[want.Name()] = true
	}
	if line, ok := want.Holds(shape); !ok {
		t.Errorf("from line %d on it shows\n  %s\nwant\n  %s", line, strings.Join(shape, "\n  "), strings.Join(want.Lines, "\n  "))
	}
}
