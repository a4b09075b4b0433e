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
// the rest: the options between which it chooses, whether it forbids, which kind it is.
// A short answer takes its words from what it answers.
//
// The cost is linear in what the person typed, of which no more than
// [prose.MaxOwn] bytes are read; of the assistant's message, the last 2 KiB; of the
// reply, the first [MaxReply] bytes.
//
// What the turn says is found out in four rooms below: words knows words and acts, options
// the alternatives of a sentence, forbid the forms of bans, reading the clauses and what the turn answers. This package
// makes features of it, weighs them, and says what is decided.
//
// A turn from its words to its score, with an exchange that decides:
//
//	before   "Sessions could go into Redis or Postgres."
//	turn     "Let's use Postgres instead of Redis for the sessions."
//	reply    "I'll add the table."             edits follow
//
//	1  prose      one sentence; nothing is pasted
//	2  gate       rules fire on "let's use" and "instead of"
//	3  reading    clauses, and whether the turn answers something
//	4  features   own words · message before · shapes · per sentence
//	5  weights    Σ own + Σ before + Σ shapes  = base       (kept in [Asked])
//	6             Σ of the best sentence       = best       (kept in [Asked])
//	7  Mix        base + best, each by its share
//	8  hopeless?  below -2 log odds no reply can help: the exchange is let go
//	9  score      log odds → how many of 100 are right, by a table
//	10 reply      + Σ reply, then again with the edits: 7 and 9 again with each piece
//	11 epitome    the best sentence and neighbours that weigh enough; options, kind
//
// All arithmetic is in whole numbers (thousandths of log odds), so that every machine
// gives the same score. The order in which features are collected makes no difference.
//
// A [Judge] keeps nothing of an exchange but what [Asked] holds: texts of turns are not
// kept, the message before is read from its end, and the caller brings both again if
// the reply makes the turn a decision.
package decide

//go:generate go run ../../testkit/labels/weigh -out weights.tsv ../../../shared/labels/more.jsonl ../../../shared/labels/labels.jsonl ../../../shared/labels/hard.jsonl
