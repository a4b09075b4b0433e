package gate

import "github.com/memscribe/memscribe/core"

// Tier says what a hit of a rule means by itself.
type Tier uint8

// The tiers.
const (
	Cue    Tier = iota // evidence among other evidence, for or against; never a marker by itself
	Hint               // a sign of a decision or a request
	Strong             // a decision, unless other evidence is against it
)

// String returns the tier's name in the settings.
func (t Tier) String() string {
	switch t {
	case Strong:
		return "strong"
	case Hint:
		return "hint"
	default:
		return "cue"
	}
}

// Rule is one line of the table.
//
//	Rule{ID: "en.instead-of", Family: ModInsteadOf, Category: core.DecisionVerb, Tier: Strong,
//	    Patterns: []string{"instead_of", "rather_than"},
//	    Must:     []string{"use tabs instead of spaces"},
//	    MustNot:  []string{"I would rather wait"}}
type Rule struct {
	ID string
	// Family is the meaning of the rule and gives its weight. A rule without a family
	// gets the usual one of its category; if it is Strong too, it decides by itself.
	Family   Family
	Category core.Category // of its markers; "" gives none
	Tier     Tier
	Patterns []string // a rule without patterns removes the rule of its id
	Must     []string // turns that it must mark
	MustNot  []string // turns that it must not mark
}

// Table is a set of rules with the words they share, mostly of one language.
type Table struct {
	Lang string // ISO 639-1
	// Signs are very frequent words of the language. A table with signs is used for
	// turns that have more of them than of the first table's, or no signs at all. A
	// table without signs is always used.
	Signs []string
	Lists map[string][]string // for {name} in patterns
	// Leads are words and phrases that may precede the verb of a clause without changing
	// what it does, such as "please".
	Leads []string
	// Joins are words that always begin a new clause.
	Joins []string
	Rules []Rule
}

// familyOf returns the usual family of a category, and whether there is one.
func familyOf(c core.Category) (Family, bool) {
	switch c {
	case core.DecisionVerb:
		return ActDecided, true
	case core.Rejection:
		return ActDrop, true
	case core.Ban:
		return ActNever, true
	case core.Imperative:
		return ActShould, true
	case core.Memory:
		return ActAlways, true
	case core.Confirmation:
		return ActYes, true
	case core.ActionRequest:
		return ActBuild, true
	case core.StructuredChoice:
	}
	return NoFamily, false
}

// Shows returns the rule with an example that it must match and one that it must not; mustNot
// may be "".
func (r Rule) Shows(must, mustNot string) Rule {
	r.Must = []string{must}
	if mustNot != "" {
		r.MustNot = []string{mustNot}
	}
	return r
}
