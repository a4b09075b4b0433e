package redact

import (
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// Assignments: a name that promises a secret, something that assigns, a value.
// Languages, configuration formats and quotings differ mostly in what stands
// between the two, so that is read here, for all of them at once.

// link is how a name leads to a value.
type link uint8

const (
	noLink   link = iota
	equals        // =, :=, =>, ?=, ->, +=
	colon         // :
	compared      // ==, !=
	argument      // a comma
	call          // an opening parenthesis
	element       // <name>value
	spaced        // only space: a flag, an environment line, a table
	spoken        // "is", "to"
	fallback      // an expression that ends in a literal
)

// assigned is what an assignment leads to.
type assigned struct {
	link  link
	value int // offset in the view of the value, behind what opens it
	quote byte
	tight bool // no space on either side
	// capitals says that the name is written as those of environment variables
	// are.
	capitals bool
	flag     bool // the name is an option of a command
	bare     bool // the name is one that also means something else
	header   bool // it looks like a header of HTTP
}

// Limits on what may stand between name and value.
const (
	maxTail  = 24 // of a name behind the word that matters
	maxSpace = 48
)

// tail skips what may stand between the name of a service and what assigns.
func (e *Engine) tail(at int) int {
	text := e.view.Text
	for n := 0; n < maxTail && at < len(text); n++ {
		c := text[at]
		if !ascii.IsWord(c) && c != '.' && c != '-' && c != ' ' && c != '\t' {
			break
		}
		at++
	}
	return at
}

// assigned reads what follows a name that ends at an offset.
func (e *Engine) assigned(at int) assigned {
	text := e.view.Text
	i := skipClosers(text, at)
	j := skipSpace(text, i, false)
	a := assigned{tight: i == j}
	if j == len(text) {
		return a
	}
	k, l := readLink(text, j)
	if l == noLink {
		k, l = e.loose(i, j)
	}
	if l == colon || l == equals && j > i {
		if t := skipType(text, k); t > 0 {
			k, l = t, equals
		}
	}
	if l == noLink {
		return a
	}
	v := skipSpace(text, k, l != equals && l != spaced)
	a.tight = a.tight && v == k
	a.link = l
	return a.open(text, v)
}

// skipClosers skips what may close a name: quotes, brackets, emphasis.
func skipClosers(text []byte, at int) int {
	for n := 0; n < 4 && at < len(text); n++ {
		switch text[at] {
		case '"', '\'', '`', ']', ')', '}', '*', '?', '!':
			at++
		case '[': // an array of a fixed size
			i := at + 1
			for i < len(text) && i-at < 8 && ascii.IsDigit(text[i]) {
				i++
			}
			if i == len(text) || text[i] != ']' {
				return at
			}
			at = i + 1
		default:
			return at
		}
	}
	return at
}

func skipSpace(text []byte, at int, lines bool) int {
	for n := 0; n < maxSpace && at < len(text); n++ {
		c := text[at]
		if c != ' ' && c != '\t' && (!lines || c != '\n' && c != '\r') {
			break
		}
		at++
	}
	return at
}

// readLink reads an operator; it returns where it ends.
func readLink(text []byte, at int) (int, link) {
	i := at
	for i < len(text) && i-at < 4 && isOperator(text[i]) {
		i++
	}
	switch op := string(text[at:i]); op {
	case "=", ":=", "::=", ":::=", "?=", "+=", ".=", "=>", "->", "<-", "|=", "||=", "??=", "&=", "~=", ":-", "=:", "<<":
		return i, equals
	case ":", "::":
		return i, colon
	case "==", "===", "!=", "!==":
		return i, compared
	case "||", "??":
		return i, equals
	case ">":
		return i, element
	}
	if i == at {
		switch {
		case text[at] == ',':
			return at + 1, argument
		case text[at] == '(':
			return at + 1, call
		case text[at] == '%' && at+2 < len(text) && text[at+1] == '3' && ascii.Lower(text[at+2]) == 'd':
			return at + 3, equals
		}
		return at, noLink
	}
	// What follows the operator may look like a part of it.
	switch text[at] {
	case '=':
		return at + 1, equals
	case ':':
		return at + 1, colon
	}
	return at, noLink
}

func isOperator(c byte) bool {
	switch c {
	case '=', ':', '>', '<', '?', '+', '.', '|', '-', '!', '&', '~':
		return true
	}
	return false
}

// loose reads a link that is no operator: what closes the name ended at i, space
// at j.
func (e *Engine) loose(i, j int) (int, link) {
	text := e.view.Text
	if j == i {
		return j, noLink
	}
	for _, w := range [...]string{"is ", "to ", "was ", "is: ", "as "} {
		if j+len(w) <= len(text) && looks.EqualFold(text[j:j+len(w)], w) {
			return j + len(w), spoken
		}
	}
	return j, spaced
}

// typeWords are types that may stand between a name and the operator.
const typeWords = "string str &str &'static char text any varchar secretstr securestring object final const"

// skipType skips the type of a declaration and its operator, and returns where
// that ends, or 0 where there is none.
func skipType(text []byte, at int) int {
	i := skipSpace(text, at, false)
	from := i
	for i < len(text) && i-from < 16 && (ascii.IsWord(text[i]) || text[i] == '&' || text[i] == '\'') {
		i++
	}
	if i == from || !isOneOf(text[from:i], typeWords) {
		return 0
	}
	for i < len(text) && (text[i] == '?' || text[i] == '>' || text[i] == ']' || text[i] == '[') {
		i++
	}
	i = skipSpace(text, i, false)
	if i+1 >= len(text) || text[i] != '=' || text[i+1] == '=' {
		return 0
	}
	return i + 1
}

// isOneOf reports whether v is one of the words of a list in lower case.
func isOneOf(v []byte, words string) bool {
	for words != "" {
		var w string
		if w, words = looks.CutWord(words); looks.EqualFold(v, w) {
			return true
		}
	}
	return false
}

// open skips what opens a value: a string's prefix, its quotes, a wrapper.
func (a assigned) open(text []byte, at int) assigned {
	a.value = at
	i := at
	for n := 0; n < 2 && i < len(text) && isStringPrefix(text[i]); n++ {
		i++
	}
	if i < len(text) && ascii.IsQuote(text[i]) {
		a.quote = text[i]
		n := 1
		for n < 3 && i+n < len(text) && text[i+n] == a.quote {
			n++
		}
		if n == 2 { // an empty string
			return assigned{}
		}
		a.value = i + n
		return a
	}
	return a.wrapped(text, at)
}

func isStringPrefix(c byte) bool {
	switch c {
	case 'r', 'b', 'f', 'u', 'R', 'B', 'F', 'U', 'L', '@', '$':
		return true
	}
	return false
}

// maxWrapper bounds a call around a literal, such as SecretStr("…").
const maxWrapper = 32

// wrapped looks through brackets and calls around a quoted value.
func (a assigned) wrapped(text []byte, at int) assigned {
	i := at
	for i < len(text) && i-at < maxWrapper && (ascii.IsWord(text[i]) || text[i] == '.' || text[i] == ':' || text[i] == ' ') {
		i++
	}
	from := i
	for i < len(text) && i-from < 3 && (text[i] == '(' || text[i] == '[' || text[i] == '{' || text[i] == '&') {
		i++
	}
	if i == from {
		return a
	}
	i = skipSpace(text, i, true)
	if i < len(text) && isStringPrefix(text[i]) {
		i++
	}
	if i < len(text) && ascii.IsQuote(text[i]) {
		a.quote = text[i]
		a.value = i + 1
	}
	return a
}

// The rules that assignments are reported under, by what the name promises.
const (
	ruleAssignedKey      = "assigned-key"
	ruleAssignedToken    = "assigned-token"
	ruleAssignedSecret   = "assigned-secret"
	ruleAssignedPassword = "assigned-password"
)
