package edit

import (
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/adapters/internal/edit/seek"
)

var errBeyondText = errors.New("place lies beyond the text")

// Apply applies a unified diff of one file to the text that the file had. A hunk that does not fit
// where it says is looked for nearby, the nearest place first, but never before the hunk that
// precedes it. All its lines must stand there exactly.
func Apply(text, unified string) (string, error) {
	after, _, err := apply(text, unified)
	return after, err
}

// apply reports besides whether every hunk stood where it says.
func apply(text, unified string) (after string, exact bool, err error) {
	hunks, err := parseHunks(unified)
	if err != nil {
		return "", false, err
	}
	settle(hunks)
	lines := splitLines(text)
	out := make([]string, 0, len(lines))
	at, shift := 0, 0
	exact = true
	search := searcher{lines: lines, budget: searchBudget(len(text))}
	for i, h := range hunks {
		place, err := search.hunk(h, at, h.before.at+shift)
		if err != nil {
			return "", false, fmt.Errorf("apply hunk %d: %w", i+1, err)
		}
		exact = exact && place == h.before.at
		shift = place - h.before.at
		out = append(out, lines[at:place]...)
		for _, l := range h.lines {
			if l.mark != '-' {
				out = append(out, l.text)
			}
		}
		at = place + h.before.n
	}
	return joinLines(append(out, lines[at:]...)), exact, nil
}

// searchBudget is how many bytes a search over a text may compare.
func searchBudget(size int) int { return 1<<22 + 64*size }

// searcher looks for lines in a text, within a budget.
type searcher struct {
	lines  []string
	budget int
}

// hunk finds the place of h nearest to want, from line low on.
func (s *searcher) hunk(h hunk, low, want int) (int, error) {
	high := len(s.lines) - h.before.n
	if high < low {
		return 0, seek.ErrNoMatch
	}
	if h.before.n == 0 {
		if want < low || want > high {
			return 0, errBeyondText
		}
		return want, nil
	}
	want = min(max(want, low), high)
	for d := 0; want-d >= low || want+d <= high; d++ {
		if s.budget <= 0 {
			return 0, seek.ErrTooLong
		}
		if want+d <= high && s.stands(h, want+d) {
			return want + d, nil
		}
		if d > 0 && want-d >= low && s.stands(h, want-d) {
			return want - d, nil
		}
	}
	return 0, seek.ErrNoMatch
}

// stands reports whether the lines that h removes or keeps stand at a place.
func (s *searcher) stands(h hunk, at int) bool {
	for _, l := range h.lines {
		if l.mark == '+' {
			continue
		}
		s.budget -= 1 + min(len(l.text), len(s.lines[at]))/8
		if s.lines[at] != l.text {
			return false
		}
		at++
	}
	return true
}
