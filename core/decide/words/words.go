package words

import (
	"strings"
	"unicode/utf8"
)

// Function reports whether a word in lower case is one that no name contains: "in",
// "because". A name ends in front of it.
func Function(w string) bool {
	switch w {
	case "in", "on", "at", "to", "from", "with", "by", "for", "when", "if", "so", "because", "since", "and", "but", "or", "that", "which", "where",
		"as", "instead", "rather", "please", "now", "then", "everywhere", "like", "than", "over", "while", "until", "unless", "into", "onto",
		"should", "must", "is", "are", "was", "will", "would", "can", "could", "we", "i", "you", "they", "it", "only", "after", "before",
		"inside", "under", "not", "there", "here", "too", "also", "again", "and/or", "favor", "favour", "throughout", "via", "up",
		"based", "called", "named", "containing", "using", "showing", "without", "within", "across", "along", "between", "about", "except",
		"yourself", "myself", "itself", "themselves", "ourselves", "anymore", "anyway", "pls", "thanks", "whenever", "once", "though", "does", "has",
		"have", "had", "who", "whose", "whether", "how", "what", "why", "don't", "dont", "isn't", "doesn't", "directly", "out", "off", "down", "use", "uses":
		return true
	}
	return false
}

// Article reports whether a word in lower case may stand before a name and is no part of
// it: "the", "our", "any".
func Article(w string) bool {
	switch w {
	case "be", "the", "a", "an", "our", "its", "your", "their", "my", "any", "some", "all", "every", "each", "just", "only", "using", "use", "new", "his",
		"having", "of", "this", "these", "those", "either", "both", "simply", "another":
		return true
	}
	return false
}

// IsHex reports whether a word is nothing but hexadecimal digits and #: "#ff0044".
func IsHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF#") == "" }

// Lower returns a text in lower case, in which the word lists are written.
func Lower(s string) string {
	for i := range len(s) {
		if c := s[i]; 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf {
			return strings.ToLower(s)
		}
	}
	return s // like most words
}
