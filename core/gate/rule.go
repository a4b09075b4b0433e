package gate

import "github.com/memscribe/memscribe/core"

// Tier says how far a hit of a rule goes by itself.
type Tier uint8

// The tiers.
const (
	Cue    Tier = iota // evidence among other evidence, for or against; never a marker by itself
	Hint               // speaks for a decision or a request
	Strong             // decides, unless something speaks against it
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
	// Family is what the rule means, whatever the language: rules of one family
	// weigh the same. A rule without one takes the family that its category
	// mostly has; if it is Strong as well, it decides.
	Family   Family
	Category core.Category // of its markers; "" gives none
	Tier     Tier
	Patterns []string // without any, the rule takes one of the same id out of the table
	Must     []string // turns that it must mark
	MustNot  []string // turns that it must not mark
}

// Table is a set of rules with the words they share, mostly of one language.
type Table struct {
	Lang string // ISO 639-1
	// Signs are words that hardly a text of the language goes without. A table
	// with signs is used for turns that have more of them than of the first
	// table's, or none of those; a table without any is used always.
	Signs []string
	Lists map[string][]string // for {name} in patterns
	// Leads are words and phrases that may stand before the verb of a clause and
	// say nothing about what it does.
	Leads []string
	// Joins are words that begin a new clause wherever they stand.
	Joins []string
	Rules []Rule
}

// familyOf returns the family of a rule that names none.
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

// Shows returns the rule with an example that it must match, and one, if there is any, that
// it must not.
func (r Rule) Shows(must, mustNot string) Rule {
	r.Must = []string{must}
	if mustNot != "" {
		r.MustNot = []string{mustNot}
	}
	return r
}
