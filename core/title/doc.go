// Package title makes the title of a decision, so that it can be understood without
// its context.
//
// The words that decide are often unclear alone: a question without its answer, a "yes"
// without the proposal, "option 2" without the list. A title joins them with the words that
// they answer, accept, pick or point at. Each part is copied from the person's turn or from
// the assistant's message before it, and the parts are joined by a small set of signs.
// Nothing else is added.
//
//	answer      Which store? → Postgres (not: MySQL, SQLite)
//	acceptance  I'll move the cache to Redis. Shall I proceed? → yes, do that
//	pick        Cursor pagination (not: Offset pagination)
//	pointer     Never do that again [I force-pushed to main.]
//	statement   Use cursor pagination rather than offset.
//
// A part that is too long is cut at the edge of a sentence or a clause, and "…" shows where
// words were left out. Rules find what a pointer means: the list that the label belongs to,
// the sentence before, or the last thing that the assistant says it did or would do.
//
// At most 4 KiB on either side of the decision are read, and the last 4 KiB of the message
// before. The work is linear in what is read.
//
// How [Of] chooses. The first line that applies decides:
//
//	a tool's question is in Before       answer       question → chosen (not: others)
//	the decision answers a tool              reason       words, or plan → words
//	the epitome is the assistant's           acceptance   proposal → the person's first words
//	the turn answers a numbered question     reply        question → answer
//	the turn picks by number, letter, place  pick         question → option, or words [option]
//	else                                     statement    words, with what they answer or point at
//
// Every part is a span of one of the two texts, so a title can be checked against its
// source. All limits are in characters (runes), all offsets in bytes.
//
// Where to find what:
//
//	title.go    Of, and the form for each kind of answer
//	speech.go   a text cut into sentences, and what a sentence points at
//	list.go     lists with labels, and how a person picks from one
//	cut.go      shortening at the edge of a sentence or a clause
//	words.go    lists of words, as switch statements
package title
