package decide

import (
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// group is what a clause does, coarsely. It decides how much details count.
type group uint8

const (
	none     group = iota // says something, or tells what is the case
	question              // asks
	set                   // changes, chooses, names, shows, drops something
	build                 // makes or improves something
	chore                 // has something run, checked, explained, committed
	modal                 // says how something should be
	want                  // says what is wanted or preferred
	neg                   // forbids, rejects, finds needless
	assent                // answers
	groups
)

func (g group) slot() slot { return inNone + slot(g) }

// directive reports whether clauses of the group ask for anything.
func (g group) directive() bool { return g > question }

func groupOf(f gate.Family) group {
	switch f {
	case gate.ActMake, gate.ActChange, gate.ActMove, gate.ActUse, gate.ActReplace, gate.ActName, gate.ActShow, gate.ActDrop,
		gate.ActOrder, gate.ActAlways:
		return set
	case gate.ActBuild, gate.ActUpdate, gate.ActEnsure:
		return build
	case gate.ActFix, gate.ActCheck, gate.ActTell, gate.ActRun, gate.ActGit, gate.ActGoOn:
		return chore
	case gate.ActShould, gate.ActWeShould, gate.ActCan, gate.ActWeDo:
		return modal
	case gate.ActWant, gate.ActNeed, gate.ActPrefer, gate.ActDecided:
		return want
	case gate.ActNever, gate.ActMustNot, gate.ActShouldNot, gate.ActDont, gate.ActDontWant, gate.ActDontLike, gate.ActDontNeed, gate.ActNoX:
		return neg
	case gate.ActOption, gate.ActRevert, gate.ActReject, gate.ActYes, gate.ActAccept:
		return assent
	default:
		return none
	}
}

// outranks reports whether a clause with acts of both groups does what g says.
func (g group) outranks(o group) bool { return rank(g) > rank(o) }

func rank(g group) int {
	return int([groups]uint8{none: 0, question: 0, assent: 1, want: 2, modal: 3, chore: 4, build: 5, set: 6, neg: 7}[g])
}

// clause is what is said of one act, or a sentence without any.
type clause struct {
	acts        [6]gate.Family
	n           int // acts
	from        int // token that its part of the sentence begins with
	first, last int // its tokens
	head        int // token behind the acts
	group       group
}

func (c *clause) add(f gate.Family, last int) {
	if c.n < len(c.acts) {
		c.acts[c.n] = f
		c.n++
	}
	c.head = max(c.head, last)
	if g := groupOf(f); g.outranks(c.group) {
		c.group = g
	}
}

// maxClauses is how many clauses of a sentence are told apart; what follows
// belongs to the last.
const maxClauses = 24

// clauses cuts sentence i at its acts. The result is valid until the next call.
func (r *reading) clauses(i int) []clause {
	s := r.turn.Sentences[i]
	r.actsOf(i)
	first := s.Last
	if len(r.acts) > 0 {
		first = r.acts[0].First
	}
	r.cut = r.cut[:0]
	if r.questions(i, first) {
		return append(r.cut, clause{from: s.First, first: s.First, last: s.Last, group: question})
	}
	for _, h := range r.acts {
		r.take(h, s.Last)
	}
	if len(r.cut) == 0 {
		return append(r.cut, clause{from: s.First, first: s.First, last: s.Last, group: none})
	}
	for k := range r.cut {
		r.part(&r.cut[k], s.First)
	}
	return r.cut
}

// part bounds a clause by the marks with which people in a hurry string
// sentences together.
func (r *reading) part(c *clause, first int) {
	for c.from = c.first; c.from > first && !r.strings(c.from-1); {
		c.from--
	}
	for k := c.head; k < c.last; k++ {
		if r.strings(k) {
			c.last = k
		}
	}
}

// strings reports whether token k strings two sentences together.
func (r *reading) strings(k int) bool {
	t := r.turn.Tokens[k]
	if t.Kind != prose.Mark {
		return false
	}
	w := t.In(r.turn.Text)
	return w == ";" || len(w) >= 2 && w[0] == '.'
}

// take adds an act to the open clause or begins the next.
func (r *reading) take(h gate.Hit, last int) {
	if n := len(r.cut); n > 0 {
		c := &r.cut[n-1]
		switch {
		case h.First < c.head && h.First > c.first && groupOf(h.Family) == neg && c.acts[0] == gate.ActIsValue:
			c.add(h.Family, h.Last) // "will never use": it forbids, and states nothing
			return
		case h.First < c.head && h.First > c.first, h.First == c.first && h.Last < c.head:
			return // inside the one before
		case h.First <= c.head, c.acts[c.n-1] == gate.ActReject && h.First <= c.head+4, n == maxClauses:
			c.add(h.Family, h.Last)
			return
		}
		c.last = h.First
	}
	c := clause{first: h.First, last: last}
	c.add(h.Family, h.Last)
	r.cut = append(r.cut, c)
}

// actsOf collects the acts of a sentence, by place, longer ones first.
func (r *reading) actsOf(i int) {
	r.acts = r.acts[:0]
	first := r.turn.Sentences[i].First
	for _, h := range r.scan.Of(i) {
		switch f := h.Family; {
		case !f.IsAct(), f == gate.ActYes, f == gate.ActAccept:
			continue // an answer is judged apart
		case (f == gate.ActOption || f == gate.ActReject) && (i > 1 || h.First-first > 6):
			continue // answers come first
		}
		at := len(r.acts)
		for at > 0 && (r.acts[at-1].First > h.First || r.acts[at-1].First == h.First && r.acts[at-1].Last < h.Last) {
			at--
		}
		r.acts = append(r.acts, gate.Hit{})
		copy(r.acts[at+1:], r.acts[at:])
		r.acts[at] = h
	}
}

// questions reports whether a sentence whose first act stands at token act asks
// by its form.
func (r *reading) questions(i, act int) bool {
	if r.tagged(i) {
		return true
	}
	for _, h := range r.scan.Of(i) {
		if h.Family != gate.AskWh && h.Family != gate.AskAux {
			continue
		}
		if h.First <= act || h.First < act+3 && act < h.Last {
			return true
		}
	}
	return false
}

// tagged reports whether sentence i states something and has it confirmed: "we
// never use this, do we?" What asks a person to do it is no such question.
func (r *reading) tagged(i int) bool {
	s := r.turn.Sentences[i]
	const tag = 4 // a comma, two words, the question mark
	if s.Last-s.First <= tag || r.ends(s) != '?' || r.word(s.Last-tag) != "," {
		return false
	}
	switch r.word(s.Last - 2) {
	case "we", "they", "it", "i", "there", "he", "she":
	case "you":
		switch r.word(s.Last - 3) {
		case "do", "don't", "did", "didn't", "are", "aren't", "have", "haven't":
			return true
		}
		return false
	default:
		return false
	}
	switch r.word(s.Last - 3) {
	case "do", "does", "did", "don't", "doesn't", "didn't", "is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't", "has", "have", "hasn't", "haven't",
		"will", "won't", "would", "wouldn't", "can", "can't", "should", "shouldn't":
		return true
	}
	return false
}
