package edit

import (
	"slices"
	"strconv"
	"strings"
)

// splitLines cuts a text after each line feed. Every line keeps its end, so
// that a last line without one differs from the same line with one.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return appendLines(nil, s)
}

// appendLines appends the lines of a text.
func appendLines(lines []string, s string) []string {
	lines = slices.Grow(lines, strings.Count(s, "\n")+1)
	for s != "" {
		end := strings.IndexByte(s, '\n') + 1
		if end == 0 {
			end = len(s)
		}
		lines = append(lines, s[:end])
		s = s[end:]
	}
	return lines
}

// joinLines is the inverse of splitLines.
func joinLines(lines []string) string { return strings.Join(lines, "") }

// LF is a text whose lines end with a line feed alone.
func LF(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// CRLF is a text whose lines end with a carriage return and a line feed.
func CRLF(text string) string { return strings.ReplaceAll(LF(text), "\n", "\r\n") }

// Unnumbered takes the numbers off the lines of a file that a tool shows from the first
// one on, as in "  1|text": the number, and a mark behind it. It reports false if a line
// has not its number.
func Unnumbered(shown, mark string) (text string, ok bool) {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(shown) {
		n++
		number, rest, found := strings.Cut(line, mark)
		if !found || strings.TrimLeft(number, " ") != strconv.Itoa(n) {
			return "", false
		}
		b.WriteString(rest)
	}
	return b.String(), true
}
