package gate

import (
	"strings"

	"github.com/memscribe/memscribe/core/prose"
)

// classes is a set of token classes.
type classes uint8

const (
	isWord  classes = 1 << iota
	isNum           // figures
	isCode          // identifiers, file names, paths, links, code spans
	isQuote         // a quoted phrase
	isName          // code, a quoted phrase, or a capitalised word that does not begin the sentence
	isAny           // everything but punctuation
)

// classNamed returns the class of a name that a pattern has after "@".
func classNamed(s string) (classes, bool) {
	switch s {
	case "word":
		return isWord, true
	case "num":
		return isNum, true
	case "code":
		return isCode, true
	case "quote":
		return isQuote, true
	case "name":
		return isName, true
	case "any":
		return isAny, true
	}
	return 0, false
}

// class returns the classes of the token at an index.
//
// A capitalised word is a name unless it begins the sentence, where every word is capitalised.
func (m *matcher) class(at int) classes {
	t := m.turn.Tokens[at]
	switch t.Kind {
	case prose.Word:
		c := isWord | isAny
		if ch := m.turn.Text[t.Start]; 'A' <= ch && ch <= 'Z' && at > m.first && t.End-t.Start > 1 {
			c |= isName
		}
		return c
	case prose.Number:
		return isNum | isAny
	case prose.Code, prose.Path, prose.Link:
		return isCode | isName | isAny
	case prose.Quote:
		return isQuote | isName | isAny
	case prose.Glyph:
		return isWord | isAny
	default:
		return 0
	}
}

// describes reports whether a hit of "never" describes something and forbids nothing: "the
// worker never writes".
func (m *matcher) describes(h Hit) bool {
	word := func(k int) string { return strings.ToLower(m.turn.Tokens[k].In(m.turn.Text)) }
	verb := word(h.Last - 1)
	return h.First > m.first && word(h.First) == "never" && len(verb) > 3 && strings.HasSuffix(verb, "s") && !strings.HasSuffix(verb, "ss")
}
