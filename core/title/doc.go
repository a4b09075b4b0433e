// Package title makes the title of a decision, so that it can be understood without
// its context.
//
// The words that decide often say nothing alone: a question without its answer, a
// "yes" without the proposal, "option 2" without the list. A title puts beside them
// what they answer, accept, pick or point at. It invents nothing: each part stands in
// the person's turn or in the assistant's message before it, and only signs of a
// small set join them.
//
//	answer      Which store? → Postgres (not: MySQL, SQLite)
//	acceptance  I'll move the cache to Redis. Shall I proceed? → yes, do that
//	pick        Cursor pagination (not: Offset pagination)
//	pointer     Never do that again [I force-pushed to main.]
//	statement   Use cursor pagination rather than offset.
//
// A part that is too long ends, or begins, at the edge of a sentence or a clause, and
// "…" stands where words were left out. What a pointer means is looked for by rule: the
// list that the label belongs to, the sentence before, the last thing that the
// assistant says it did or would do.
//
// The work is linear in the turn; the sentences around the decision are read,
// and in the last 4 KiB of the message before.
//
// How [Of] chooses. The first line that applies decides:
//
//	a tool's question stands in Before       answer       question → chosen (not: others)
//	the decision answers a tool              the epitome  and what was not chosen
//	the epitome is the assistant's           acceptance   proposal → the person's first words
//	the turn answers a numbered question     reply        question → answer
//	the turn picks by number, letter, place  pick         question → option, or words [option]
//	else                                     statement    words, with what they answer or point at
//
// Every part is a span of one of the two texts, so a title can be checked against its
// source. All limits are in characters (runes), all offsets in bytes.
package title
