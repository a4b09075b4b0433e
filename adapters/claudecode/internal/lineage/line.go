package lineage

import "github.com/memscribe/memscribe/core"

// maxLines is how many lines are told apart. A person hardly has this many
// processes go on with one session.
const maxLines = 16

// line is what one process does, as far as it can be told from another's.
type line struct {
	strand  *core.Strand // nil for the first one
	live    uint32       // the turn at its tip
	working bool         // the model has begun to answer and is not done
	from    uint32       // the turn where it began
}

// left is a branch that a rewind has left.
type left struct {
	rewind string // id of the rewind event
	at     uint64 // seq of the last event before it
	line   uint32
	// The model was still at work there: its next sign of life may be a result.
	working bool
}

// Departure says what a record that a person caused does to the conversation.
type Departure struct {
	Rewound bool         // it takes the conversation back
	ToSeq   uint64       // to the event with this seq
	Of      *core.Strand // on this line of the thread
	turn    uint32       // at the tip of what is left
	line    uint32
	working bool // the model was at work there
}

// Branch says whether the current record, which a person caused and which hangs on an earlier one,
// takes the conversation back. The caller names the rewind; see [Tree.Left].
//
// A rewind was none if what it left continues, by an answer of the model or a prompt, and by a
// result of a call if the model was at work there: then another process has begun, and what follows
// is on a line of its own. Nothing tells before: a client that is killed writes nothing, nor does
// one of 1.0 that is interrupted while no one sits at it.
func (t *Tree) Branch() Departure {
	if t.outside || t.goOn() {
		return Departure{}
	}
	if !t.hasParent || t.now == t.lines[t.line].live {
		return Departure{}
	}
	from, certain := t.leaver()
	if !certain {
		t.apart()
		return Departure{}
	}
	of := &t.lines[from]
	d := Departure{Rewound: true, ToSeq: t.parent.seq, Of: of.strand, turn: of.live, line: from, working: of.working}
	t.line = from
	t.lines[from].live, t.lines[from].working = t.now, false
	return d
}

// Left names the rewind of a departure. The seq belongs to the last event before it.
func (t *Tree) Left(d *Departure, rewind string, last uint64) {
	if t.left == nil {
		t.left = map[uint32]left{}
	}
	t.left[d.turn] = left{rewind: rewind, at: last, line: d.line, working: d.working}
}

// goOn gives the current record a line of its own, if it continues from where a
// rewind is believed to have left. It reports whether it did.
func (t *Tree) goOn() bool {
	if len(t.left) == 0 || !t.hasParent || len(t.lines) >= maxLines {
		return false
	}
	gone, ok := t.left[t.now]
	if !ok {
		return false
	}
	delete(t.left, t.now)
	t.open(line{live: t.now, from: t.now}, &core.Strand{Of: gone.line, At: gone.at})
	first := *t.opens
	first.Voids = gone.rewind
	t.opens = &first
	t.turns[t.now].line = t.line
	return true
}

// Result says that the current record is the result of a call. Only of a turn at
// which the model was at work it says that this continues.
func (t *Tree) Result() {
	if !t.outside && t.left[t.now].working {
		t.goOn()
	}
}

// passed gives the model's answer a line of its own, if it follows a turn behind which the
// conversation has gone on: one process does not answer what it is past. The prompt that seemed to
// follow was that of a second one, which read the session in the middle of the turn.
func (t *Tree) passed() {
	if !t.hasParent || t.now == t.lines[t.line].live || len(t.lines) >= maxLines {
		return
	}
	for _, next := range t.turns[t.now+1:] {
		if next.line == t.line {
			t.open(line{live: t.now, from: t.now}, &core.Strand{Of: t.line, At: next.before})
			return
		}
	}
}

// apart begins a line for the current record, which leaves one of several.
func (t *Tree) apart() {
	t.open(line{live: t.now, from: t.now}, &core.Strand{Of: t.turns[t.now].line, At: t.parent.seq})
}

func (t *Tree) open(l line, strand *core.Strand) {
	strand.No = uint32(len(t.lines))
	l.strand, t.opens = strand, strand
	t.line = strand.No
	t.lines = append(t.lines, l)
}

// lineOf is the line of a record whose parent is in a turn: one at whose tip
// that is, else the one on which the turn began.
func (t *Tree) lineOf(turn uint32) uint32 {
	on := t.turns[turn].line
	if t.lines[on].live == turn {
		return on
	}
	for i := range t.lines {
		if l := &t.lines[i]; l.live == turn {
			return uint32(i)
		}
	}
	return on
}

// leaver is the line that the current record leaves: the only one that passes
// through the record's turn. Of several it cannot be told which.
func (t *Tree) leaver() (of uint32, certain bool) {
	if len(t.lines) == 1 {
		return 0, true
	}
	n := 0
	for i := range t.lines {
		if t.passes(uint32(i)) {
			of = uint32(i)
			n++
		}
	}
	if n == 0 {
		return t.line, true
	}
	return of, n == 1 || len(t.lines) >= maxLines
}

// passes reports whether a line leads through the turn of the current record.
func (t *Tree) passes(i uint32) bool {
	own := t.turns[t.now].line
	for range len(t.lines) {
		if i == own {
			return true
		}
		l := &t.lines[i]
		if l.strand == nil || l.from < t.now {
			return false
		}
		i = l.strand.Of
	}
	return false
}

// Parted reports whether there are several lines.
func (t *Tree) Parted() bool { return len(t.lines) > 1 }

// Working says whether the model has begun to answer and is not done, after the current record.
func (t *Tree) Working(is bool) {
	if t.outside {
		return
	}
	if l := &t.lines[t.line]; l.live == t.now {
		l.working = is
	}
}

// Line is the line on which the current record stands, for an event of it; nil
// is the first one. The event that it begins with says where it comes from.
func (t *Tree) Line() *core.Strand {
	if t.opens != nil {
		b := t.opens
		t.opens = nil
		return b
	}
	if len(t.lines) < 2 {
		return nil
	}
	return t.lines[t.line].strand
}
