package naming

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/score"
)

// words puts the words of a candidate into a bag, and those on either side of it in its sentence:
// two before, and two behind.
//
//	please use Redis instead     "has redis", "behind use", "before instead"
func (c *Candidate) words(b *score.Bag, mark string) {
	first, last := "", ""
	for at := 0; ; {
		w, end := wordAfter(c.low, at)
		if w == edge {
			break
		}
		if first == "" {
			first = w
		}
		last, at = w, end
		b.Add("has ", w, mark)
	}
	b.Add("begins with ", first, mark)
	b.Add("ends with ", last, mark)
	if c.sentence == "" {
		return
	}
	before, from := wordBefore(c.sentence, c.at)
	further, _ := wordBefore(c.sentence, from)
	behind, end := wordAfter(c.sentence, c.at+len(c.Text))
	next, _ := wordAfter(c.sentence, end)
	b.Add("behind ", before, mark)
	b.Add("behind ", further, " ", before, mark)
	b.Add("behind ", further, " and one", mark)
	b.Add("before ", behind, mark)
	b.Add("before ", behind, " ", next, mark)
	b.Add("between ", before, " ", behind, mark)
}

const (
	// edge stands for the end of a line, or of the sentence.
	edge = "|"
	// numeral stands for all words with a digit.
	numeral = "<n>"
)

// wordAfter returns the word of a text in lower case that stands at or behind a byte, and where it
// ends: what stands between blanks and marks, one character of a script without blanks, or one
// mark. It is edge if there is none on the line.
func wordAfter(low string, at int) (word string, end int) {
	for at < len(low) && (low[at] == ' ' || low[at] == '\t') {
		at++
	}
	if at >= len(low) || low[at] == '\n' || low[at] == '\r' {
		return edge, at
	}
	end = at
	for end < len(low) {
		r, size := utf8.DecodeRuneInString(low[end:])
		if !spelled(r) {
			break
		}
		end += size
	}
	for end > at && joins(low[end-1]) {
		end--
	}
	if end == at {
		_, size := utf8.DecodeRuneInString(low[at:])
		end += size
	}
	return counted(low[at:end]), end
}

// wordBefore returns the word that ends at or before a byte, and where it begins.
func wordBefore(low string, at int) (word string, start int) {
	for at > 0 && (low[at-1] == ' ' || low[at-1] == '\t') {
		at--
	}
	if at == 0 || low[at-1] == '\n' || low[at-1] == '\r' {
		return edge, at
	}
	start = at
	for start > 0 && !joins(low[at-1]) {
		r, size := utf8.DecodeLastRuneInString(low[:start])
		if !spelled(r) {
			break
		}
		start -= size
	}
	if start == at {
		_, size := utf8.DecodeLastRuneInString(low[:at])
		start -= size
	}
	return counted(low[start:at]), start
}

// counted returns a word, or what stands for it if it has a digit.
func counted(w string) string {
	if strings.ContainsAny(w, "0123456789") {
		return numeral
	}
	return w
}

// spelled reports whether a character stands within words.
func spelled(r rune) bool {
	return letter(r) || unicode.IsDigit(r) || r == '_' || r < utf8.RuneSelf && joins(byte(r))
}

// joins reports whether a mark stands within words, but does not end them.
func joins(c byte) bool { return c == '.' || c == '-' || c == '\'' }
