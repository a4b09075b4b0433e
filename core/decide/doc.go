// Package decide judges what a person's turn decides.
//
// [Turn] is a pure function of the turn and of the assistant's message before
// it. It answers whether something was decided, in which sentence, between
// which options, and shows by which markers it knows.
//
// How it judges:
//
//	turn ─ prose ─ sentences ─ clauses, one per act ─ features ─ weights ─ score
//
// An act is a verb by which work is set or something is laid down: "use",
// "make", "should", "don't". What else the rules find in its clause counts for
// it: a place, a colour, "instead of", a quoted name. Every finding is a
// [Feature] with a weight, the weights add up to log odds, and the best clause
// speaks for its sentence. A short answer is judged by what it answers as well.
// The weights are learnt from labelled turns by testkit/labels/weigh and frozen
// in weights.go; [Weights.Explain] shows them at work.
//
// The cost is linear in what the person typed, of which no more than
// [prose.MaxOwn] bytes are read; of the assistant's message, the last 2 KiB.
package decide

//go:generate go run ../../testkit/labels/weigh -out weights.go ../../../shared/labels/labels.jsonl ../../../shared/labels/hard.jsonl
