package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Config is a user's changes to the rules: the [gate] section of memscribe.toml. The zero
// Config changes nothing.
//
// For example:
//
//	[gate]
//	disable = ["en.mod.also", "zh.*"]
//	lists = { stores = ["postgres", "sqlite"] }
//
//	[[gate.rules]]
//	id = "team.store"
//	category = "decision_verb"
//	tier = "strong"
//	patterns = ["we_keep|we_stay with {stores}"]
//	must = ["we stay with Postgres"]
//	must_not = ["why do we stay?"]
type Config struct {
	// Disable removes rules by id. An id that ends in ".*" removes all rules
	// with this beginning: "zh.*".
	Disable []string `toml:"disable" json:"disable,omitempty"`
	// Lists are words for {name} in patterns. A list replaces a built-in one of its name.
	Lists map[string][]string `toml:"lists" json:"lists,omitempty"`
	Rules []RuleConfig        `toml:"rules" json:"rules,omitempty"`
}

// RuleConfig is a rule of the user's own, or a change to a built-in one.
type RuleConfig struct {
	// the id of a built-in rule changes that rule; members that are left out stay
	ID string `toml:"id" json:"id"`
	// Category of its markers: decision_verb, rejection, ban, imperative, memory,
	// confirmation or action_request.
	Category string `toml:"category" json:"category,omitempty"`
	Tier     string `toml:"tier" json:"tier,omitempty"` // cue, hint or strong; default hint
	// gives its weight; a strong rule without one decides by itself
	Family string `toml:"family" json:"family,omitempty"`
	Lang   string `toml:"lang" json:"lang,omitempty"` // used in statistics only

	Patterns []string `toml:"patterns" json:"patterns,omitempty"`
	Must     []string `toml:"must" json:"must,omitempty"`         // turns that it must mark
	MustNot  []string `toml:"must_not" json:"must_not,omitempty"` // turns that it must not mark
}

// Configured compiles the standard tables with the user's changes, and runs the user's rules
// over their examples. An error names the rule that is wrong, and why.
//
// An example that fails is an error: a rule that does not do what its examples say must not
// be used silently.
func Configured(standard []Table, c Config) (*Rules, error) {
	own, err := c.tables(standard)
	if err != nil {
		return nil, err
	}
	r, err := New(standard, own...)
	if err != nil {
		return nil, err
	}
	for _, rule := range c.Rules {
		if err := r.checkOwn(rule.ID); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// tables returns the user's tables, one for each language.
//
// The first table has the user's lists and the disabled rules.
func (c *Config) tables(standard []Table) ([]Table, error) {
	built := map[string]Rule{}
	langs := map[string]string{}
	for _, t := range standard {
		for _, rule := range t.Rules {
			built[rule.ID], langs[rule.ID] = rule, t.Lang
		}
	}
	tables := []Table{{Lists: c.Lists}}
	seen := map[string]bool{}
	for i := range c.Rules {
		rc := &c.Rules[i]
		if seen[rc.ID] {
			return nil, fmt.Errorf("rule %q: stands twice", rc.ID)
		}
		seen[rc.ID] = true
		base, known := built[rc.ID]
		rule, err := rc.over(base, known)
		if err != nil {
			return nil, fmt.Errorf("rule %q: %w", rc.ID, err)
		}
		lang := rc.Lang
		if lang == "" {
			lang = langs[rc.ID]
		}
		tables = place(tables, lang, rule)
	}
	off, err := disabled(c.Disable, standard)
	if err != nil {
		return nil, err
	}
	for _, id := range off {
		if seen[id] {
			return nil, fmt.Errorf("rule %q: both changed and disabled", id)
		}
		tables[0].Rules = append(tables[0].Rules, Rule{ID: id})
	}
	return tables, nil
}

// place adds a rule to the table of its language, which it creates if there is none.
func place(tables []Table, lang string, rule Rule) []Table {
	at := slices.IndexFunc(tables, func(t Table) bool { return t.Lang == lang })
	if at < 0 {
		at, tables = len(tables), append(tables, Table{Lang: lang})
	}
	tables[at].Rules = append(tables[at].Rules, rule)
	return tables
}

// over returns the user's rule. Members that it leaves out are taken from base, the rule that
// it changes.
func (c *RuleConfig) over(base Rule, known bool) (Rule, error) {
	rule := base
	rule.ID = c.ID
	if c.Category != "" {
		rule.Category = core.Category(c.Category)
	}
	switch {
	case c.Tier != "":
		tier, ok := tierNamed(c.Tier)
		if !ok {
			return rule, fmt.Errorf("no tier %q: it is cue, hint or strong", c.Tier)
		}
		rule.Tier = tier
	case !known:
		rule.Tier = Hint
	}
	if c.Family != "" {
		f, ok := FamilyNamed(c.Family)
		if !ok {
			return rule, fmt.Errorf("no family %q", c.Family)
		}
		rule.Family = f
	}
	if len(c.Patterns) > 0 {
		rule.Patterns = c.Patterns
		rule.Must, rule.MustNot = nil, nil // they belong to the replaced patterns
	}
	if len(c.Must)+len(c.MustNot) > 0 {
		rule.Must, rule.MustNot = c.Must, c.MustNot
	}
	if len(rule.Patterns) == 0 {
		return rule, errors.New("no pattern, and no built-in rule of this id")
	}
	return rule, nil
}

// tierNamed returns the tier with a name in the settings.
func tierNamed(s string) (Tier, bool) {
	for _, t := range []Tier{Cue, Hint, Strong} {
		if t.String() == s {
			return t, true
		}
	}
	return Cue, false
}

// disabled returns the ids of the rules that the user disables.
func disabled(wanted []string, standard []Table) ([]string, error) {
	var ids []string
	for _, w := range wanted {
		prefix, many := strings.CutSuffix(w, "*")
		found := false
		for _, t := range standard {
			for _, rule := range t.Rules {
				if rule.ID == w || many && strings.HasSuffix(prefix, ".") && strings.HasPrefix(rule.ID, prefix) {
					found = true
					ids = append(ids, rule.ID)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("disable %q: no such rule", w)
		}
	}
	return ids, nil
}

// checkOwn runs the rule of an id over its examples.
func (r *Rules) checkOwn(id string) error {
	at := slices.IndexFunc(r.rules, func(rule Rule) bool { return rule.ID == id })
	if at < 0 {
		return nil
	}
	mine := func(h Hit) bool { return h.Rule == at }
	for _, text := range r.rules[at].Must {
		if !r.fires(text, mine) {
			return fmt.Errorf("rule %q: does not mark %q", id, text)
		}
	}
	for _, text := range r.rules[at].MustNot {
		if r.fires(text, mine) {
			return fmt.Errorf("rule %q: marks %q", id, text)
		}
	}
	return nil
}
