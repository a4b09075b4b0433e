// Package reading analyses a person's turn before it is judged: its clauses, what
// each clause does, and what the turn answers.
//
//	turn      Yes, and never log the token.   (before it: "Shall I add a logger?")
//	answer    assents to an errand, and sets work of its own
//	clause    never log the token             forbids; "token" is its object
//
// A [Reading] finds these by the rules of [gate]. What it finds becomes a [Feature] each:
// a family of rules, or a form, and where it stands. [Reading.EvidenceOf] lists those of a
// sentence, [Reading.Answer] those of the turn as an answer. Their order and their names
// are part of the weights: a feature that is renamed is a feature that was never learnt.
//
// What is read of the message before is its end: 2,048 bytes, of these the last eight
// sentences, and those only if the turn's first words may be an answer. For the turn
// "Yes, and never log the token." the message gives
//
//	asks        true                        it ends in a question
//	Proposal    not Nothing                 "add" has something made
//	Span        "Shall I add a logger?"     what a decision would quote
//
// A turn of more than [maxChosen] words that does not open with assent is no answer,
// and the message before is not looked at: most turns are of that kind.
//
// Where to find what:
//
//	reading is made in    evidence.go, which lists the features of sentences
//	clause.go             clauses and what each does
//	answer.go             the message before: what it asks or proposes
//	pick.go               a choice from a list, by number, letter or place
//	feature.go            the names of features, which are part of the weights
package reading
