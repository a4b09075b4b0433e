// Package assign parses assignments (a name, an operator, a value) and judges
// whether the value is the secret that the name suggests.
//
// Languages, configuration formats and quotings differ mostly in what stands between
// the two, so that is read here, for all of them at once. [Read] begins behind the name
// and says how it leads to a value, and where the value begins:
//
//	DB_PASSWORD=X                      Equals, tight
//	password: string = X               Equals: the type is skipped
//	"password": {"value": "X"}         Colon: the member is looked into
//	password: |                        Colon, below: a block of YAML
//	  X
//	if password == X                   Compared
//	["--password", "X"]                Argument
//	"name": "password", "value": "X"   Paired
//	password(X)                        Call
//	<password>X</password>             Element
//	--password X                       Spaced
//	the password is X                  Spoken
//
// Where a name has several values, [List] reads the elements behind it, [ColumnOf] the
// cells below it, and [Before] the value in front of it. [IsSecret] then judges one value:
// the looser the link, the more the value must look drawn.
//
// Every function takes the whole text and offsets into it, looks at a bounded stretch,
// allocates nothing, and returns -1 or a zero Value where it finds nothing.
package assign

import (
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// Link is how a name leads to a value.
type Link uint8

// The links. Which of them joins a name and a value decides how much the value must look like a
// secret: next to an operator a chosen password will do, in a sentence it must be drawn.
const (
	None     Link = iota
	Equals        // =, :=, =>, ?=, ->, +=
	Colon         // :
	Compared      // ==, !=
	Argument      // a comma
	Listed        // the next element of a list
	Paired        // the name and the value are members of one object
	Call          // an opening parenthesis
	Element       // <name>value
	Spaced        // only space: a flag, an environment line, a table
	Spoken        // "is", "to"
	Fallback      // an expression that ends in a literal
)

// Value is where the value of an assignment begins, and how it is written. The zero Value,
// whose Link is None, is no assignment. At is behind the opening quote, if there is one;
// where the value ends, the caller finds out, as that needs the view's widths.
type Value struct {
	Link  Link
	At    int // offset of the value, behind what opens it
	Quote byte
	Tight bool // no space on either side
	// Capitals says that the name is written as those of environment variables
	// are.
	Capitals bool
	Flag     bool // the name is an option of a command
	Bare     bool // the name is one that also means something else
	Header   bool // it looks like a header of HTTP
	Below    bool // the value stands on the lines below
	Query    bool // the name is in the query of a URL
}

// maxSpace bounds the space between a name and its value in bytes: columns of a table that
// are further apart are not joined.
const maxSpace = 48

// Read reads what follows a name that ends at an offset. It looks through what closes the
// name, a type, a tag of YAML, a wrapper such as SecretStr("…"), and the end of a line where
// the language allows one.
func Read(text []byte, at int) Value {
	i := SkipClosers(text, at)
	j := SkipSpace(text, i, false)
	a := Value{Tight: i == j}
	if j == len(text) {
		return a
	}
	if v := cell(text, j); v >= 0 {
		a.Link, a.Tight = Listed, false
		return a.Open(text, v)
	}
	k, l := readLink(text, j)
	if l == None {
		k, l = loose(text, i, j)
	}
	if l == None || l == Spaced || l == Argument {
		if v := paired(text, at); v >= 0 {
			k, l = v, Paired
		}
	}
	if l == Colon || l == Equals && j > i {
		if t := skipType(text, k); t > 0 {
			k, l = t, Equals
		}
	}
	if l == None {
		return a
	}
	if l == Colon {
		for k < len(text) && text[k] == '*' { // **Password:** X
			k++
		}
	}
	v := SkipSpace(text, k, false)
	if l != Equals && l != Spaced {
		v = SkipSpace(text, SkipLines(text, k), true)
	}
	a.Tight = a.Tight && v == k
	a.Link = l
	if l == Colon || l == Paired {
		v = member(text, skipTag(text, v))
	}
	if b := below(text, v, l); b >= 0 {
		a.Below, v = true, b
	}
	return a.Open(text, v)
}

// cell finds the value in the cell or element behind the one of a name: <td>Name</td><td>X</td>,
// <key>name</key> <string>X</string>, | name | X |. The name ends at an offset; -1 means that there is none.
func cell(text []byte, at int) int {
	switch {
	case text[at] == '|' && at+1 < len(text) && text[at+1] == ' ':
		return SkipSpace(text, at+1, false)
	case text[at] == '<' && at+1 < len(text) && text[at+1] == '/':
		end := skipElement(text, at)
		if end < 0 {
			return -1
		}
		i := SkipLines(text, end)
		if i = SkipSpace(text, i, true); i+1 >= len(text) || text[i] != '<' || !ascii.IsLetter(text[i+1]) {
			return -1
		}
		if end = skipElement(text, i); end < 0 {
			return -1
		}
		return SkipSpace(text, end, true)
	}
	return -1
}

// skipElement is where the mark of an element ends that begins at an offset, or -1.
func skipElement(text []byte, at int) int {
	for i := at + 1; i < len(text) && i-at < maxAttributes && text[i] != '\n'; i++ {
		if text[i] == '>' {
			return i + 1
		}
	}
	return -1
}

// SkipClosers skips what may close a name: quotes, brackets, emphasis.
func SkipClosers(text []byte, at int) int {
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

// SkipSpace skips blanks, and ends of lines if lines is set.
func SkipSpace(text []byte, at int, lines bool) int {
	for n := 0; n < maxSpace && at < len(text); n++ {
		c := text[at]
		if c != ' ' && c != '\t' && (!lines || c != '\n' && c != '\r') {
			break
		}
		at++
	}
	return at
}

// readLink reads an operator at an offset. It returns where the operator ends, and None with
// the offset itself if there is none. Of a run of signs that is no operator as a whole, such
// as "=(-", the first sign counts: the others are the value's.
func readLink(text []byte, at int) (int, Link) {
	i := at
	for i < len(text) && i-at < 4 && isOperator(text[i]) {
		i++
	}
	switch op := string(text[at:i]); op {
	case "=", ":=", "::=", ":::=", "?=", "+=", ".=", "=>", "->", "<-", "|=", "||=", "??=", "&=", "~=", ":-", "=:", "<<":
		return i, Equals
	case ":", "::":
		return i, Colon
	case "==", "===", "!=", "!==":
		return i, Compared
	case "||", "??":
		return i, Equals
	case ">":
		return i, Element
	}
	if i == at {
		const arrow = "→"
		if len(text) >= at+len(arrow) && string(text[at:at+len(arrow)]) == arrow {
			return at + len(arrow), Colon
		}
		switch text[at] {
		case ',':
			return at + 1, Argument
		case '(':
			return at + 1, Call
		}
		return at, None
	}
	if text[at] == '.' { // .unwrap_or("X")
		end := at + 1
		for end < len(text) && end-at < maxWrapper && ascii.IsWord(text[end]) {
			end++
		}
		if end < len(text) && text[end] == '(' && looks.ContainsAny(text[at:end], "_or orelse") {
			return end + 1, Argument
		}
	}
	// What follows the operator may look like a part of it.
	switch text[at] {
	case '=':
		return at + 1, Equals
	case ':':
		return at + 1, Colon
	}
	return at, None
}

// isOperator reports whether c can be part of an operator that assigns.
func isOperator(c byte) bool {
	switch c {
	case '=', ':', '>', '<', '?', '+', '.', '|', '-', '!', '&', '~':
		return true
	}
	return false
}

// loose reads a link that is no operator: a word for "is", or space alone. What closes the
// name ended at i, and the space behind it at j; without any space there is no link.
func loose(text []byte, i, j int) (int, Link) {
	if j == i {
		return j, None
	}
	for _, w := range [...]string{"is now ", "is ", "to ", "was ", "is: ", "as ", "becomes "} {
		if j+len(w) <= len(text) && looks.EqualFold(text[j:j+len(w)], w) {
			return j + len(w), Spoken
		}
	}
	return j, Spaced
}

// typeWords are types that may stand between a name and the operator.
const typeWords = "string str &str &'static char text any varchar secretstr securestring object final const"

// skipType skips the type of a declaration and its operator, as in password: string = X, and
// returns where that ends, or 0 where there is none. A comparison ends no declaration.
func skipType(text []byte, at int) int {
	i := SkipSpace(text, at, false)
	from := i
	for i < len(text) && i-from < 16 && (ascii.IsWord(text[i]) || text[i] == '&' || text[i] == '\'') {
		i++
	}
	if i == from || !looks.IsOneOf(text[from:i], typeWords) {
		return 0
	}
	for i < len(text) && (text[i] == '?' || text[i] == '>' || text[i] == ']' || text[i] == '[') {
		i++
	}
	i = SkipSpace(text, i, false)
	if i+1 >= len(text) || text[i] != '=' || text[i+1] == '=' {
		return 0
	}
	return i + 1
}

// Open skips what opens a value at an offset: the prefix of a string (r", b', $"), one quote or
// three, a wrapper. An empty string gives the zero Value, as it holds no secret.
func (a Value) Open(text []byte, at int) Value {
	a.At = at
	i := at
	for n := 0; n < 2 && i < len(text) && isStringPrefix(text[i]); n++ {
		i++
	}
	if i < len(text) && ascii.IsQuote(text[i]) {
		a.Quote = text[i]
		n := 1
		for n < 3 && i+n < len(text) && text[i+n] == a.Quote {
			n++
		}
		if n == 2 { // an empty string
			return Value{}
		}
		a.At = i + n
		if v, _ := NextLine(text, a.At); v >= 0 && n == 3 {
			a.At = v
		}
		return a
	}
	return a.wrapped(text, at)
}

// isStringPrefix reports whether c can stand before a quoted string in some
// language.
func isStringPrefix(c byte) bool {
	switch c {
	case 'r', 'b', 'f', 'u', 'R', 'B', 'F', 'U', 'L', '@', '$':
		return true
	}
	return false
}

// maxWrapper bounds a call around a literal, such as SecretStr("…").
const maxWrapper = 32

// wrapped looks through brackets and calls around a quoted value: SecretStr("X"), ["X"], {'X'}.
// An object whose first member is quoted is no wrapper, and gives the zero Value.
func (a Value) wrapped(text []byte, at int) Value {
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
	i = SkipSpace(text, i, true)
	if i < len(text) && isStringPrefix(text[i]) {
		i++
	}
	if i < len(text) && ascii.IsQuote(text[i]) {
		if text[i-1] == '{' && isMember(text, i) {
			return Value{}
		}
		a.Quote = text[i]
		a.At = i + 1
	}
	return a
}

// isMember reports whether the quoted text that opens at an offset is the name of a member of
// an object.
func isMember(text []byte, at int) bool {
	i := at + 1
	for i < len(text) && i-at < maxMember && text[i] != text[at] {
		i++
	}
	i = SkipClosers(text, i)
	return i < len(text) && text[i] == ':'
}

// maxAttributes bounds the attributes of an element.
const maxAttributes = 64

// Content finds the content of an element with attributes, whose name
// ends at an offset.
func Content(text []byte, at int) Value {
	for i := at; i < len(text) && i-at < maxAttributes && text[i] != '\n' && text[i] != '<'; i++ {
		if text[i] == '>' {
			return Value{Link: Element, At: SkipSpace(text, i+1, true)}
		}
	}
	return Value{}
}

// IsExpression reports whether an unquoted value is code that computes one, as getenv("X")
// and config[0] do: such a value is a reference, and the secret stands elsewhere.
func IsExpression(text []byte, from, to int) bool {
	for _, c := range text[from:to] {
		if c == '(' || c == '[' || c == '{' {
			return true
		}
	}
	return to < len(text) && (text[to] == '(' || text[to] == '[')
}

// FallsBack reports whether an operator behind a value that ends at an offset offers another one for
// it: process.env.PASSWORD || "X", $password ?? 'X'.
func FallsBack(text []byte, end int) bool {
	i := SkipSpace(text, end, false)
	return i+1 < len(text) && i > end && (text[i] == '|' || text[i] == '?') && text[i+1] == text[i]
}

// IsFirstArgument reports whether the quoted name that begins at an offset is the
// first in a call or a pair.
func IsFirstArgument(text []byte, from int) bool {
	i := from - 2
	for n := 0; i >= 0 && n < maxSpace && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t'); n++ {
		i--
	}
	return i >= 0 && (text[i] == '(' || text[i] == '{')
}
