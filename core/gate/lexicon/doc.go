// Package lexicon has the words by which people decide, forbid, ask for work and assent, as
// tables of rules for package gate: English in full, the core markers of Chinese, Japanese,
// German, French, Spanish and Portuguese, the words of assent of Russian, Korean and Italian.
package lexicon
