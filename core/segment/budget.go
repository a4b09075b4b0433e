package segment

import "slices"

// Estimates of what facts take in memory. They depend on the facts alone, so that watch
// and replay drop the same ones.
const (
	standardLimit = 64 << 20

	threadCost   = 1024
	arcCost      = 512
	rewindCost   = 384
	cutCost      = 64
	decisionCost = 1024 // without its texts
	optionCost   = 64   // without its text
	markerCost   = 96   // without its text
	wordCost     = 4    // of Decision.Words or Opening.Words
)

// marksPerLimit is how many marks are set while a whole limit is used.
const marksPerLimit = 64

// memoryBudget counts the bytes of the threads of a stream, their arcs and decisions. Over
// the limit the oldest ones are dropped, so that half of the limit is used:
//
//	bytes     0        ¼        ½        ¾        1
//	          |────────|────────|────────|────────|
//	marks     0        120      300      420      700   seq at which so much was used
//	drop      everything before 300
//	          |─────────────────|
//
// The nodes of a dropped decision stay as they were sent. No later edit binds to it, and
// no later rewind supersedes it.
type memoryBudget struct {
	limit    int
	used     int    // bytes
	now      uint64 // seq of the current event
	nextDrop int    // use over which the oldest facts are dropped
	marks    []mark
	dropped  Dropped
}

// mark is how much was used at a seq.
type mark struct {
	seq  uint64
	used int
}

// Dropped counts what was dropped from a stream.
type Dropped struct {
	Decisions int64
	Limit     int // in bytes; 0 if nothing was dropped
}

// newMemoryBudget returns a budget of which nothing is used.
func newMemoryBudget(limit int) memoryBudget { return memoryBudget{limit: limit, nextDrop: limit} }

// spend adds bytes that stay in use.
func (l *memoryBudget) spend(bytes int) {
	l.used += bytes
	if n := len(l.marks); n == 0 || l.used-l.marks[n-1].used >= l.limit/marksPerLimit {
		l.marks = append(l.marks, mark{l.now, l.used})
	}
}

// halfSeq returns the seq since which half of the limit was spent. It is that of a mark, so
// that it depends on the facts alone.
func (l *memoryBudget) halfSeq() uint64 {
	for _, m := range l.marks {
		if l.used-m.used <= l.limit/2 {
			return m.seq
		}
	}
	return l.now
}

// reset sets how many bytes are used, after everything before a seq was dropped. The next
// drop is a quarter of the limit away, even if little could be dropped.
func (l *memoryBudget) reset(bytes int, from uint64) {
	less := l.used - bytes
	l.used, l.nextDrop = bytes, max(l.limit, bytes+l.limit/4)
	l.marks = slices.DeleteFunc(l.marks, func(m mark) bool { return m.seq < from })
	for i := range l.marks {
		l.marks[i].used -= less
	}
}

// cost estimates the bytes of a decision. The decisions of a turn share its texts, which
// count once, and also after they are spilled: a watch has them in memory.
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

// IsOverLimit reports whether the facts take more than the limit. The caller then sends
// what it has not sent yet, and calls [Facts.DropOldest].
func (f *Facts) IsOverLimit() bool { return f.budget.used > f.budget.nextDrop }

// Dropped returns what was dropped so far.
func (f *Facts) Dropped() Dropped { return f.budget.dropped }

// HasThread reports whether a thread is kept, that is, was not dropped.
func (f *Facts) HasThread(t *Thread) bool {
	return f.threads[threadKey(t.Session, t.Name, t.strand)] == t
}

// DropOldest drops the oldest facts, so that about half of the limit is used. It may be
// called between two events when [Facts.IsOverLimit] is true. Pointers to dropped
// decisions stay valid; such a decision is never live.
func (f *Facts) DropOldest() {
	from, kept := f.budget.halfSeq(), 0
	f.budget.dropped.Limit = f.budget.limit
	for key, t := range f.threads { // in any order
		f.budget.dropped.Decisions += t.dropBefore(from)
		if t.last < from && f.removeFromIdle(t) {
			delete(f.threads, key)
			continue
		}
		kept += t.cost() + len(key)
	}
	f.budget.reset(kept, from)
}

// removeFromIdle removes a thread from the idle ones, and reports whether it is idle.
func (f *Facts) removeFromIdle(t *Thread) bool {
	b := &f.subagentThreads
	if t.Name == "" {
		b = &f.mainThreads
	}
	if b.contains(t) || t == f.last {
		return false
	}
	b.removeIdle(t)
	return true
}

// cost estimates the bytes of a thread.
func (t *Thread) cost() int {
	n := threadCost + cutCost*len(t.cuts)
	for _, g := range t.rewinds {
		n += g.cost()
	}
	for _, d := range t.Decisions {
		n += d.cost()
	}
	for arc := t.Arc; arc != nil; arc = arc.previous {
		n += arc.cost()
	}
	return n
}

// cost estimates the bytes of an arc without its decisions.
func (a *Arc) cost() int { return arcCost + wordCost*len(a.Opening.Words) }

// cost estimates the bytes of a rewind point without its decisions.
func (g *rewindPoint) cost() int {
	return rewindCost + len(g.lastWords.text) + len(g.lastWords.undecoded)
}

// dropBefore drops the decisions, arcs and rewind points of a thread before a seq, except
// the current arc. It returns the number of dropped decisions.
func (t *Thread) dropBefore(seq uint64) int64 {
	old := func(d *Decision) bool { return d.Head.Seq < seq }
	n := len(t.Decisions)
	for _, d := range t.Decisions {
		if old(d) {
			d.drop()
		}
	}
	t.Decisions = slices.Clip(slices.DeleteFunc(t.Decisions, old))
	t.rewindable = slices.Clip(slices.DeleteFunc(t.rewindable, old))
	t.rewinds = slices.DeleteFunc(t.rewinds, func(g *rewindPoint) bool { return g.seq < seq })
	t.Arc.dropBefore(seq, old)
	for _, g := range t.rewinds {
		g.arc.dropBefore(seq, old)
	}
	return int64(n - len(t.Decisions))
}

// dropBefore drops the arcs before this one that began before a seq, and old decisions of
// the others.
func (a *Arc) dropBefore(seq uint64, old func(*Decision) bool) {
	for ; a != nil && a.sweptBefore != seq; a = a.previous {
		a.sweptBefore = seq
		a.Decisions = slices.DeleteFunc(a.Decisions, old)
		if a.previous != nil && a.previous.Start < seq {
			a.previous = nil
		}
	}
}

// drop releases everything that the decision holds.
func (d *Decision) drop() {
	*d = Decision{Head: d.Head, Thread: d.Thread, Since: d.Since, dropped: true}
}
