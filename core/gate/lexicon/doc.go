// Package lexicon holds the rule tables for package gate: full tables for English,
// core markers for Chinese, Japanese, German, French, Spanish and Portuguese, and
// words of assent for Russian, Korean and Italian.
package lexicon
