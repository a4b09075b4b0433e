package gate_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
	"github.com/memscribe/memscribe/core/prose"
)

// TestConfigured shows that a user's rules add to the built-in ones, change and
// disable them.
func TestConfigured(t *testing.T) {
	r, err := gate.Configured(lexicon.Standard(), gate.Config{
		Disable: []string{"en.never", "zh.*"},
		Lists:   map[string][]string{"tabu": {"jargon", "buzz_words"}},
		Rules: []gate.RuleConfig{
			{ID: "own.tabu", Category: "ban", Patterns: []string{"{tabu} is|are out"}, Must: []string{"buzz words are out"}, MustNot: []string{"the buzz is out"}},
			{ID: "en.use", Patterns: []string{"^ harness"}, Must: []string{"harness the cache"}, MustNot: []string{"use the cache"}},
			{ID: "sv.never", Lang: "sv", Category: "ban", Family: "act.never", Tier: "hint", Patterns: []string{"aldrig"}, Must: []string{"rör aldrig schemat"}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ text, want string }{
		{"jargon is out", "own.tabu ban"},
		{"never touch it", ""},
		{"不要修改其他文件", ""},
		{"use the cache", ""},
		{"harness the cache", "en.use decision_verb"},
		{"rör aldrig schemat", "sv.never ban"},
	} {
		var got []string
		for _, m := range r.Mark(prose.Of(tc.text)) {
			got = append(got, m.Rule+" "+string(m.Category))
		}
		if g := strings.Join(got, ", "); g != tc.want {
			t.Errorf("%q is marked by %q, want %q", tc.text, g, tc.want)
		}
	}
}

func TestConfiguredRefuses(t *testing.T) {
	ban := func(id string, patterns ...string) gate.RuleConfig {
		return gate.RuleConfig{ID: id, Category: "ban", Patterns: patterns}
	}
	shows := func(rule gate.RuleConfig, must, not []string) gate.RuleConfig {
		rule.Must, rule.MustNot = must, not
		return rule
	}
	for _, tc := range []struct {
		config gate.Config
		want   string
	}{
		{gate.Config{Disable: []string{"en.nevver"}}, `disable "en.nevver": no such rule`},
		{gate.Config{Disable: []string{"e*"}}, `disable "e*": no such rule`},
		{gate.Config{Disable: []string{"en.use"}, Rules: []gate.RuleConfig{{ID: "en.use", Tier: "cue"}}}, `rule "en.use": both changed and disabled`},
		{gate.Config{Rules: []gate.RuleConfig{{ID: "own.x"}}}, `rule "own.x": no pattern`},
		{gate.Config{Rules: []gate.RuleConfig{{Patterns: []string{"x"}}}}, "no id"},
		{gate.Config{Rules: []gate.RuleConfig{ban("own.x", "a"), ban("own.x", "b")}}, `rule "own.x": stands twice`},
		{gate.Config{Rules: []gate.RuleConfig{{ID: "own.x", Category: "bann", Patterns: []string{"x"}}}}, `no category "bann"`},
		{gate.Config{Rules: []gate.RuleConfig{{ID: "own.x", Tier: "sure", Patterns: []string{"x"}}}}, `no tier "sure"`},
		{gate.Config{Rules: []gate.RuleConfig{{ID: "own.x", Family: "act.sing", Patterns: []string{"x"}}}}, `no family "act.sing"`},
		{gate.Config{Rules: []gate.RuleConfig{ban("own.x", "x @foo")}}, `rule "own.x": pattern "x @foo": no class @foo`},
		{gate.Config{Rules: []gate.RuleConfig{shows(ban("own.x", "tabu"), []string{"taboo"}, nil)}}, `rule "own.x": does not mark "taboo"`},
		{gate.Config{Rules: []gate.RuleConfig{shows(ban("own.x", "tabu"), nil, []string{"so tabu"})}}, `rule "own.x": marks "so tabu"`},
	} {
		_, err := gate.Configured(lexicon.Standard(), tc.config)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%+v: error %v, want %q", tc.config, err, tc.want)
		}
	}
}
