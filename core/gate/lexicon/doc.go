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
//
// The other languages are text, a rule a line. One of Chinese, its columns parted by tabs, read
// from left to right:
//
//	zh.change                 id: language and what is special
//	act.change                family: it weighs what "change … to" weighs in English
//	decision_verb             category of the marker; "-" is none
//	hint                      tier: strong, hint or cue
//	改成|改为|换成              patterns; " ; " stands between two
//	把标题改成红色               a sentence that it must match: "change the title to red"
//	改了什么                    one that it must not: "what was changed?"
//
// Package gate explains the patterns. A table without a rule for something says nothing of it:
// what no rule finds is weighed by its n-grams alone.
package lexicon
