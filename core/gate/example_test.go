package gate_test

import (
	"fmt"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/prose"
)

// Markers name the rule, its category, and the words with their offset in the turn.
func ExampleRules_Mark() {
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range rules.Mark(prose.Of("Please use UUIDs instead of counters. Never touch vendor/.")) {
		fmt.Printf("%-14s %-13s %q at %d\n", m.Rule, m.Category, m.Text, m.Offset)
	}
	// Output:
	// en.use         decision_verb "use" at 7
	// en.instead-of  decision_verb "instead of" at 17
	// en.never       ban           "Never touch" at 38
}

// A user's rule brings the turns that it must and must not mark; a rule that does not hold
// to them is an error.
func ExampleConfigured() {
	rules, err := gate.Configured(lexicon.Standard(), gate.Config{
		Disable: []string{"en.mod.also", "zh.*"},
		Lists:   map[string][]string{"stores": {"postgres", "sqlite"}},
		Rules: []gate.RuleConfig{{
			ID: "team.store", Category: "decision_verb", Tier: "strong",
			Patterns: []string{"we_keep|we_stay with {stores}"},
			Must:     []string{"we stay with Postgres"},
			MustNot:  []string{"why do we stay?"},
		}},
	})
	fmt.Println(rules != nil, err)

	_, err = gate.Configured(lexicon.Standard(), gate.Config{Rules: []gate.RuleConfig{{
		ID: "team.store", Category: "decision_verb",
		Patterns: []string{"we_stay with {stores}"},
	}}})
	fmt.Println(err)
	// Output:
	// true <nil>
	// rule "team.store": pattern "we_stay with {stores}": no list {stores}
}
