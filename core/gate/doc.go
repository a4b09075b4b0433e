// Package gate finds the markers in a turn, such as decision verbs, rejections and
// bans, with a table of rules.
//
// The table is data: every rule has an id, a family, a category, a tier, patterns, and
// examples that it must and must not match. [New] compiles tables into an immutable
// [Rules]; [Rules.Scan] runs them over a turn in one pass, and [Rules.Mark] returns the
// markers of what it found.
//
// A pattern is a row of terms, separated by blanks, that is matched against the tokens
// of one sentence:
//
//	use           a word, in any case; accents and apostrophes are not told apart
//	use|using     one of several; go_with is a phrase among them
//	{colour}      one of the words of a list of the table
//	@name         a token of a class: @name @code @num @quote @word @any
//	term?         may be missing
//	..  ..N       up to 6 (N) tokens of any kind, but no clause mark
//	^             the place where a clause's verb stands: at its beginning, or
//	              behind words that only lead to it ("please", "can you", "let's")
//	$             the end of the sentence, or a mark that ends a clause
//
// Scripts without blanks need no blanks: 不要 is matched as its two characters.
//
// An example. The rule en.use has the pattern "^ {use}", and en.instead-of has
// "instead_of". Over the turn
//
//	Please use UUIDs instead of counters.
//
// "please" leads to the verb, so a clause's verb may stand at "use": en.use fits there
// (hint, decision_verb). "instead of" fits en.instead-of (strong, decision_verb). Both
// are markers with their offset and text; what they weigh together is the business of
// package decide.
//
// Every pattern needs a word that is not optional. The words of all patterns are one
// vocabulary; a turn's tokens are looked up in it once, and a pattern is only tried
// where its own words stand. So the cost hardly depends on the size of the table. Gaps
// are tried from the shortest on and bounded by 20 tokens, so a pattern costs a bounded
// number of steps for each place where its words stand.
//
// What is not done: no stemming, no translation, no look over the end of a sentence.
package gate
