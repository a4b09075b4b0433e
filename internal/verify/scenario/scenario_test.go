package scenario_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/corpus"
	"github.com/memscribe/memscribe/internal/verify/scenario"
)

func TestStatements(t *testing.T) {
	all, err := scenario.Statements()
	if err != nil {
		t.Fatal(err)
	}
	rules, departures := map[string]bool{}, map[string]int{}
	for _, s := range all {
		departures[baseOf(s.Scenario)]++
		if s.Tool == "" {
			if rules[s.Scenario] {
				t.Errorf("two statements of %s", s.Scenario)
			}
			rules[s.Scenario] = true
		}
	}
	for _, s := range all {
		base := baseOf(s.Scenario)
		// A scenario that every tool shows in its own way needs no rule.
		if s.Tool != "" && (!rules[base] && departures[base] < 2 || s.Because == "") {
			t.Errorf("exception of %s %s to %s: there is a rule: %t, because %q", s.Tool, s.Version, s.Scenario, rules[base], s.Because)
		}
		// A summary may stand for the person's words; what a subagent did may have an earlier time.
		other := len(s.Lines) > 0 && (s.Lines[0] == "compaction" || strings.HasSuffix(s.Lines[0], " by a subagent"))
		if len(s.Lines) == 0 || !strings.HasPrefix(s.Lines[0], "user ") && (s.Tool == "" || !other) {
			t.Errorf("%s begins with %q", s.Scenario, s.Lines)
		}
	}
}

// baseOf is a scenario without its variant; see [corpus.Case.Base].
func baseOf(name string) string {
	if i := strings.IndexAny(name, "+-"); i >= 0 {
		return name[:i]
	}
	return name
}

func TestFor(t *testing.T) {
	all := []scenario.Statement{
		{Scenario: "a"},
		{Scenario: "a", Tool: "x", Version: "*"},
		{Scenario: "a", Tool: "y", Version: "1"},
		{Scenario: "a+v", Tool: "y", Version: "1"},
		{Scenario: "a", Tool: "y", Version: "1.2<1.4"},
	}
	tests := []struct {
		tool, version, name string
		want                int
	}{
		{"z", "1", "a", 0},
		{"x", "7", "a", 1},
		{"x", "7", "a+v", 1},
		{"y", "1", "a", 2},
		{"y", "2", "a", 0},
		{"y", "1", "a+v", 3},
		{"y", "1", "a+w", 2},
		{"y", "1.1", "a", 0},
		{"y", "1.2", "a", 4},
		{"y", "1.3.9", "a", 4},
		{"y", "1.4", "a", 0},
	}
	for _, tc := range tests {
		c := &corpus.Case{Tool: core.Tool(tc.tool), Version: tc.version, Scenario: tc.name}
		got, ok := scenario.For(all, c)
		if want := all[tc.want]; !ok || got.Scenario != want.Scenario || got.Tool != want.Tool || got.Version != want.Version {
			t.Errorf("%s: got %+v, want %+v", c.Name(), got, want)
		}
	}
}

func TestHolds(t *testing.T) {
	s := scenario.Statement{Lines: []string{"user Do", "decides?", "modify a", "answer"}}
	tests := []struct {
		shape string
		line  int
		ok    bool
	}{
		{"user Do it|decides|modify a|answer", 4, true},
		{"user Do it|modify a|answer", 3, true},
		{"user Do it|bans|modify a|answer", 1, false},
		{"user Do it|modify a|answer|answer", 3, false},
		{"user Do it|modify a", 2, false},
		{"user Don|modify b|answer", 1, false},
		{"", 0, false},
	}
	for _, tc := range tests {
		if line, ok := s.Holds(strings.Split(tc.shape, "|")); line != tc.line || ok != tc.ok {
			t.Errorf("%s: line %d, %t, want %d, %t", tc.shape, line, ok, tc.line, tc.ok)
		}
	}
}

func TestAnyOrder(t *testing.T) {
	s := scenario.Statement{Lines: []string{"in any order: modify a; modify a?; failure", "in any order: modify b; failure?", "answer"}}
	for shape, want := range map[string]bool{
		"modify a|failure|modify b|answer":                  true,
		"failure|modify a|failure|modify b|answer":          true,
		"modify a|failure|modify a|modify b|failure|answer": true,
		"modify a|modify b|answer":                          false,
		"modify a|failure|failure|failure|modify b|answer":  false,
		"modify a|failure|modify b":                         false,
		"modify a|failure|modify c|answer":                  false,
	} {
		if line, ok := s.Holds(strings.Split(shape, "|")); ok != want {
			t.Errorf("%s: %t at line %d, want %t", shape, ok, line, want)
		}
	}
}
