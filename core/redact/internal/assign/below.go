package assign

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// NextLine returns where the line below an offset begins, behind its number or the sign
// of a diff and its indent, and whether it is indented. At the offset the line ends;
// -1 means that it does not, or that the next one is empty.
//
//	at ⏎                  begin
//	password: |⏎          X
//	  X
//	12→password: |⏎       X     the number and the arrow are skipped
//	13→  X
//	+password: |⏎         X     so is the sign of a diff
//	+  X
func NextLine(text []byte, at int) (begin int, indented bool) {
	if at < len(text) && text[at] == '\r' {
		at++
	}
	if at >= len(text) || text[at] != '\n' {
		return -1, false
	}
	i := skipGutter(text, at+1)
	from := i
	if i = SkipSpace(text, i, false); i == len(text) || text[i] == '\n' || text[i] == '\r' {
		return -1, false
	}
	return i, i > from
}

// SkipLines skips blanks, and one end of a line with what a listing puts before the next.
func SkipLines(text []byte, at int) int {
	at = SkipSpace(text, at, false)
	if next, _ := NextLine(text, at); next >= 0 {
		return next
	}
	return at
}

// skipGutter skips what a listing puts before a line: its number, and the signs of diffs. A
// minus counts only before two signs or blanks more, since "- " begins an item of a list.
func skipGutter(text []byte, at int) int {
	at = skipNumber(text, at)
	for at < len(text) && text[at] == '+' {
		at++
	}
	if rest := text[min(at, len(text)):]; bytes.HasPrefix(rest, []byte("-  ")) || bytes.HasPrefix(rest, []byte("-- ")) { // "- " is an item of a list
		return at + 1
	}
	return at
}

// skipNumber skips the number of a line, of at most seven digits, and the sign behind it: a
// tab, a colon, a bar, or the arrow of a tool that shows a file. Digits without one are text.
func skipNumber(text []byte, at int) int {
	i := SkipSpace(text, at, false)
	from := i
	for i < len(text) && i-from < 7 && ascii.IsDigit(text[i]) {
		i++
	}
	if i == from || i == len(text) {
		return at
	}
	const arrow = "→"
	switch {
	case text[i] == '\t' || text[i] == ':' || text[i] == '|':
		return i + 1
	case len(text) >= i+len(arrow) && string(text[i:i+len(arrow)]) == arrow:
		return i + len(arrow)
	}
	return at
}

// below finds a value on the lines behind an operator that ends at an offset: at the end
// of a line, behind the sign of a block in YAML, or in a here-document. It returns -1
// where the value stands on the same line.
//
//	password: >-         PASSWORD=\       cat > f <<EOF
//	  X                    X              X
func below(text []byte, at int, l Link) int {
	switch {
	case at == len(text):
		return -1
	case (l == Colon || l == Paired) && (text[at] == '|' || text[at] == '>'):
		i := at + 1
		for i < len(text) && i-at < 3 && (ascii.IsDigit(text[i]) || text[i] == '+' || text[i] == '-') {
			i++
		}
		i = SkipSpace(text, i, false)
		if i < len(text) && text[i] == '#' {
			for i < len(text) && text[i] != '\n' {
				i++
			}
		}
		if v, indented := NextLine(text, i); indented {
			return v
		}
	case l == Equals && text[at] == '<':
		i := at
		for i < len(text) && i-at < maxSpace && text[i] > ' ' {
			i++
		}
		if i-at > 2 && text[at+1] == '<' {
			v, _ := NextLine(text, i)
			return v
		}
	case l == Equals:
		continued := text[at] == '^' || text[at] == '`' // of cmd and PowerShell
		if continued {
			at++
		}
		if v, indented := NextLine(text, at); indented || continued && v >= 0 {
			return v
		}
	}
	return -1
}

// skipTag skips a tag or an anchor of YAML before a value: !!str X, &name X.
func skipTag(text []byte, at int) int {
	if at+1 >= len(text) || text[at] != '&' && (text[at] != '!' || text[at+1] != '!') {
		return at
	}
	i := at + 1
	for i < len(text) && i-at < maxSpace && (ascii.IsJoined(text[i]) || text[i] == '!') {
		i++
	}
	if i < len(text) && text[i] == ' ' {
		return SkipSpace(text, i, false)
	}
	return at
}

// Next returns where the element behind one begins that ends at an offset, before what
// closes it, and the quote that opens it: of an array ("a", "X"), of a nested array
// ("mysql", ["-u", …), or of a list of YAML. It returns -1 where there is none.
func Next(text []byte, end int) (at int, quote byte) {
	i := end
	if i < len(text) && ascii.IsQuote(text[i]) {
		i++
	}
	if i = SkipSpace(text, i, false); i < len(text) && text[i] == ',' {
		if i = SkipSpace(text, i+1, true); i < len(text) && text[i] == '[' { // "mysql", ["-u", …]
			i = SkipSpace(text, i+1, true)
		}
		if i < len(text) && ascii.IsQuote(text[i]) && text[i] == text[end] {
			return i + 1, text[i]
		}
		return -1, 0
	}
	if i, _ = NextLine(text, i); i < 0 || i+2 >= len(text) || text[i] != '-' || text[i+1] != ' ' {
		return -1, 0
	}
	if i = SkipSpace(text, i+2, false); i < len(text) && ascii.IsQuote(text[i]) {
		return i + 1, text[i]
	}
	return i, 0
}

// ElementEnd is where the element ends that begins at an offset: before its quote, or with its
// line if it has none.
func ElementEnd(text []byte, at int, quote byte) int {
	i := at
	for i < len(text) && text[i] != '\n' && text[i] != '\r' && (quote == 0 || text[i] != quote) {
		i++
	}
	return i
}

// paired finds the value in "name": "X", "value": …, where the name X ends at an
// offset, or returns -1. Members may stand between the two; the value may also be that of
// a variable's block: variable "X" { default = … }.
func paired(text []byte, end int) int {
	i := SkipClosers(text, end)
	if i < len(text) && text[i] == ',' {
		i++
	}
	if v, _ := NextLine(text, i); v >= 0 {
		i = v
	}
	if i = SkipSpace(text, i, true); i < len(text) && ascii.IsQuote(text[i]) {
		i++
	}
	quoted := ascii.IsQuote(text[end])
	if i < len(text) && text[i] == '{' && quoted {
		return valueOf(text, i+1) // variable "X" { default = … }
	}
	if bytes.HasPrefix(text[min(i, len(text)):], []byte(`name="`)) || bytes.HasPrefix(text[min(i, len(text)):], []byte(`id="`)) { // type="password" name="pw"
		for i += len(`id="`) + 2; i < len(text) && i-end < maxAttributes && text[i] != '"' && text[i] != '\n'; i++ {
		}
		i = SkipSpace(text, min(i+1, len(text)), false)
	}
	if i == end {
		return -1
	}
	const word = "value"
	if len(text) >= i+len(word) && looks.EqualFold(text[i:i+len(word)], word) {
		if i = SkipSpace(text, SkipClosers(text, i+len(word)), false); i < len(text) && (text[i] == ':' || text[i] == '=') {
			return member(text, SkipSpace(text, i+1, false))
		}
	}
	if quoted {
		return valueOf(text, end+1)
	}
	return -1
}

// maxBlock bounds what stands between the name of a variable, an object or a parameter and its value.
const maxBlock = 160

// valueWords are the names of the members that hold the value of what another member names.
const valueWords = "value default defaultvalue default_value"

// valueOf finds the value, in quotes, of a member whose name is one of [valueWords], and
// returns where its quote opens; -1 if there is none. It begins at an offset in an object, a
// block or the parameters of a call, and does not look into what these hold.
func valueOf(text []byte, at int) int {
	limit := min(len(text), at+maxBlock)
	depth := 0
	for i := at; i < limit; i++ {
		switch c := text[i]; {
		case c == '{' || c == '[' || c == '(':
			depth++
		case c == '}' || c == ']' || c == ')':
			if depth--; depth < 0 {
				return -1
			}
		case ascii.IsWord(c):
			from := i
			for i+1 < limit && ascii.IsWord(text[i+1]) {
				i++
			}
			if depth > 0 || !looks.IsOneOf(text[from:i+1], valueWords) {
				continue
			}
			k := SkipSpace(text, SkipClosers(text, i+1), false)
			if k == len(text) || text[k] != ':' && text[k] != '=' {
				continue
			}
			if k = SkipSpace(text, k+1, false); k < len(text) && ascii.IsQuote(text[k]) {
				return k
			}
		}
	}
	return -1
}

// member skips what stands before a value that is a member of an object, or of lines of YAML, with a
// name for any value: {"value": …, {"stringValue": …, {"S": …
func member(text []byte, at int) int {
	if at >= len(text) {
		return at
	}
	if text[at] != '{' {
		if i := wordEnd(text, at); i < len(text) && text[i] == ':' && looks.IsOneOf(text[at:i], valueWords) {
			return SkipSpace(text, i+1, false)
		}
		return at
	}
	i := SkipSpace(text, at+1, true)
	if i == len(text) || !ascii.IsQuote(text[i]) {
		return at
	}
	from := i + 1
	i = wordEnd(text, from)
	const word = "value"
	if name := text[from:i]; string(name) == "S" || len(name) >= len(word) && looks.EqualFold(name[len(name)-len(word):], word) {
		if i = SkipSpace(text, SkipClosers(text, i), false); i < len(text) && text[i] == ':' {
			return SkipSpace(text, i+1, true)
		}
	}
	if v := valueOf(text, at+1); v >= 0 {
		return v
	}
	return at
}

// wordEnd is where the name of a member ends that begins at an offset; a longer name than
// [maxMember] is cut there.
func wordEnd(text []byte, at int) int {
	i := at
	for i < len(text) && i-at < maxMember && ascii.IsWord(text[i]) {
		i++
	}
	return i
}

// maxMember bounds the name of a member.
const maxMember = 24

// EndsLine reports whether nothing but what ends a statement stands between an offset
// and the end of its line, or of the string that the line is in: a value on the lines below
// is the whole line.
func EndsLine(text []byte, at int) bool {
	for at < len(text) && (text[at] == ';' || text[at] == ',' || text[at] == ' ' || text[at] == '\r') {
		at++
	}
	if at == len(text) || text[at] == '\n' {
		return true
	}
	if text[at] != '"' && text[at] != '`' {
		return false
	}
	at++
	return at == len(text) || text[at] == ',' || text[at] == '}' || text[at] == ']' || text[at] == '\n' || text[at] == '"' || text[at] == '`' || text[at-1] == '`' && text[at] == ' '
}

// EndsValue reports whether a byte ends a value that is not quoted: a blank, a quote, what
// closes a bracket, and what parts values in lists, tables, queries and shells.
func EndsValue(c byte) bool {
	switch c {
	case '"', '\'', '`', '<', '>', ',', ';', ')', '}', ']', '|', '\\', '&':
		return true
	}
	return c <= ' '
}
