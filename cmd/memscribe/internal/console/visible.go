package console

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Visible returns s on one line, with nothing in it that acts on a terminal or that
// its reader does not see. Control characters, line ends and tabs among them, and
// characters that turn text round or have no width are written as JSON writes them;
// bytes that are not UTF-8 as \x and two digits:
//
//	a<ESC>]52;c;aGk=<BEL>b   a\u001b]52;c;aGk=\u0007b
//	two<LF>lines             two\nlines
//	caf<E9>                  caf\xe9
//
// A backslash stays as it is, so that paths of Windows can be read: what Visible
// returns is for the eye, and cannot be turned back.
func Visible(s string) string { return visible(s, isHidden) }

// lines is Visible for a text whose line ends and tabs are its own.
func lines(s string) string {
	return visible(s, func(r rune) bool { return r != '\n' && r != '\t' && isHidden(r) })
}

func visible(s string, hidden func(rune) bool) string {
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

// escaped is a character as JSON writes it: those beyond 16 bits as two halves, so
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
// selectors between text and picture (U+FE0E, U+FE0F) stand in many ordinary texts
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

// Fprintf formats as fmt.Fprintf does. What the arguments say is made visible: the
// lines of the message are those of the format, and of errors that say that they
// have several ([errors.Join], or a method Lines() []string).
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	for i, arg := range args {
		args[i] = shown(arg)
	}
	return fmt.Fprintf(w, format, args...)
}

// Sprintf formats as [Fprintf] does.
func Sprintf(format string, args ...any) string {
	var b strings.Builder
	_, _ = Fprintf(&b, format, args...) // a Builder takes everything
	return b.String()
}

// shown is an argument that formats as arg does, visibly.
func shown(arg any) any {
	switch v := arg.(type) {
	case int: // may be the width of another
		return v
	case string:
		return Visible(v)
	case error:
		return ofError(v)
	}
	return value{arg}
}

// value is an argument of another type.
type value struct{ of any }

// Format implements [fmt.Formatter].
func (v value) Format(f fmt.State, verb rune) {
	_, _ = io.WriteString(f, Visible(fmt.Sprintf(fmt.FormatString(f, verb), v.of))) // fmt keeps what is written
}

// ofError is what an error says, visibly. The lines of an error that has several
// stay lines, however deep it is wrapped.
func ofError(err error) string {
	if l, ok := err.(interface{ Lines() []string }); ok {
		return joined(l.Lines())
	}
	if m, ok := err.(interface{ Unwrap() []error }); ok {
		parts := make([]string, 0, len(m.Unwrap()))
		said := make([]string, 0, len(m.Unwrap()))
		for _, e := range m.Unwrap() {
			said = append(said, e.Error())
			parts = append(parts, ofError(e))
		}
		if strings.Join(said, "\n") == err.Error() {
			return strings.Join(parts, "\n")
		}
	}
	if in := errors.Unwrap(err); in != nil {
		if before, after, ok := strings.Cut(err.Error(), in.Error()); ok {
			return Visible(before) + ofError(in) + Visible(after)
		}
	}
	return Visible(err.Error())
}

func joined(texts []string) string {
	for i, s := range texts {
		texts[i] = Visible(s)
	}
	return strings.Join(texts, "\n")
}
