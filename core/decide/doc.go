// Package decide judges whether a person's turn decides something, and what.
//
// What is judged is the exchange: the turn, the assistant's message before it, the
// beginning of the reply, and whether the reply edited. Whoever did the work has
// understood the turn, and says so in the next sentence and by the next call.
//
//	turn ── prose ── sentences ── clauses, one per act ──┐
//	message before ──────────────────────────────────────┼── features ── score
//	reply, edits ────────────────────────────────────────┘
//
// Features are n-grams of what was said, the rules of [gate] that fired, and forms:
// lengths, questions, lists, how much of the turn the reply takes up. Their weights
// are learnt from labelled turns by testkit/labels/weigh and frozen in weights.tsv;
// [Judge.Explain] shows them at work. One model weighs the exchange, one its
// strongest sentence, which becomes the epitome. Their sum is log odds, and the score
// says how many of 100 decisions that are known like this one are right.
//
// The epitome is that sentence with the neighbours that weigh enough. Rules write down
// the rest: the options between which it chooses, whether it forbids, which kind it is. A short answer takes its words from
// what it answers.
//
// The cost is linear in what the person typed, of which no more than
// [prose.MaxOwn] bytes are read; of the assistant's message, the last 2 KiB; of the
// reply, the first [MaxReply] bytes.
//
// What the turn says is found out in three rooms below: words knows words and acts, options
// the alternatives of a sentence, reading the clauses and what the turn answers. This package
// makes features of it, weighs them, and says what is decided.
package decide

//go:generate go run ../../testkit/labels/weigh -out weights.tsv ../../../shared/labels/more.jsonl ../../../shared/labels/labels.jsonl ../../../shared/labels/hard.jsonl
