package assign

import (
	"bytes"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
)

// Items are the elements of a list, or the members of an object, that is assigned to a name.
// The zero Items has none. Elements are read one by one, from left to right:
//
//	passwords: ["a", "b"]     quoted elements in brackets
//	API_KEYS=a,b              open and bare: no brackets, no quotes
//	passwords:                lines of YAML
//	  - a
//	  - b
//	{"bob": "a", "eve": "b"}  keyed: the name of each member is skipped
type Items struct {
	text  []byte
	at    int
	lines bool // each is a line of YAML
	Keyed bool // they may have names of their own
	bare  bool // they need no quotes
	open  bool // they have no brackets
}

// List reads what follows a name that ends at an offset; ok is false if it is no list. A
// list without brackets is one only if [Items.IsOpen] is allowed for by the caller.
func List(text []byte, end int) (items Items, ok bool) {
	i := SkipClosers(text, end)
	j := SkipSpace(text, i, false)
	if j == len(text) || text[j] >= utf8.RuneSelf { // an arrow leads to no list
		return Items{}, false
	}
	k, l := readLink(text, j)
	if l == Colon || l == Equals {
		if t := skipType(text, k); t > 0 {
			k = t
		}
	} else if l != Element {
		return Items{}, false
	}
	items = Items{text: text, bare: l == Colon}
	if v := SkipSpace(text, k, false); l == Colon {
		if next, indented := NextLine(text, v); next >= 0 && (isItem(text[next:]) || indented) {
			items.at, items.lines = next, true
			return items, true
		}
	}
	v := SkipSpace(text, k, l != Equals)
	items.at = opened(text, v)
	if items.at < 0 && l == Equals && v == k && j == end && v < len(text) && ascii.IsAlnum(text[v]) {
		items.at, items.bare, items.open = v, true, true // A=x,y
	}
	return items, items.at >= 0
}

// isItem reports whether a line is an item of a list in YAML, and not a line that a diff removes
// (which has two blanks or more behind its minus, as a rule).
func isItem(line []byte) bool {
	return len(line) > 2 && line[0] == '-' && line[1] == ' ' && line[2] != ' '
}

// IsOpen reports whether the elements have no brackets: then only a name in the plural says that
// they are some.
func (s *Items) IsOpen() bool { return s.open }

// opened is where the first element of a list begins, which may be the argument of a call or
// have a type; -1 if there is no bracket.
func opened(text []byte, at int) int {
	for i := at; i < len(text) && i-at < maxWrapper; i++ {
		switch c := text[i]; {
		case c == '[' && i+1 < len(text) && text[i+1] == ']':
			i++
		case c == '[' || c == '{' || c == '(':
			return SkipLines(text, i+1)
		case !ascii.IsWord(c) && c != ' ' && c != '.' && c != '!' && c != '&' && c != '*':
			return -1
		}
	}
	return -1
}

// Next returns the next element: where its value begins, its quote, and where it ends. ok is
// false if there is none, or if what follows is no element: then the list is over.
func (s *Items) Next() (v Value, end int, ok bool) {
	if s.at < 0 || s.at >= len(s.text) {
		return Value{}, 0, false
	}
	if s.lines {
		return s.line()
	}
	for {
		i := SkipLines(s.text, s.at)
		v, end = s.value(i)
		if end < 0 {
			return Value{}, 0, false
		}
		next := end
		if v.Quote != 0 {
			next++
		}
		if next = SkipLines(s.text, next); next < len(s.text) && s.text[next] == ':' {
			if s.at = next + 1; s.Keyed {
				continue
			}
			return Value{}, 0, false
		}
		s.at = -1
		if next < len(s.text) && s.text[next] == ',' {
			s.at = next + 1
		}
		return v, end, true
	}
}

// line reads an element that is a line of YAML: "- X", or "name: X" if the elements are keyed. The
// list ends with the first line that is neither an item nor indented.
func (s *Items) line() (v Value, end int, ok bool) {
	i := s.at
	switch eol := bytes.IndexByte(s.text[i:min(len(s.text), i+maxLine)], '\n'); {
	case isItem(s.text[i:]):
		i = SkipSpace(s.text, i+1, false)
	case !s.Keyed:
		return Value{}, 0, false
	default:
		if eol < 0 {
			eol = min(len(s.text), i+maxLine) - i
		}
		k := bytes.Index(s.text[i:i+eol], []byte(": "))
		if k < 0 {
			return Value{}, 0, false
		}
		i = SkipSpace(s.text, i+k+2, false)
	}
	if v, end = s.value(i); end < 0 {
		return Value{}, 0, false
	}
	next := end
	if v.Quote != 0 {
		next++
	}
	var indented bool
	if s.at, indented = NextLine(s.text, SkipSpace(s.text, next, false)); s.at >= 0 && !isItem(s.text[s.at:]) && !indented {
		s.at = -1
	}
	return v, end, true
}

// maxLine bounds the lines that are elements.
const maxLine = 512

// value reads the value at an offset; end is -1 if there is none, or if a quote is not closed
// on its line.
func (s *Items) value(i int) (v Value, end int) {
	if i >= len(s.text) {
		return Value{}, -1
	}
	v = Value{Link: Listed, At: i}
	if ascii.IsQuote(s.text[i]) {
		v.At, v.Quote = i+1, s.text[i]
		n := bytes.IndexByte(s.text[i+1:min(len(s.text), i+maxLine)], v.Quote)
		if n < 0 || bytes.IndexByte(s.text[i+1:i+1+n], '\n') >= 0 {
			return Value{}, -1
		}
		return v, i + 1 + n
	}
	if !s.bare {
		return Value{}, -1
	}
	for end = i; end < len(s.text) && end-i < maxLine && !EndsValue(s.text[end]) && s.text[end] != ':'; end++ {
	}
	if end == i {
		return Value{}, -1
	}
	return v, end
}
