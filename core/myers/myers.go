// Package myers finds the lines in which two texts differ: a short edit script, with the
// linear-space variant of Myers' algorithm, in bounded time.
//
//	a                b                Between(a, b)
//	0  one           0  one
//	1  two           1  2             {A: {1, 1}, B: {1, 1}}
//	2  three         2  three
//	                 3  four          {A: {3, 0}, B: {3, 1}}
//
// It works in these steps: equal lines at both ends are cut off; lines that occur in one text
// only count as changed at once; the rest is numbered, and split again and again at a point
// through which a short script leads (run, split).
//
// The time is bounded: each search for a point takes at most maxCost steps, and all searches
// together take a budget that grows with the number of lines. Where the budget is used up, the
// script is longer than necessary, but still correct. The result depends on the texts only, so
// that goldens are stable.
package myers

// Span is a run of lines: the index of its first one, from 0, and how many.
type Span struct{ At, N int }

// Change replaces the lines A of the one text by the lines B of the other.
type Change struct{ A, B Span }

// AEnd is the line behind A.
func (c Change) AEnd() int { return c.A.At + c.A.N }

// BEnd is the line behind B.
func (c Change) BEnd() int { return c.B.At + c.B.N }

// Between lists the changes that make b of a, in order and apart from each other. The list
// is short where that can be found in reasonable time, and correct always. It is good
// until the next call.
func (d *Script) Between(a, b []string) []Change {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	d.compare(a[head:len(a)-tail], b[head:len(b)-tail])
	d.run()
	return d.changes(head)
}

// Script finds edit scripts. It keeps its memory from call to call, so that a parser needs one.
// The zero Script is ready to use. It is not safe for concurrent use.
//
// The fields but for ids, seen and list live for one call of Between.
type Script struct {
	a, b       []int32 // ids of the lines that occur on both sides
	aAt, bAt   []int   // where they stand
	aChg, bChg []bool  // per line of the texts
	fwd, bwd   []int   // furthest point per diagonal, shifted by len(b)+1
	budget     int

	ids  map[string]int32 // of the lines that may occur on both sides
	seen []uint64         // bits of the hashes of b's lines
	list []Change
}

// Forget releases the texts of the last call, and keeps the other memory.
func (d *Script) Forget() { clear(d.ids) }

// minBudget and budgetPerLine bound the steps of one call; maxCost bounds one search for a
// middle.
const (
	minBudget     = 1 << 18
	budgetPerLine = 128
	maxCost       = 256 // edit steps of one search
)

// compare numbers the lines of two texts that occur in both, and marks the others
// as changed.
func (d *Script) compare(a, b []string) {
	d.a, d.b, d.aAt, d.bAt = d.a[:0], d.b[:0], d.aAt[:0], d.bAt[:0]
	d.aChg, d.bChg = again(d.aChg, len(a)), again(d.bChg, len(b))
	if len(a) == 0 || len(b) == 0 || !d.mayShare(a, b) {
		fill(d.aChg)
		fill(d.bChg)
		return
	}
	next := int32(0)
	for i, l := range b {
		id, inBoth := d.ids[l]
		if !inBoth {
			d.bChg[i] = true
			continue
		}
		if id == 0 {
			next++
			id = next
			d.ids[l] = id
		}
		d.b, d.bAt = append(d.b, id), append(d.bAt, i)
	}
	for i, l := range a {
		id := d.ids[l]
		if id == 0 {
			d.aChg[i] = true
			continue
		}
		d.a, d.aAt = append(d.a, id), append(d.aAt, i)
	}
	n := len(d.a) + len(d.b) + 3
	d.fwd, d.bwd = again(d.fwd, n), again(d.bwd, n)
	d.budget = minBudget + budgetPerLine*n
}

// mayShare collects the lines of a that may occur in b, and reports whether there are any. A
// bit set of cheap hashes of b's lines rejects most lines before they reach the map.
func (d *Script) mayShare(a, b []string) bool {
	size := 1
	for size*8 < len(b) { // at most one bit in eight is set
		size *= 2
	}
	d.seen = again(d.seen, size)
	mask := uint64(size*64 - 1)
	for _, l := range b {
		h := hashEnds(l) & mask
		d.seen[h/64] |= 1 << (h % 64)
	}
	if d.ids == nil {
		d.ids = map[string]int32{}
	}
	clear(d.ids)
	for _, l := range a {
		if h := hashEnds(l) & mask; d.seen[h/64]&(1<<(h%64)) != 0 {
			d.ids[l] = 0
		}
	}
	return len(d.ids) > 0
}

// hashEnds is a hash of a line's length, beginning and end.
func hashEnds(l string) uint64 {
	const odd = 0x9e3779b97f4a7c15
	h := uint64(len(l))
	if n := len(l); n >= 8 {
		h ^= load(l)*odd ^ load(l[n/2-4:])<<1 ^ load(l[n-8:])
	} else {
		for i := range n {
			h = h<<8 ^ uint64(l[i])
		}
	}
	h *= odd
	return h >> 32
}

// load reads eight bytes as one number, to compare lines eight bytes at a time.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// again is a list of n zeros, in the memory of an old one if there is enough.
func again[T bool | int | uint64](list []T, n int) []T {
	if n > cap(list) {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

func fill(b []bool) {
	for i := range b {
		b[i] = true
	}
}

// box is a part of both sequences that is still to be compared: a[a0:a1] with b[b0:b1].
type box struct{ a0, a1, b0, b1 int }

// contains reports whether a point lies in a box and is not one of its two ends.
func (x box) contains(i, j int) bool {
	atStart := i <= x.a0 && j <= x.b0
	atEnd := i >= x.a1 && j >= x.b1
	return !atStart && !atEnd
}

// run splits boxes until they are empty on one side or the budget is used up. What is left in a
// box then counts as changed.
func (d *Script) run() {
	stack := []box{{a1: len(d.a), b1: len(d.b)}}
	for len(stack) > 0 {
		x := d.shrink(stack[len(stack)-1])
		stack = stack[:len(stack)-1]
		if x.a0 == x.a1 || x.b0 == x.b1 || d.budget <= 0 {
			d.markAll(x)
			continue
		}
		i, j := d.split(x)
		if !x.contains(i, j) {
			d.markAll(x)
			continue
		}
		stack = append(stack, box{x.a0, i, x.b0, j}, box{i, x.a1, j, x.b1})
	}
}

// shrink drops the equal lines at both ends of a box.
func (d *Script) shrink(x box) box {
	for x.a0 < x.a1 && x.b0 < x.b1 && d.a[x.a0] == d.b[x.b0] {
		x.a0++
		x.b0++
	}
	for x.a0 < x.a1 && x.b0 < x.b1 && d.a[x.a1-1] == d.b[x.b1-1] {
		x.a1--
		x.b1--
	}
	return x
}

// markAll takes all lines of a box for changed.
func (d *Script) markAll(x box) {
	for _, at := range d.aAt[x.a0:x.a1] {
		d.aChg[at] = true
	}
	for _, at := range d.bAt[x.b0:x.b1] {
		d.bChg[at] = true
	}
}

// search is the state of one search for the middle of a shortest script.
// Diagonal k holds the points with i-j == k.
type search struct {
	*Script
	box
	shift      int // index of diagonal 0
	kMin, kMax int // diagonals that touch the box
	fLo, fHi   int // diagonals that the forward search has reached
	bLo, bHi   int
}

const beyond = 1 << 60

// split finds a point of the box through which a good script leads.
func (d *Script) split(x box) (i, j int) {
	f, b := x.a0-x.b0, x.a1-x.b1
	s := search{
		Script: d, box: x, shift: len(d.b) + 1,
		kMin: x.a0 - x.b1, kMax: x.a1 - x.b0,
		fLo: f, fHi: f, bLo: b, bHi: b,
	}
	d.fwd[s.shift+f], d.bwd[s.shift+b] = x.a0, x.a1
	odd := (f-b)&1 != 0
	for cost := 1; ; cost++ {
		if k, ok := s.forward(odd); ok {
			return d.fwd[s.shift+k], d.fwd[s.shift+k] - k
		}
		if k, ok := s.backward(!odd); ok {
			return d.bwd[s.shift+k], d.bwd[s.shift+k] - k
		}
		if cost >= maxCost || d.budget <= 0 {
			return s.best()
		}
	}
}

// forward extends the search from the start of the box by one edit. fwd[k] is the furthest line
// of a that is reached on diagonal k. With meet set, it reports the diagonal on which it meets
// the backward search: the middle of a shortest script is there.
func (s *search) forward(meet bool) (k int, met bool) {
	v := s.fwd
	if s.fLo > s.kMin {
		s.fLo--
		v[s.shift+s.fLo-1] = -1
	} else {
		s.fLo++
	}
	if s.fHi < s.kMax {
		s.fHi++
		v[s.shift+s.fHi+1] = -1
	} else {
		s.fHi--
	}
	for k := s.fHi; k >= s.fLo; k -= 2 {
		i := max(v[s.shift+k-1]+1, v[s.shift+k+1])
		from := i
		for i < s.a1 && i-k < s.b1 && s.a[i] == s.b[i-k] {
			i++
		}
		s.budget -= i - from + 1
		v[s.shift+k] = i
		if meet && s.bLo <= k && k <= s.bHi && s.bwd[s.shift+k] <= i {
			return k, true
		}
	}
	return 0, false
}

// backward is forward from the other end.
func (s *search) backward(meet bool) (k int, met bool) {
	v := s.bwd
	if s.bLo > s.kMin {
		s.bLo--
		v[s.shift+s.bLo-1] = beyond
	} else {
		s.bLo++
	}
	if s.bHi < s.kMax {
		s.bHi++
		v[s.shift+s.bHi+1] = beyond
	} else {
		s.bHi--
	}
	for k := s.bHi; k >= s.bLo; k -= 2 {
		i := min(v[s.shift+k-1], v[s.shift+k+1]-1)
		from := i
		for i > s.a0 && i-k > s.b0 && s.a[i-1] == s.b[i-1-k] {
			i--
		}
		s.budget -= from - i + 1
		v[s.shift+k] = i
		if meet && s.fLo <= k && k <= s.fHi && i <= s.fwd[s.shift+k] {
			return k, true
		}
	}
	return 0, false
}

// best returns the point that either search carried furthest. It is used when a search is given
// up.
func (s *search) best() (i, j int) {
	fi, fj := s.a0, s.b0
	for k := s.fHi; k >= s.fLo; k -= 2 {
		i := min(s.fwd[s.shift+k], s.a1, s.b1+k)
		if j := i - k; i+j > fi+fj && i >= s.a0 && j >= s.b0 {
			fi, fj = i, j
		}
	}
	bi, bj := s.a1, s.b1
	for k := s.bHi; k >= s.bLo; k -= 2 {
		i := max(s.bwd[s.shift+k], s.a0, s.b0+k)
		if j := i - k; i+j < bi+bj && i <= s.a1 && j <= s.b1 {
			bi, bj = i, j
		}
	}
	if s.a1+s.b1-bi-bj < fi+fj-s.a0-s.b0 {
		return fi, fj
	}
	return bi, bj
}

// changes reads the marks off. Lines that are not marked stand on both sides in
// the same order.
func (d *Script) changes(head int) []Change {
	list := d.list[:0]
	i, j := 0, 0
	for i < len(d.aChg) || j < len(d.bChg) {
		c := Change{A: Span{At: i}, B: Span{At: j}}
		for ; i < len(d.aChg) && d.aChg[i]; i++ {
			c.A.N++
		}
		for ; j < len(d.bChg) && d.bChg[j]; j++ {
			c.B.N++
		}
		if c.A.N+c.B.N == 0 {
			i++
			j++
			continue
		}
		c.A.At += head
		c.B.At += head
		list = append(list, c)
	}
	d.list = list
	return list
}
