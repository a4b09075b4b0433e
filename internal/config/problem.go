package config

import (
	"fmt"
	"slices"
	"strings"
)

// Place is a position in a file, as editors and compilers write it.
type Place struct {
	File string
	Line int // from 1
	Col  int // in bytes, from 1
}

// String returns file:line:column.
func (p Place) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

// Problem is one thing that is wrong with a setting. Its text names the place first, so that an
// editor can jump to it.
type Problem struct {
	Place    Place  // of a setting in a file
	Variable string // of a setting in the environment; then there is no Place
	Message  string
	Hint     string // what to do about it; or ""
}

// Error returns where the problem is, what is wrong, and a hint if there is one.
func (p *Problem) Error() string {
	where := p.Variable
	if where == "" {
		where = p.Place.String()
	}
	if p.Hint == "" {
		return where + ": " + p.Message
	}
	return where + ": " + p.Message + "; " + p.Hint
}

// Problems are all that is wrong with a configuration, in the order of the file.
// It is an error where there are any.
type Problems []*Problem

// Error returns the problems, one per line.
func (p Problems) Error() string { return strings.Join(p.Lines(), "\n") }

// Lines returns the lines of the message, one for each problem.
func (p Problems) Lines() []string {
	lines := make([]string, len(p))
	for i, x := range p {
		lines[i] = x.Error()
	}
	return lines
}

// Err returns the problems as an error: nil where there are none.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	slices.SortStableFunc(p, func(a, b *Problem) int {
		if a.Place.Line != b.Place.Line {
			return a.Place.Line - b.Place.Line
		}
		return a.Place.Col - b.Place.Col
	})
	return p
}

// Nearest returns the candidate that word was most likely meant to be; "" if it resembles none.
// Up to two bytes may differ, in longer words a third of them, whatever the case of the
// letters. If none is so close, a candidate that begins with word will do, from three letters
// on.
func Nearest(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	const enough = 3 // letters of a beginning
	for _, c := range candidates {
		if best == "" && len(word) >= enough && strings.HasPrefix(c, word) {
			best = c
		}
	}
	return best
}

// Meant returns a hint for a word that is none of the candidates: the nearest one, or else all
// of them if there are a dozen at most. It is "" where neither helps.
func Meant(word string, candidates []string) string {
	candidates = slices.DeleteFunc(slices.Clone(candidates), func(c string) bool { return c == "" })
	if c := Nearest(word, candidates); c != "" {
		return fmt.Sprintf("did you mean %q?", c)
	}
	const few = 12
	if len(candidates) == 0 || len(candidates) > few {
		return ""
	}
	return "known are " + strings.Join(candidates, ", ")
}

// distance returns how many bytes must be inserted, removed, replaced or swapped with their
// neighbour to turn a into b (the restricted Damerau–Levenshtein distance). It keeps three rows
// of the table. Of words longer than 64 bytes only the beginnings are compared.
func distance(a, b string) int {
	const longest = 64
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
