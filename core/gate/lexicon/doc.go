// Package lexicon holds the rule tables for package gate: full tables for English,
// core markers and cues for Chinese, Japanese, Korean, Russian, German, French, Spanish, Portuguese
// and Italian.
//
// A table has rules and, for its language, the words that rules need: lists that
// patterns name as {colour}, leads that may stand before a verb, signs by which the
// language is known. Ids begin with the language, "en." or "de.", and end with the
// family or what is special.
//
// To add a rule, put it where its kind stands and give it sentences that it must and
// must not match; `go test ./core/gate/...` tries them all. What it weighs is learnt
// from labelled turns by its family, so a rule of a known family works at once.
//
//	en_acts.go     verbs that open a clause
//	en_stance.go   "should", "I want", decisions, bans
//	en_detail.go   what makes an act concrete
//	en_cues.go     questions, symptoms, praise, set phrases
//	langs*.go      the other languages
package lexicon
