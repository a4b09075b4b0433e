package words

import (
	"strings"
	"unicode"
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

// Asks reports whether a text has a question mark.
func Asks(s string) bool { return strings.IndexByte(s, '?') >= 0 || strings.Contains(s, "？") }

// Lower returns a text in lower case, as the word lists are. A text that has no capitals is
// returned as it is, without a copy.
func Lower(s string) string {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				return lowered(s, i)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError || lower(r) != r {
			return lowered(s, i)
		}
		i += n
	}
	return s // like most words
}

// lowered returns a text in lower case whose first capital letter stands at an offset.
func lowered(s string, at int) string {
	var short [512]byte
	return string(AppendLower(append(short[:0], s[:at]...), s[at:]))
}

// AppendLower appends a text in lower case.
func AppendLower(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			b = append(b, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		b = utf8.AppendRune(b, lower(r))
		i += n
	}
	return b
}

// lower is [unicode.ToLower] for characters beyond ASCII. Punctuation, Chinese, Japanese and
// Korean have no case, and are spared the search in its tables.
func lower(c rune) rune {
	switch {
	case 0x2000 <= c && c < 0x2100, 0x2e80 <= c && c < 0xa640, 0xac00 <= c && c < 0xd7b0:
		return c
	}
	return unicode.ToLower(c)
}
