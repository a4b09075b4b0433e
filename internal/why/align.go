package why

import (
	"slices"
	"strings"
)

// margin is how far from its place the lines of a hunk are looked for when the file
// was changed since.
const margin = 200

// align takes back a hunk whose lines were changed since, if they stand near its place: within
// 200 lines, or anywhere near the beginning if the place is beyond the end. An alignment that may be
// chance is ignored.
func (t *tracer) align(k int, h *Hunk) {
	after := h.after()
	want := max(h.NewStart-1, 0)
	from, to := max(want-margin, 0), min(want+len(after)+margin, len(t.state))
	if from >= to {
		from, to = 0, min(len(t.state), 2*margin)
	}
	near := t.texts(from, to)
	found := together(after, near, t.inAnyForm(after, from, to))
	if !telling(after, near, found) {
		return
	}
	match := map[int]int{} // line of after → cell
	for _, b := range found {
		for i := range b.n {
			match[b.a+i] = from + b.b + i
		}
	}
	t.changed(k, h, match)
}

// changed takes back the lines of a hunk that match has a place for, and marks the lines
// between them as changed by another hand: Hand, with k as the edit that was there before.
func (t *tracer) changed(k int, h *Hunk, match map[int]int) {
	drop, put := map[int]bool{}, map[int][]cell{}
	first, last, at, n := -1, -1, -1, 0
	for _, l := range h.Lines {
		if l.Mark == '-' {
			if at >= 0 {
				put[at+1] = append(put[at+1], t.cell(l.Text, -1))
			}
			continue
		}
		cell, ok := match[n]
		n++
		if !ok {
			continue
		}
		if at = cell; first < 0 {
			first = cell
		}
		last = cell
		if l.Mark == '+' {
			t.give(t.state[cell], k, false)
			if c := t.state[cell]; c.at >= 0 && t.claims[c.at].Edit == k && c.text != plain(l.Text) {
				t.claims[c.at].Reformatted = true
			}
			drop[cell] = true
		}
	}
	formatted := contextOf(h, match)
	within := make(map[int]bool, len(match))
	for _, c := range match {
		within[c] = true
	}
	var state []cell
	for i, c := range t.state {
		state = append(state, put[i]...)
		if i > first && i < last && !within[i] && !formatted[loosely(c.text)] && c.at >= 0 && t.claims[c.at].Status == None {
			t.claims[c.at] = Claim{Status: Hand, Edit: k}
		}
		if !drop[i] {
			state = append(state, c)
		}
	}
	t.state = append(state, put[len(t.state)]...)
}

// contextOf returns the context lines of a hunk that match has no place for, as formatters see
// them. A line in their place in another form is not another hand's: an older edit may have
// written it before it was formatted.
func contextOf(h *Hunk, match map[int]int) map[string]bool {
	all := map[string]bool{}
	n := 0
	for _, l := range h.Lines {
		if l.Mark == '-' {
			continue
		}
		if _, ok := match[n]; !ok && l.Mark != '+' {
			all[loosely(plain(l.Text))] = true
		}
		n++
	}
	return all
}

// block is a run of n lines that stand at index a of one text and at index b of another.
type block struct{ a, b, n int }

// blocks aligns two texts: the longest common run, then the same for what stands before and
// behind it in both. Lines are equal if their keys are.
func blocks(a, b []string, key func(string) string) []block {
	ka, kb := keys(a, key), keys(b, key)
	where := map[string][]int{}
	for i, k := range kb {
		where[k] = append(where[k], i)
	}
	var out []block
	var within func(a0, a1, b0, b1 int)
	within = func(a0, a1, b0, b1 int) {
		best := longest(ka, where, a0, a1, b0, b1)
		if best.n == 0 {
			return
		}
		within(a0, best.a, b0, best.b)
		out = append(out, best)
		within(best.a+best.n, a1, best.b+best.n, b1)
	}
	within(0, len(ka), 0, len(kb))
	return out
}

// inAnyForm aligns what an edit left with a range of the state: as it is or, if that finds fewer
// than half of the lines, without what formatters change. A formatter changes most lines, a person a
// few. Of a single line nobody can tell who changed it, so that only its white space may differ. Only
// lines of the file now are counted: those that later edits removed have the form that they had then.
func (t *tracer) inAnyForm(left []string, from, to int) []block {
	text, now := t.texts(from, to), t.state[from:to]
	exact := blocks(left, text, exactly)
	n := size(exact, left, now)
	for _, form := range []struct {
		key   func(string) string
		least int
	}{{loosely, 2}, {unspaced, 1}} {
		if loose := blocks(left, text, form.key); size(loose, left, now) >= max(2*n+1, form.least) {
			return loose
		}
	}
	return exact
}

// longest returns the longest run common to a[a0:a1] and b[b0:b1], the first of equal ones. The
// time is proportional to the number of pairs of equal lines.
func longest(a []string, where map[string][]int, a0, a1, b0, b1 int) block {
	var best block
	ends := map[int]int{} // end in b → length of the run that ends there
	for i := a0; i < a1; i++ {
		next := map[int]int{}
		list := where[a[i]]
		from, _ := slices.BinarySearch(list, b0)
		for _, j := range list[from:] {
			if j >= b1 {
				break
			}
			n := ends[j-1] + 1
			next[j] = n
			if n > best.n {
				best = block{i - n + 1, j - n + 1, n}
			}
		}
		ends = next
	}
	return best
}

// keys returns the comparison key of each line.
func keys(lines []string, key func(string) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = key(l)
	}
	return out
}

// size returns how many lines the blocks cover that are in the file now, without empty lines and
// single brackets, which are equal everywhere.
func size(found []block, text []string, now []cell) int {
	n := 0
	for _, b := range found {
		for i := range b.n {
			if now[b.b+i].at >= 0 && len(loosely(text[b.a+i])) > 1 {
				n++
			}
		}
	}
	return n
}

// together removes blocks at either end of an alignment that stand far from the rest and may
// stand there by chance.
func together(a, b []string, found []block) []block {
	apart := func(x, y block) bool { return y.b-(x.b+x.n) > y.a-(x.a+x.n)+fewLines }
	for len(found) > 1 && apart(found[0], found[1]) && !telling(a, b, found[:1]) {
		found = found[1:]
	}
	for n := len(found) - 1; n > 0 && apart(found[n-1], found[n]) && !telling(a, b, found[n:]); n-- {
		found = found[:n]
	}
	return found
}

// telling reports whether an alignment is more than chance: a line that stands once in
// both texts and is not trivial, or a run of several lines.
func telling(a, b []string, found []block) bool {
	for _, m := range found {
		if m.n >= fewLines {
			return true
		}
		for i := range m.n {
			l := a[m.a+i]
			if len(strings.TrimSpace(l)) >= tellingLength && once(a, l) && once(b, b[m.b+i]) {
				return true
			}
		}
	}
	return false
}

// tellingLength is the length of a line that hardly stands twice by chance.
const tellingLength = 8

// once reports whether exactly one of the lines is line.
func once(lines []string, line string) bool {
	n := 0
	for _, l := range lines {
		if l == line {
			n++
		}
	}
	return n == 1
}

// exactly compares lines as they are.
func exactly(l string) string { return l }

// loosely returns a line without what formatters change: space, quotes, and commas and
// semicolons at its end.
func loosely(l string) string {
	l = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t':
			return -1
		case '\'', '`':
			return '"'
		}
		return r
	}, l)
	return strings.TrimRight(l, ",;")
}

// unspaced returns a line without its white space.
func unspaced(l string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, l)
}

// plain returns a line without its end, and without the byte order mark that a file may
// begin with: tools leave it out of what they record.
func plain(l string) string { return strings.TrimPrefix(strings.TrimRight(l, "\r\n"), "\ufeff") }
