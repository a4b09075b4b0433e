package words

import "github.com/memscribe/memscribe/core/gate"

// Group is what a clause does, coarsely. It decides how much details count.
type Group uint8

// The groups.
const (
	None     Group = iota // says something, or tells what is the case
	Question              // asks
	Set                   // changes, chooses, names, shows, drops something
	Build                 // makes or improves something
	Chore                 // has something run, checked, explained, committed
	Modal                 // says how something should be
	Want                  // says what is wanted or preferred
	Neg                   // forbids, rejects, finds needless
	Assent                // answers
	groups
)

// Directive reports whether clauses of the group ask for anything.
func (g Group) Directive() bool { return g > Question }

// GroupOf returns the group of an act; [None] for a family that is no act.
func GroupOf(f gate.Family) Group {
	switch f {
	case gate.ActMake, gate.ActChange, gate.ActMove, gate.ActUse, gate.ActReplace, gate.ActName, gate.ActShow, gate.ActDrop,
		gate.ActOrder, gate.ActAlways:
		return Set
	case gate.ActBuild, gate.ActUpdate, gate.ActEnsure:
		return Build
	case gate.ActFix, gate.ActCheck, gate.ActTell, gate.ActRun, gate.ActGit, gate.ActGoOn:
		return Chore
	case gate.ActShould, gate.ActWeShould, gate.ActCan, gate.ActWeDo:
		return Modal
	case gate.ActWant, gate.ActNeed, gate.ActPrefer, gate.ActDecided:
		return Want
	case gate.ActNever, gate.ActMustNot, gate.ActShouldNot, gate.ActDont, gate.ActDontWant, gate.ActDontLike, gate.ActDontNeed, gate.ActNoX:
		return Neg
	case gate.ActOption, gate.ActRevert, gate.ActReject, gate.ActYes, gate.ActAccept:
		return Assent
	default:
		return None
	}
}

// Outranks reports whether a clause that has acts of both groups counts as one of g: in "don't
// change the API" the group Neg outranks Set.
func (g Group) Outranks(o Group) bool { return rank(g) > rank(o) }

// rank orders the groups. In a clause with several acts the highest decides.
func rank(g Group) int {
	return int([groups]uint8{None: 0, Question: 0, Assent: 1, Want: 2, Modal: 3, Chore: 4, Build: 5, Set: 6, Neg: 7}[g])
}

// String names the group as the features do: "set", "neg".
func (g Group) String() string {
	return [groups]string{"none", "question", "set", "build", "chore", "modal", "want", "neg", "assent"}[g]
}
