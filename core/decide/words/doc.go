// Package words holds the vocabulary of decisions: the [Group] of an act, the words
// that are never part of a name ([Function]) and the words that precede one
// ([Article]). All of them are written in lower case.
package words
