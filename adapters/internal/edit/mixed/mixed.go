// Package mixed finds edits of one file that ran at the same time and saw each other's text.
package mixed

import (
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Edits are those of one answer. The zero Edits knows no answer, and finds nothing.
type Edits struct {
	answer string
	taken  map[string]map[string]bool // by path: the lines that a suspected edit took away
}

// Begin says that the edits that follow are of an answer.
func (e *Edits) Begin(answer string) {
	if answer != e.answer {
		e.answer, e.taken = answer, nil
	}
}

// Follows reports whether a diff begins with a line that an earlier edit of the answer has taken
// away, so that one of the two is not what the file held. Earlier edits count if they were
// suspected: they were not of the text that was known for sure, as where a call beside them
// wrote the file meanwhile.
func (e *Edits) Follows(d *core.Diff, suspected bool) bool {
	if e.answer == "" {
		return false
	}
	taken, known := e.taken[d.Path]
	if !known {
		if suspected {
			e.suspect(d)
		}
		return false
	}
	for line := range strings.SplitSeq(d.Unified, "\n") {
		if line != "" && (line[0] == '-' || line[0] == ' ') && taken[line[1:]] {
			return true
		}
	}
	return false
}

// suspect keeps the lines that a diff takes away.
func (e *Edits) suspect(d *core.Diff) {
	taken := map[string]bool{}
	for line := range strings.SplitSeq(d.Unified, "\n") {
		if text, ok := strings.CutPrefix(line, "-"); ok && !strings.HasPrefix(line, "---") {
			taken[text] = true
		}
	}
	for line := range strings.SplitSeq(d.Unified, "\n") {
		if line != "" && line[0] != '-' {
			delete(taken, line[1:])
		}
	}
	if e.taken == nil {
		e.taken = map[string]map[string]bool{}
	}
	e.taken[d.Path] = taken
}
