package view

import (
	"math"
	"sort"
)

// edge maps a place of the view's text to the original: the byte at stands for width bytes from
// raw on. Behind it, up to the next edge, text and original run in step.
//
//	original  a\u0022b        at 1, raw 1, width 6: the byte 1 is \u0022
//	text      a"b             at 2, raw 7, width 1: in step again
type edge struct {
	at    uint32 // in the text
	raw   uint32 // in the original
	width uint32 // bytes of the original that the one byte at stands for
}

// source is the offset in the original of one in the text that the edge governs.
func (e *edge) source(at int) int {
	if at == int(e.at) {
		return int(e.raw)
	}
	return int(e.raw+e.width) + at - int(e.at) - 1
}

// edges is a list of edges in the order of the text. A text of nothing but escapes has one for
// each of its bytes, so that most take four bytes: what they differ in from the one before.
//
//	marks   {4, 9, 1} first 0          {70000, 70031, 6} first 2
//	steps   {at 8, skip 0, width 6} {at 2, skip 3, width 1}    …
//
// The last edge is kept apart until there is one at another byte, since one at the same byte
// takes its place. before finds the edge of an offset in O(log n): it searches the marks, and
// then walks at most perMark steps.
type edges struct {
	marks []mark
	pages [][]step // perPage in each, so that none is copied when there are more
	n     int      // how many steps
	last  edge     // the last of the list
	next  edge     // the one behind it; its width is 0 if there is none
}

// mark is an edge with the number of the step that follows it.
type mark struct {
	edge
	first int
}

// step is an edge by the one before: how many bytes it is behind it in the text, how many bytes
// of the original are not in the text between them, and how many it stands for.
type step struct {
	at          uint16
	skip, width uint8
}

// perMark is how many edges are looked through one by one, perPage how many steps lie together.
const (
	perMark = 64
	perPage = 1 << 14
)

// reset forgets all edges.
func (l *edges) reset() {
	l.marks, l.n, l.last, l.next = l.marks[:0], 0, edge{}, edge{}
}

// put adds an edge, unless the last one says the same. One at the same byte is replaced.
func (l *edges) put(at, raw, width int) {
	if l.next.width != 0 && int(l.next.at) != at {
		l.commit()
	}
	l.next = edge{}
	if len(l.marks) == 0 || width != 1 || l.last.source(at) != raw {
		l.next = edge{uint32(at), uint32(raw), uint32(width)}
	}
}

// commit adds the edge that was kept apart to the list.
func (l *edges) commit() {
	x := l.next
	if x.width == 0 {
		return
	}
	far, skip := int(x.at-l.last.at), int(x.raw)-l.last.source(int(x.at))
	k := len(l.marks)
	if k == 0 || l.n-l.marks[k-1].first == perMark-1 || far > math.MaxUint16 || skip < 0 || skip > math.MaxUint8 || x.width > math.MaxUint8 {
		l.marks = append(l.marks, mark{x, l.n})
	} else {
		if l.n/perPage == len(l.pages) {
			l.pages = append(l.pages, nil)
		}
		page := &l.pages[l.n/perPage]
		*page = append((*page)[:l.n%perPage], step{uint16(far), uint8(skip), uint8(x.width)})
		l.n++
	}
	l.last, l.next = x, edge{}
}

// cut removes all edges from a byte of the text on.
func (l *edges) cut(at int) {
	if int(l.next.at) >= at {
		l.next = edge{}
	}
	for k := len(l.marks); k > 0 && int(l.last.at) >= at; k = len(l.marks) {
		if l.n == l.marks[k-1].first {
			l.marks = l.marks[:k-1]
		} else {
			l.n--
		}
		l.last, _ = l.before(math.MaxInt)
	}
}

// before returns the last edge at or before a byte of the text, and false if there is none.
func (l *edges) before(at int) (edge, bool) {
	k := sort.Search(len(l.marks), func(i int) bool { return int(l.marks[i].at) > at })
	if k == 0 {
		return edge{}, false
	}
	end := l.n
	if k < len(l.marks) {
		end = l.marks[k].first
	}
	x := l.marks[k-1].edge
	for i := l.marks[k-1].first; i < end; i++ {
		s := l.pages[i/perPage][i%perPage]
		next := int(x.at) + int(s.at)
		if next > at {
			break
		}
		x = edge{uint32(next), uint32(x.source(next)) + uint32(s.skip), uint32(s.width)}
	}
	return x, true
}
