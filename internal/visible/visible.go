// Package visible escapes characters that would act on a terminal or deceive a reader.
//
//	\x1b]52;c;…   shown as  \u001b]52;c;…     it would write to the clipboard of a terminal
//	‮ (U+202E)     shown as  \u202e            it reverses the text that follows
//	\xff          shown as  \xff              it is not UTF-8
//
// Everything that commands print for a person goes through it (cmd/memscribe/internal/console).
// [Line] is for a value within a line, [Text] for a text with lines of its own, [Sprintf] for a
// message with values in it: the lines of the format stay, those of the values are escaped.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Line returns s on one line, with nothing in it that acts on a terminal or that
// its reader does not see. Control characters, line ends and tabs among them, and
// characters that turn text round or have no width are written as JSON writes them;
// bytes that are not UTF-8 as \x and two digits:
//
//	a<ESC>]52;c;aGk=<BEL>b   a\u001b]52;c;aGk=\u0007b
//	two<LF>lines             two\nlines
//	caf<E9>                  caf\xe9
//
// A backslash stays as it is, so that paths of Windows can be read: what Line
// returns is for the eye, and cannot be turned back.
func Line(s string) string { return shown(s, isHidden) }

// Text is Line for a text whose line ends and tabs are its own.
func Text(s string) string {
	return shown(s, func(r rune) bool { return r != '\n' && r != '\t' && isHidden(r) })
}

// shown returns s with each hidden character and each invalid byte as an escape.
func shown(s string, hidden func(rune) bool) string {
	var b strings.Builder
	done := 0 // what of s is in b
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `%s\x%02x`, s[done:i], s[i])
			done = i + n
		} else if hidden(r) {
			b.WriteString(s[done:i] + escaped(r))
			done = i + n
		}
		i += n
	}
	if done == 0 {
		return s
	}
	return b.String() + s[done:]
}

// escaped returns a character as JSON writes it: those beyond 16 bits as two halves, so
// that a line of JSON stays one.
func escaped(r rune) string {
	switch r {
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	case '\r':
		return `\r`
	}
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// isHidden reports whether a character acts on a terminal or is not seen. The two
// selectors between text and picture (U+FE0E, U+FE0F) are in many ordinary texts
// and pass, as do the Arabic signs that enclose numbers.
func isHidden(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == '\x7f'
	}
	if r == '\uFE0E' || r == '\uFE0F' || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return false
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
