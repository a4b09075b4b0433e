// Package seek finds lines in a text as tools do that apply a model's patches: as they are, then
// without the white space around them, then with the marks of ASCII in place of others.
package seek

import (
	"errors"
	"strings"
	"unicode"
)

// The errors of a search.
var (
	ErrNoMatch = errors.New("lines do not stand there")
	ErrTooLong = errors.New("search takes too long")
)

// Text is a text in which lines are looked for, within a budget of comparisons.
type Text struct {
	Lines  []string
	Budget int
}

// End returns where lines go that name no place: before an empty last line.
func (t *Text) End() int {
	n := len(t.Lines)
	if n > 0 && t.Lines[n-1] == "" {
		return n - 1
	}
	return n
}

// Find returns where lines stand at or after a place; with atEnd, at the end of the text.
func (t *Text) Find(want []string, at int, atEnd bool) (int, error) {
	last := len(t.Lines) - len(want)
	if last < 0 {
		return 0, ErrNoMatch
	}
	if atEnd {
		at = last
	}
	for _, reduce := range []func(string) string{asIs, trimEnd, strings.TrimSpace, plainText} {
		reduced := make([]string, len(want))
		for i, l := range want {
			reduced[i] = reduce(l)
		}
		for i := at; i <= last; i++ {
			if t.Budget <= 0 {
				return 0, ErrTooLong
			}
			if t.stands(reduced, i, reduce) {
				return i, nil
			}
		}
	}
	return 0, ErrNoMatch
}

// stands reports whether lines stand at a place, after each was reduced. Each comparison costs some
// of the budget.
func (t *Text) stands(want []string, at int, reduce func(string) string) bool {
	for i, l := range want {
		t.Budget -= 1 + len(t.Lines[at+i])/8
		if reduce(t.Lines[at+i]) != l {
			return false
		}
	}
	return true
}

// asIs and trimEnd reduce lines before they are compared: not at all, or by white space at the end.
func asIs(s string) string    { return s }
func trimEnd(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }

// plainText reduces dashes, quotes and spaces to those of ASCII.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212':
			return '-'
		case '\u2018', '\u2019', '\u201a', '\u201b':
			return '\''
		case '\u201c', '\u201d', '\u201e', '\u201f':
			return '"'
		case '\u00a0', '\u2002', '\u2003', '\u2004', '\u2005', '\u2006', '\u2007',
			'\u2008', '\u2009', '\u200a', '\u202f', '\u205f', '\u3000':
			return ' '
		}
		return r
	}, strings.TrimSpace(s))
}
