package command

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
)

// argument is one argument of a command: an offset range in the text, without the quotes around
// it. quote is the quote that opened it, or 0.
type argument struct {
	start, end int
	quote      byte
}

// style is how the arguments of a command are written:
//
//	mysql -u root -psecret db            shell
//	["mysql", "-u", "root", "-psecret"]  listed
//	run("mysql", user, password)         called
type style uint8

const (
	shell  style = iota // parted by space
	listed              // elements of a list
	called              // parted by commas, in parentheses
)

// arguments reads the arguments of a command, one after the other.
type arguments struct {
	text      []byte
	style     style
	at, limit int
	quote     byte // of the next element of a list
	indented  bool // lines that are indented continue the command
	count     int
}

// Limits of a command: how far behind its word an argument may stand, and how many there are.
const (
	maxCommand   = 512
	maxArguments = 32
)

// argumentsOf begins behind the word of a command, which may be the beginning of a longer one, or
// hold what opens a call.
func argumentsOf(text []byte, end int, indented bool) arguments {
	a := arguments{text: text, at: end, limit: min(len(text), end+maxCommand), indented: indented}
	if text[end-1] == '(' {
		a.style = called
		return a
	}
	for a.at < a.limit && ascii.IsJoined(text[a.at]) && ascii.IsAlnum(text[end-1]) { // mysqldump
		a.at++
	}
	last := a.at
	if ascii.IsQuote(text[last-1]) {
		last-- // of an element
	}
	if at, quote := assign.Next(text, last); at >= 0 && quote != '`' {
		a.style, a.at, a.quote = listed, at, quote
		return a
	}
	if a.at < a.limit && text[a.at] > ' ' {
		a.at = a.limit // of another word
	}
	return a
}

// next reads an argument; ok is false if there is none.
func (a *arguments) next() (arg argument, ok bool) {
	if a.count++; a.at < 0 || a.at >= a.limit || a.count > maxArguments {
		return argument{}, false
	}
	switch a.style {
	case listed:
		return a.element(), true
	case called:
		return a.parameter()
	default:
		return a.word()
	}
}

// element reads an element of a list.
func (a *arguments) element() argument {
	arg := argument{start: a.at, end: assign.ElementEnd(a.text, a.at, a.quote), quote: a.quote}
	a.at, a.quote = assign.Next(a.text, arg.end)
	return arg
}

// parameter reads an argument of a call, up to a comma that is in no inner bracket. Of an
// argument with a literal only the literal is returned: b"X" gives X.
func (a *arguments) parameter() (arg argument, ok bool) {
	i := assign.SkipSpace(a.text, a.at, true)
	arg.start = i
	depth := 0
	for ; i < a.limit; i++ {
		switch c := a.text[i]; {
		case ascii.IsQuote(c):
			end := bytes.IndexByte(a.text[i+1:a.limit], c)
			if end < 0 {
				a.at = a.limit
				return argument{}, false
			}
			if i == arg.start || i == arg.start+1 && ascii.IsLetter(a.text[arg.start]) { // b"…"
				arg.start, arg.quote = i+1, c
			}
			i += 1 + end
			arg.end = i
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth < 0 {
				a.at = a.limit
				return arg, arg.end > arg.start
			}
		case c == ',' && depth == 0:
			a.at = i + 1
			if arg.quote == 0 {
				arg.end = i
			}
			return arg, true
		}
	}
	a.at = a.limit
	return argument{}, false
}

// word reads a word of a shell. A quote that nothing closes, or that a sign of JSON follows,
// ends the string that the whole command is in; then the command ends there.
func (a *arguments) word() (arg argument, ok bool) {
	i := a.at
	for i < a.limit {
		switch c := a.text[i]; {
		case c == ' ' || c == '\t' || c == '"' && i+1 < a.limit && a.text[i+1] <= ' ':
			i++
			continue
		case c == '\n' && a.indented:
			if next, indented := assign.NextLine(a.text, i); indented {
				i = next
				continue
			}
		}
		break
	}
	from := i
	for i < a.limit && a.text[i] > ' ' && !endsCommand(a.text[i]) && a.text[i] != '`' && a.text[i] != ')' {
		if c := a.text[i]; c == '"' || c == '\'' {
			if i > from && i+1 < a.limit && closesString(a.text[i+1]) {
				a.limit = i
				break
			}
			end := bytes.IndexByte(a.text[i+1:a.limit], c)
			if end < 0 || bytes.IndexByte(a.text[i+1:i+1+end], '\n') >= 0 {
				break
			}
			i += 1 + end
		}
		i++
	}
	a.at = i
	if i == from {
		return argument{}, false
	}
	arg = argument{start: from, end: i}
	if q := a.text[from]; (q == '"' || q == '\'') && i-from > 1 && a.text[i-1] == q {
		arg = argument{start: from + 1, end: i - 1, quote: q}
	}
	return arg, true
}

// closesString reports whether a byte behind a quote shows that the quote closes the string that
// the command is in.
func closesString(c byte) bool { return c == ',' || c == '}' || c == ']' || c == ':' || c == ')' }

// endsCommand reports whether a byte ends a command in a line of a shell.
func endsCommand(c byte) bool { return c == '\n' || c == '|' || c == ';' || c == '&' }
