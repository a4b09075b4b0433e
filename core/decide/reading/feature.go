package reading

import (
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
)

// Feature is one piece of evidence in a sentence: a family of rules that fired,
// or a shape, together with where it stands.
type Feature uint16

// item is a family, or a shape.
type item uint16

// slot says where an item stands.
type slot uint16

const slots = 12

// The slots. Those of the groups tell what the clause does in which the item
// stands.
const (
	anywhere slot = iota // in the clause
	inNone               // in a clause without an act
	inQuestion
	inSet
	inBuild
	inChore
	inModal
	inWant
	inNeg
	inAssent
	object // right behind the act
	before // in front of the sentence's first act
)

// shape is an item that no rule gives.
const (
	bias item = item(gate.Families) + iota
	does
	hasNumber
	hasHex
	hasCode
	hasPath
	hasQuote
	asks
	asksFor // asks for something to be done
	len1    // words of the clause: 1, 2, up to 4, 6, 9, 13, 20, and more
	len2
	len4
	len6
	len9
	len13
	len20
	lenMany
	turnSingle // the turn has one sentence, up to three, more
	turnFew
	turnMany
	turnPasted  // most of the turn is not the person's own
	turnAsks    // another sentence asks
	turnReports // another sentence reports
	turnSet     // another sentence changes, orders chores, says how it should be, forbids
	turnChore
	turnModal
	turnNeg
	isItem
	isCommand
	// assents to a message that proposes nothing, something unclear, a chore, something technical
	answerToNothing
	answerToUnclear
	answerToChore
	answerToTech
	answerAccepts // names the proposal
	answerAndWork // and sets work of its own
	answerAndChore
	answerWeak // by a word that often only opens a sentence
	answerDoubts
	answerAsks
	answer3 // the turn has up to 3, 8, 20, more words
	answer8
	answer20
	answerLong
	short // a few words after a question
	shortChoice
	shortPick
	shortNumbered
	shortEcho
	shortOverlap // says again what a question put up
	items
)

// feature numbers an item in a slot. The numbers are used within a run only; weights are
// filed under names.
func feature(i item, s slot) Feature { return Feature(uint16(i)*slots + uint16(s)) }

// Features is the number of features there may be.
const Features = int(items) * slots

// String names a feature: the item, and where it stands.
func (f Feature) String() string {
	name := itemName(item(uint16(f) / slots))
	switch s := slot(uint16(f) % slots); s {
	case anywhere:
		return name
	case object:
		return name + " as object"
	case before:
		return name + " before"
	default:
		return name + " in " + slotNames()[s]
	}
}

// slotOf returns where an item stands that a clause of the group says.
func slotOf(g words.Group) slot { return inNone + slot(g) }

// slotNames returns the slots as explanations call them, by number. The first, 0, is for features that
// have no slot.
func slotNames() [slots]string {
	return [slots]string{"", "none", "question", "set", "build", "chore", "modal", "want", "neg", "assent", "object", "before"}
}

// itemName returns the name of a feature in weights.tsv.
func itemName(i item) string {
	if i < item(gate.Families) {
		return gate.Family(i).String()
	}
	names := [...]string{
		"bias", "does", "has.number", "has.hex", "has.code", "has.path", "has.quote", "asks", "asks.for", "len.1", "len.2", "len.4", "len.6", "len.9",
		"len.13", "len.20", "len.many", "turn.single", "turn.few", "turn.many", "turn.pasted", "turn.asks", "turn.reports", "turn.set",
		"turn.chore", "turn.modal", "turn.neg", "is.item", "is.command", "answer.to-nothing", "answer.to-unclear", "answer.to-chore",
		"answer.to-tech", "answer.accepts", "answer.and-work", "answer.and-chore", "answer.weak", "answer.doubts", "answer.asks",
		"answer.3", "answer.8", "answer.20", "answer.long", "short", "short.choice", "short.pick", "short.numbered", "short.echo", "short.overlap",
	}
	return names[i-bias]
}
