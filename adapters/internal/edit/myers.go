package edit

// change replaces the lines a of the one text by the lines b of the other.
type change struct{ a, b span }

func (c change) aEnd() int { return c.a.at + c.a.n }
func (c change) bEnd() int { return c.b.at + c.b.n }

// diffLines lists the changes that make b of a, in order and apart from each
// other. The list is short where that can be found in reasonable time, and
// correct always.
func diffLines(a, b []string) []change {
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	d := newDiffer(a[head:len(a)-tail], b[head:len(b)-tail])
	d.run()
	return d.changes(head)
}

// differ finds a shortest edit script with the linear-space variant of Myers'
// algorithm, on the lines that occur in both texts; the others are changed in
// any case. A box that costs too much is split where the search got furthest,
// and when the whole budget is spent, what is left counts as changed.
type differ struct {
	a, b       []int32 // ids of the lines that occur on both sides
	aAt, bAt   []int   // where they stand
	aChg, bChg []bool  // per line of the texts
	fwd, bwd   []int   // furthest point per diagonal, shifted by len(b)+1
	budget     int
}

const (
	minBudget     = 1 << 18
	budgetPerLine = 128
	maxCost       = 256 // edit steps of one search
)

func newDiffer(a, b []string) *differ {
	d := &differ{aChg: make([]bool, len(a)), bChg: make([]bool, len(b))}
	if len(a) == 0 || len(b) == 0 {
		fill(d.aChg)
		fill(d.bChg)
		return d
	}
	ids := make(map[string]int32, len(a))
	for _, l := range a {
		ids[l] = 0
	}
	next := int32(0)
	for i, l := range b {
		id, inBoth := ids[l]
		if !inBoth {
			d.bChg[i] = true
			continue
		}
		if id == 0 {
			next++
			id = next
			ids[l] = id
		}
		d.b, d.bAt = append(d.b, id), append(d.bAt, i)
	}
	for i, l := range a {
		id := ids[l]
		if id == 0 {
			d.aChg[i] = true
			continue
		}
		d.a, d.aAt = append(d.a, id), append(d.aAt, i)
	}
	n := len(d.a) + len(d.b) + 3
	d.fwd, d.bwd = make([]int, n), make([]int, n)
	d.budget = minBudget + budgetPerLine*n
	return d
}

func fill(b []bool) {
	for i := range b {
		b[i] = true
	}
}

// box is a part of both sequences that is still to be compared.
type box struct{ a0, a1, b0, b1 int }

func (x box) contains(i, j int) bool {
	atStart := i <= x.a0 && j <= x.b0
	atEnd := i >= x.a1 && j >= x.b1
	return !atStart && !atEnd
}

func (d *differ) run() {
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
func (d *differ) shrink(x box) box {
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

func (d *differ) markAll(x box) {
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
	*differ
	box
	shift      int // index of diagonal 0
	kMin, kMax int // diagonals that touch the box
	fLo, fHi   int // diagonals that the forward search has reached
	bLo, bHi   int
}

const beyond = 1 << 60

// split finds a point of the box through which a good script leads.
func (d *differ) split(x box) (i, j int) {
	f, b := x.a0-x.b0, x.a1-x.b1
	s := search{
		differ: d, box: x, shift: len(d.b) + 1,
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

// forward takes one more edit step from the start of the box, and reports the
// diagonal on which it meets the backward search, if meet is set.
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

// best is the point that either search took furthest from where it began.
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
func (d *differ) changes(head int) []change {
	var list []change
	i, j := 0, 0
	for i < len(d.aChg) || j < len(d.bChg) {
		c := change{a: span{at: i}, b: span{at: j}}
		for ; i < len(d.aChg) && d.aChg[i]; i++ {
			c.a.n++
		}
		for ; j < len(d.bChg) && d.bChg[j]; j++ {
			c.b.n++
		}
		if c.a.n+c.b.n == 0 {
			i++
			j++
			continue
		}
		c.a.at += head
		c.b.at += head
		list = append(list, c)
	}
	return list
}
