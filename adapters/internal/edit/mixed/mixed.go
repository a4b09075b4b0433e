// Package mixed finds edits of one file that ran at the same time and saw each other's text.
package mixed

import (
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Edits are those of one answer. The zero Edits knows no answer, and finds nothing.
type Edits struct {
	answer  string
	removed map[string]map[string]bool // by path: the lines that a suspected edit removed
}

// The lines of longer diffs are not kept, nor those of further files in an answer.
const (
	mostBytes = 64 << 10
	mostFiles = 64
)

// Begin says that the edits that follow are of an answer.
func (e *Edits) Begin(answer string) {
	if answer != e.answer {
		e.answer, e.removed = answer, nil
	}
}

// Add adds an edit of the answer, and reports whether it contradicts an earlier one of the same
// file: it begins with a line that the earlier one removed, so that one of the two diffs is not
// what the file held.
//
// Only an edit that was suspected can be contradicted. Suspected is one that does not fit the text
// that was known for sure, as where a call beside it wrote the file meanwhile:
//
//	file       1, 2, 3
//	1 → one    shown as  -1 +one  -3 +three    suspected: it shows what both calls did
//	3 → three  shown as  -3 +three             contradicts: there was no 3 any more
func (e *Edits) Add(d *core.Diff, suspected bool) (contradicts bool) {
	if e.answer == "" {
		return false
	}
	removed, known := e.removed[d.Path]
	if !known {
		if suspected {
			e.suspect(d)
		}
		return false
	}
	for line := range strings.SplitSeq(d.Unified, "\n") {
		if line != "" && (line[0] == '-' || line[0] == ' ') && removed[line[1:]] {
			return true
		}
	}
	return false
}

// suspect keeps the lines that a diff removes for good.
func (e *Edits) suspect(d *core.Diff) {
	if len(d.Unified) > mostBytes || len(e.removed) == mostFiles {
		return
	}
	removed := map[string]bool{}
	for line := range strings.SplitSeq(d.Unified, "\n") {
		if text, ok := strings.CutPrefix(line, "-"); ok && !strings.HasPrefix(line, "---") {
			removed[text] = true
		}
	}
	for line := range strings.SplitSeq(d.Unified, "\n") {
		if line != "" && line[0] != '-' {
			delete(removed, line[1:])
		}
	}
	if e.removed == nil {
		e.removed = map[string]map[string]bool{}
	}
	e.removed[d.Path] = removed
}
