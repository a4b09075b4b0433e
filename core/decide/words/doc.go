// Package words knows the words and acts from which decisions are made up: the [Group] of
// an act, the words that no name contains ([Function]), and those that may stand before a
// name ([Article]). All of them are written in lower case.
package words
