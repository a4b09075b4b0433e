package segment

import "slices"

// What facts take in memory, about: a figure that depends on them alone, so that a
// watch and a replay drop the same ones.
const (
	standardLimit = 64 << 20

	threadCost   = 1024
	arcCost      = 512
	goneCost     = 384
	cutCost      = 64
	decisionCost = 1024 // without its words
	optionCost   = 64   // without its words
	markerCost   = 96   // without its words
	wordCost     = 4    // of what a decision or an arc speaks of
)

// marksPerLimit is into how many parts the limit of a ledger is divided.
const marksPerLimit = 64

// ledger counts what is kept for good: the threads of a stream, their arcs and their
// decisions. Beyond its limit the oldest are dropped, so that half of it stays:
//
//	bytes     0        ¼        ½        ¾        1
//	          |────────|────────|────────|────────|
//	marks     0        120      300      420      700   seq, when so much was kept
//	drop      everything before 300
//	          |─────────────────|
//
// What is dropped keeps its nodes. It has no say any more in what follows: no edit
// binds to it, no rewind supersedes it.
type ledger struct {
	limit   int
	kept    int    // bytes
	now     uint64 // seq of the current event
	next    int    // beyond how many bytes the oldest are dropped
	marks   []mark
	dropped Dropped
}

// mark says how much was kept when the stream had come to a seq.
type mark struct {
	seq  uint64
	kept int
}

// Dropped is what of a stream has no say any more.
type Dropped struct {
	Decisions int64
	Limit     int // in bytes; 0: nothing was dropped
}

func newLedger(limit int) ledger { return ledger{limit: limit, next: limit} }

// spend counts bytes that are kept for good.
func (l *ledger) spend(bytes int) {
	l.kept += bytes
	if n := len(l.marks); n == 0 || l.kept-l.marks[n-1].kept >= l.limit/marksPerLimit {
		l.marks = append(l.marks, mark{l.now, l.kept})
	}
}

// half is the seq since which half of the limit was spent.
// It is the seq of a mark, so that it depends on the facts alone, not on when it is
// asked.
func (l *ledger) half() uint64 {
	for _, m := range l.marks {
		if l.kept-m.kept <= l.limit/2 {
			return m.seq
		}
	}
	return l.now
}

// keeps says how much is kept, after everything before a seq was dropped. What cannot
// be dropped does not have the same done for every event.
func (l *ledger) keeps(bytes int, from uint64) {
	less := l.kept - bytes
	l.kept, l.next = bytes, max(l.limit, bytes+l.limit/4)
	l.marks = slices.DeleteFunc(l.marks, func(m mark) bool { return m.seq < from })
	for i := range l.marks {
		l.marks[i].kept -= less
	}
}

// cost is about what a decision takes. Those of one turn share the texts in which they
// stand, which count also if they were let go: a watch has them in memory.
func (d *Decision) cost() int {
	n := decisionCost + len(d.Epitome) + len(d.Origin) + wordCost*len(d.Words)
	if d.Index == 0 {
		n += len(d.Turn) + len(d.Said) + d.Spilled.Size
	}
	for _, o := range d.Options {
		n += optionCost + len(o.Text)
	}
	for _, m := range d.Markers {
		n += markerCost + len(m.Text)
	}
	return n
}

// IsOver reports whether more is kept than the limit.
// The caller sends what it has not sent yet, then calls [Facts.Shrink].
func (f *Facts) IsOver() bool { return f.ledger.kept > f.ledger.next }

// Dropped says what was dropped so far.
func (f *Facts) Dropped() Dropped { return f.ledger.dropped }

// Keeps reports whether a thread was not dropped.
func (f *Facts) Keeps(t *Thread) bool { return f.threads[threadKey(t.Session, t.Name, t.strand)] == t }

// Shrink drops the oldest facts, so that about half of the limit is kept.
// It may be called between any two events, after [Facts.IsOver] said so. Whoever holds
// a decision that goes keeps a shell of it that is never live.
func (f *Facts) Shrink() {
	from, kept := f.ledger.half(), 0
	f.ledger.dropped.Limit = f.ledger.limit
	for key, t := range f.threads { // each for itself, in any order
		f.ledger.dropped.Decisions += t.dropBefore(from)
		if t.last < from && f.letGo(t) {
			delete(f.threads, key)
			continue
		}
		kept += t.cost() + len(key)
	}
	f.ledger.keeps(kept, from)
}

// letGo forgets that a thread is idle, and reports whether it is.
func (f *Facts) letGo(t *Thread) bool {
	b := &f.agents
	if t.Name == "" {
		b = &f.mains
	}
	if b.has(t) || t == f.last {
		return false
	}
	b.wake(t)
	return true
}

// cost is about what a thread keeps for good.
func (t *Thread) cost() int {
	n := threadCost + cutCost*len(t.cuts)
	for _, g := range t.gone {
		n += g.cost()
	}
	for _, d := range t.Decisions {
		n += d.cost()
	}
	for arc := t.Arc; arc != nil; arc = arc.before {
		n += arc.cost()
	}
	return n
}

// cost is about what an arc takes, without its decisions.
func (a *Arc) cost() int { return arcCost + wordCost*len(a.Opening.Words) }

// cost is about what is kept of what a rewind left, but for the decisions.
func (g *gone) cost() int { return goneCost + len(g.said.text) + len(g.said.waiting) }

// dropBefore drops what a thread has recorded before a seq, but for its current arc,
// and returns how many decisions that were.
func (t *Thread) dropBefore(seq uint64) int64 {
	old := func(d *Decision) bool { return d.Head.Seq < seq }
	n := len(t.Decisions)
	for _, d := range t.Decisions {
		if old(d) {
			d.drop()
		}
	}
	t.Decisions = slices.Clip(slices.DeleteFunc(t.Decisions, old))
	t.standing = slices.Clip(slices.DeleteFunc(t.standing, old))
	t.gone = slices.DeleteFunc(t.gone, func(g *gone) bool { return g.since < seq })
	t.Arc.dropBefore(seq, old)
	for _, g := range t.gone {
		g.arc.dropBefore(seq, old)
	}
	return int64(n - len(t.Decisions))
}

// dropBefore drops the arcs before a seq, but for the arc itself, and their decisions
// that are old. Arcs that a rewind has left go on in those of before it.
func (a *Arc) dropBefore(seq uint64, old func(*Decision) bool) {
	for ; a != nil && a.swept != seq; a = a.before {
		a.swept = seq
		a.Decisions = slices.DeleteFunc(a.Decisions, old)
		if a.before != nil && a.before.Start < seq {
			a.before = nil
		}
	}
}

// drop lets go of what the decision says: it is asked for nothing any more.
func (d *Decision) drop() {
	*d = Decision{Head: d.Head, Thread: d.Thread, Since: d.Since, dropped: true}
}
