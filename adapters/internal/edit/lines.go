package edit

import (
	"slices"
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
