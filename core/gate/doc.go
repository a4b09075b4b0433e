// Package gate finds the markers in a turn, such as decision verbs, rejections and
// bans, with a table of rules.
//
// The table is data: every rule has an id, a family, a category, a tier, patterns, and
// examples that it must and must not match. [New] compiles tables into an immutable
// [Rules]; [Rules.Scan] runs them over a turn in one pass, and [Rules.Mark] returns the
// markers of what it found.
//
// A pattern is a sequence of terms, separated by blanks, that is matched against consecutive
// tokens of one sentence:
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
// "please" may precede a verb, so the verb of a clause may be at "use", where en.use matches
// (hint, decision_verb). en.instead-of matches "instead of" (strong, decision_verb). Both
// become markers with their offset and text. Package decide weighs them.
//
// Every pattern needs a word that is not optional. Each token of a turn is looked up once in
// one vocabulary of all patterns, and a pattern is tried only where its rarest word is. The
// cost therefore hardly depends on the number of rules. A gap has at most 20 tokens and is
// tried from the shortest length on, so a pattern takes a bounded number of steps at each
// place.
//
// There is no stemming and no translation, and no pattern matches across sentences.
//
// Where to find what:
//
//	rule.go, family.go   Rule, Table, Tier, Family: what a table consists of
//	config.go            rules of the user's settings, and changes to built-in ones
//	class.go, fold.go    classes of tokens; words without accents and in lower case
//	compile.go           New: patterns become steps over numbered words
//	vocabulary.go        the number of a word, by one lookup
//	find.go, match.go    Scan: which rules match where
//	check.go             Check: every rule against its own examples
package gate
