package why

import (
	"strconv"
	"strings"
)

// Hunk is a hunk of a unified diff.
type Hunk struct {
	NewStart int // number of its first line in the new text, from 1
	Lines    []Line
}

// Line is a line of a hunk. Mark is ' ', '-' or '+'; Text keeps its line end.
type Line struct {
	Mark byte
	Text string
}

// after returns the lines that the hunk leaves.
func (h *Hunk) after() []string {
	var out []string
	for _, l := range h.Lines {
		if l.Mark != '-' {
			out = append(out, plain(l.Text))
		}
	}
	return out
}

// Hunks reads the hunks of a unified diff of one file. It leaves out what it cannot read, and
// never fails: diffs come from transcripts.
//
//	@@ -1,2 +1,3 @@        →  Hunk{NewStart: 1, Lines: ' ' "a", '+' "b", ' ' "c"}
//	 a
//	+b
//	 c
func Hunks(unified string) []Hunk {
	var hunks []Hunk
	before, after := 0, 0 // lines that the head still promises
	for line := range strings.Lines(unified) {
		if before <= 0 && after <= 0 {
			if h, b, a, ok := head(line); ok {
				hunks, before, after = append(hunks, h), b, a
			}
			continue
		}
		h := &hunks[len(hunks)-1]
		mark := line[0]
		switch mark {
		case '\\':
			continue
		case '\n', '\r':
			mark, line = ' ', " "+line
		case ' ', '+', '-':
		default:
			before, after = 0, 0
			continue
		}
		if mark != '+' {
			before--
		}
		if mark != '-' {
			after--
		}
		h.Lines = append(h.Lines, Line{mark, line[1:]})
	}
	return hunks
}

// head reads "@@ -1,2 +3,4 @@": where the new side begins, and how many lines of either side
// follow.
func head(line string) (h Hunk, before, after int, ok bool) {
	rest, ok := strings.CutPrefix(line, "@@ -")
	old, rest, ok2 := strings.Cut(rest, " +")
	now, _, ok3 := strings.Cut(rest, " @@")
	_, before, ok4 := span(old)
	start, after, ok5 := span(now)
	if after == 0 {
		start++ // an empty run is named by the line before it
	}
	return Hunk{NewStart: start}, before, after, ok && ok2 && ok3 && ok4 && ok5
}

// span parses "12,3" or "12" of a hunk header.
func span(s string) (start, n int, ok bool) {
	first, count, several := strings.Cut(s, ",")
	start, err := strconv.Atoi(first)
	n = 1
	if several && err == nil {
		n, err = strconv.Atoi(count)
	}
	return start, n, err == nil
}
