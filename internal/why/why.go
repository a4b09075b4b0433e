// Package why finds the recorded edit that last wrote each line of a file.
//
// It knows the file as it is now and the diffs of its edits, and nothing of what happened in
// between: people edit by hand, formatters run, sessions overlap. So it goes backwards. It
// begins with the lines that are there, looks for what the newest edit left (its added lines
// between its context), gives it the added lines, undoes it, and continues with the edit
// before. A line is given to an edit only where its text stands:
//
//	edit 2 left        the file now          undone: the file after edit 1
//	  a                  a                     a
//	+ b                  b   ← edit 2          x   (what edit 2 removed)
//	  c                  c                     c
//
// What an edit left may have been changed since. Then its lines are aligned with those around
// the place, and what differs was changed by another hand.
//
// Statuses, as the command why prints them:
//
//	Edited      the decision or the edit that wrote the line
//	Hand        written by hand or by a command, after an edit that had the place
//	Ambiguous   not certain; each edit that may have written it
//	None        no recorded edit wrote this
//
// Formatters. If an edit's lines are not found as they are, they are compared without space,
// quotes, and commas and semicolons at their ends. A line that is found only so is given to the
// edit, and marked as reformatted. A single line may differ in its white space only, since it
// cannot be told from a change by hand.
//
// Bounds. A hunk that is not at its place is looked for within 200 lines. Fewer than three
// lines that stand in several places count only at the place that the hunk names. The cost is
// proportional to the edits and to the pairs of equal lines.
package why

import (
	"iter"
	"slices"
)

// Status says what is known of a line.
type Status uint8

// The statuses.
const (
	None      Status = iota // no edit is known to have written the line
	Edited                  // Claim.Edit wrote it
	Hand                    // changed since Claim.Edit, by no recorded edit
	Ambiguous               // one of Claim.Candidates may have written it
)

// Claim is what is known of one line of the file as it is now. Edit is the index of an edit, -1
// if there is none; Candidates is set for Ambiguous lines only.
type Claim struct {
	Status     Status
	Edit       int
	Candidates []int
	// Exact says that all that the edit left around the line still stands as it was.
	Exact bool
	// Reformatted says that the line has other white space or punctuation than the edit left: a
	// formatter, or another hand, changed its form since.
	Reformatted bool
}

// Edit is a recorded change of the file. An edit either has hunks against the text before, or
// the whole content (Creates, Whole), as hunks of added lines.
type Edit struct {
	Hunks []Hunk
	// Creates says that the file was not there before.
	Creates bool
	// Whole says that the file got its whole content, and it is not known what it held
	// before. Held reports whether it held a line then: 1 yes, -1 no, 0 not known. A nil
	// Held knows nothing.
	Whole bool
	Held  func(line string) int
	// Unplaced says that the numbers of the hunks mean nothing.
	Unplaced bool
}

// Lines attributes each line of a file to the edit that wrote it. Edits are given oldest first,
// lines with their ends.
//
// The result has one claim per line. Lines is pure and never fails: where the edits do not fit
// the file, lines stay without a claim or become Ambiguous.
func Lines(lines []string, edits []Edit) []Claim {
	t := tracer{claims: make([]Claim, len(lines)), whole: make([]int, len(lines)), left: make([]string, len(lines)), ids: make(map[string]int32, len(lines))}
	for i, l := range lines {
		t.state = append(t.state, t.cell(l, i))
		t.claims[i].Edit, t.whole[i] = -1, -1
	}
	for k := len(edits) - 1; k >= 0 && len(t.state) > 0; k-- {
		if t.undo(k, &edits[k]) {
			break
		}
	}
	t.finish(edits, lines)
	return t.claims
}

// cell is a line of the file at some moment between the edits. At is its index in the file now,
// -1 if it is not there any more; lines with the same text have the same id, so that runs are
// compared by numbers.
type cell struct {
	text string
	id   int32
	at   int
}

// tracer takes the edits back one by one, newest first. State is the file as it was after the
// edit that is taken back next:
//
//	the file now ── undo edit n ──▶ ── undo edit n-1 ──▶ … ──▶ before edit 0
//	                    └── the lines that edit n added and that are still there: its claims
type tracer struct {
	state  []cell
	claims []Claim
	whole  []int    // by line: the oldest Edit.Whole that has the line, -1 if none
	left   []string // by line: the line as that edit left it
	ids    map[string]int32
	wanted []int32 // of the lines that are looked for
}

// cell makes a cell of a line.
func (t *tracer) cell(line string, at int) cell {
	text := plain(line)
	id, known := t.ids[text]
	if !known {
		id = int32(len(t.ids))
		t.ids[text] = id
	}
	return cell{text, id, at}
}

// undo takes edit k back and gives it the lines that it added. It reports whether the file
// began with this edit, so that older edits are of another file.
func (t *tracer) undo(k int, e *Edit) bool {
	if e.Creates || e.Whole {
		t.written(k, e)
		return e.Creates
	}
	for i := range slices.Backward(e.Hunks) {
		t.hunk(k, e, &e.Hunks[i])
	}
	return false
}

// written takes back an edit that gave the file its whole content. What is in the file and
// not in that content was changed by another hand since. If the file was there before, the
// lines are only noted: an older edit, or what git knows, may have them; see finish.
func (t *tracer) written(k int, e *Edit) {
	var content []string
	for _, h := range e.Hunks {
		content = append(content, h.after()...)
	}
	kept := make([]bool, len(t.state))
	var state []cell
	for _, b := range t.inAnyForm(content, 0, len(t.state)) {
		for i := range b.n {
			c := t.state[b.b+i]
			kept[b.b+i] = true
			state = append(state, c)
			if c.at < 0 || t.claims[c.at].Status != None {
				continue
			}
			if text := content[b.a+i]; e.Creates {
				t.claims[c.at] = wrote(k, text == c.text)
			} else {
				t.whole[c.at], t.left[c.at] = k, text
			}
		}
	}
	for i, c := range t.state {
		if !kept[i] && c.at >= 0 && t.claims[c.at].Status == None {
			t.claims[c.at] = Claim{Status: Hand, Edit: k}
		}
	}
	t.state = state
}

// wrote is the claim of edit k to a line of what it left, in the same form or another one.
func wrote(k int, same bool) Claim {
	return Claim{Status: Edited, Edit: k, Exact: same, Reformatted: !same}
}

// hunk takes one hunk back where it finds what the hunk left:
//
//	nowhere                       the lines changed since: align
//	in one place                  there
//	in several, number known      the nearest, if the run is too long to stand there by chance
//	in several otherwise          every place may be the one: doubt
func (t *tracer) hunk(k int, e *Edit, h *Hunk) {
	after := h.after()
	if len(after) == 0 {
		t.restore(h, min(h.NewStart, len(t.state)))
		return
	}
	at, places := t.find(after, h.NewStart-1)
	switch {
	case places == 0:
		t.align(k, h)
		return
	case places > 1 && (e.Unplaced || t.state[at].text != after[0]):
		t.doubt(k, h, after)
		return
	case places > 1 && len(after) < fewLines && at != h.NewStart-1:
		t.doubt(k, h, after)
		return
	}
	var state []cell
	i := at
	for _, l := range h.Lines {
		switch l.Mark {
		case '+':
			t.give(t.state[i], k, true)
			i++
		case '-':
			state = append(state, t.cell(l.Text, -1))
		default:
			state = append(state, t.state[i])
			i++
		}
	}
	t.state = slices.Replace(t.state, at, i, state...)
}

// fewLines is how many lines may stand by chance in a place where they were not
// expected.
const fewLines = 3

// give gives a line to an edit, unless a later one has it.
func (t *tracer) give(c cell, k int, exact bool) {
	if c.at >= 0 && (t.claims[c.at].Status == None || t.claims[c.at].Status == Hand && !exact) {
		t.claims[c.at] = Claim{Status: Edited, Edit: k, Exact: exact}
	}
}

// find returns the place nearest to want at which all lines stand, and the number of such
// places.
func (t *tracer) find(lines []string, want int) (at, places int) {
	for i := range t.places(lines) {
		if places++; places == 1 || abs(i-want) < abs(at-want) {
			at = i
		}
	}
	return at, places
}

// places yields each index at which the lines are in the present state, in order. A line that
// the file never had ends the search at once.
func (t *tracer) places(lines []string) iter.Seq[int] {
	return func(yield func(int) bool) {
		t.wanted = t.wanted[:0]
		for _, l := range lines {
			id, known := t.ids[l]
			if !known {
				return
			}
			t.wanted = append(t.wanted, id)
		}
		for i := 0; i+len(lines) <= len(t.state); i++ {
			if t.stands(i) && !yield(i) {
				return
			}
		}
	}
}

// stands reports whether the lines that are wanted are at a place.
func (t *tracer) stands(at int) bool {
	for i, id := range t.wanted {
		if t.state[at+i].id != id {
			return false
		}
	}
	return true
}

// abs returns the distance of a number from 0.
func abs(n int) int { return max(n, -n) }

// doubt makes edit k a candidate for the lines in every place where they stand. The state stays
// as it is, since it is not known what the hunk removed.
func (t *tracer) doubt(k int, h *Hunk, after []string) {
	for at := range t.places(after) {
		i := at
		for _, l := range h.Lines {
			if l.Mark == '-' {
				continue
			}
			if c := t.state[i]; l.Mark == '+' && c.at >= 0 && (t.claims[c.at].Status == None || t.claims[c.at].Status == Ambiguous) {
				claim := &t.claims[c.at]
				claim.Status, claim.Candidates = Ambiguous, append(claim.Candidates, k)
			}
			i++
		}
	}
}

// restore puts back what a hunk removed at an index: a hunk that leaves nothing has no lines to
// be found by.
func (t *tracer) restore(h *Hunk, at int) {
	var state []cell
	for _, l := range h.Lines {
		if l.Mark == '-' {
			state = append(state, t.cell(l.Text, -1))
		}
	}
	t.state = slices.Insert(t.state, at, state...)
}

// texts returns the present lines of a range.
func (t *tracer) texts(from, to int) []string {
	out := make([]string, 0, to-from)
	for _, c := range t.state[from:to] {
		out = append(out, c.text)
	}
	return out
}

// complete reports whether edits tell all that a file held after them: there are none,
// or one of them gave it its whole content.
func complete(edits []Edit) bool {
	return len(edits) == 0 || slices.ContainsFunc(edits, func(e Edit) bool { return e.Creates || e.Whole })
}

// finish settles the lines that only a whole content holds. If the file is known not to have
// held the line before, that edit wrote it; if it held the line, no edit is known; else the
// edit is a candidate.
func (t *tracer) finish(edits []Edit, lines []string) {
	for i, k := range t.whole {
		claim := &t.claims[i]
		if k < 0 || claim.Status != None && claim.Status != Hand {
			continue
		}
		held := 0
		if edits[k].Held != nil {
			held = edits[k].Held(t.left[i])
		}
		if held < 0 && !complete(edits[:k]) {
			held = 0 // the file was there, and not all that it held is recorded
		}
		switch {
		case held < 0:
			*claim = wrote(k, t.left[i] == plain(lines[i]))
		case held == 0:
			*claim = Claim{Status: Ambiguous, Edit: -1, Candidates: []int{k}}
		default:
			*claim = Claim{Edit: -1}
		}
	}
}
