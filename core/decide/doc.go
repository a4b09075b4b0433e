// Package decide judges whether a person's turn decides something, and what.
//
// It judges the exchange: the turn, the assistant's message before it, the beginning of the
// reply, and whether the agent made an edit. The reply matters because the agent has
// understood the turn, and shows it by its next sentence and its next call.
//
//	turn ── prose ── sentences ── clauses, one per act ──┐
//	message before ──────────────────────────────────────┼── features ── score
//	reply, edits ────────────────────────────────────────┘
//
// Features are n-grams of the texts, the rules of [gate] that matched, and shapes: lengths,
// questions, lists, how many words of the turn the reply repeats. Their weights are learnt
// from labelled turns by testkit/labels/weigh and stored in weights.tsv; [Judge.Explain] shows
// which of them counted. One model weighs the exchange, another one each sentence. The
// weighted mean of both is a number of log odds, and a table turns it into the score: how many
// of 100 decisions with this evidence are right.
//
// The cost is linear in what is read: at most [prose.MaxOwn] bytes of the person's words, the
// last 2 KiB of the message before, and the first [MaxReply] bytes of the reply.
//
// Packages below this one read the texts; it makes features of what they find, and weighs them:
//
//	words     function words, and groups of acts
//	signs     what a message shows by pieces of words: an offer, an apology
//	reading   the clauses of a turn, and what it answers
//	options   alternatives that a sentence names, by rules
//	naming    alternatives that a sentence may name, as candidates for a model
//	forbid    plain forms of bans in ten languages
//	answer    answers that leave a question open
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
//	8  hopeless?  below -2 log odds no reply can help: the exchange is dropped
//	9  score      log odds → how many of 100 are right, by a table
//	10 reply      + Σ reply, then again with the edits: 7 and 9 again with each piece
//	11 epitome    the best sentence and neighbours that weigh enough, or what it answers;
//	              options, kind, ban or not, whether it outlives its task
//
// All arithmetic is in whole numbers (thousandths of log odds), so that every machine
// gives the same score. The order in which features are collected makes no difference.
//
// A [Judge] keeps nothing of an exchange. What is needed for judging the reply is in [Asked],
// which has no texts; the caller passes the turn and the message before it again if the reply
// makes the turn a decision.
package decide

//go:generate go run ../../testkit/labels/weigh -out weights.tsv ../../../shared/labels/more.jsonl ../../../shared/labels/labels.jsonl ../../../shared/labels/hard.jsonl
