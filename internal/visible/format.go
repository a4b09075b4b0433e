package visible

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Fprintf formats as fmt.Fprintf does. What the arguments say is made visible: the
// lines of the message are those of the format, and of errors that say that they
// have several ([errors.Join], or a method Lines() []string).
func Fprintf(w io.Writer, format string, args ...any) (int, error) {
	for i, arg := range args {
		args[i] = shownArg(arg)
	}
	return fmt.Fprintf(w, format, args...)
}

// Sprintf formats as [Fprintf] does.
func Sprintf(format string, args ...any) string {
	var b strings.Builder
	_, _ = Fprintf(&b, format, args...) // a Builder takes everything
	return b.String()
}

// shownArg returns an argument that formats as arg does, visibly.
func shownArg(arg any) any {
	switch v := arg.(type) {
	case int: // may be the width of another
		return v
	case string:
		return Line(v)
	case error:
		return ofError(v)
	}
	return value{arg}
}

// value is an argument of another type.
type value struct{ of any }

// Format implements [fmt.Formatter].
func (v value) Format(f fmt.State, verb rune) {
	// fmt keeps what is written
	_, _ = io.WriteString(f, Line(fmt.Sprintf(fmt.FormatString(f, verb), v.of)))
}

// ofError returns what an error says, visibly. The lines of an error that has several
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
			return Line(before) + ofError(in) + Line(after)
		}
	}
	return Line(err.Error())
}

// joined returns the texts one per line, each made visible.
func joined(texts []string) string {
	for i, s := range texts {
		texts[i] = Line(s)
	}
	return strings.Join(texts, "\n")
}
