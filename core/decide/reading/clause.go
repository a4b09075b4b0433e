package reading

import (
	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// Clause is one act of a sentence with the words that belong to it, or a sentence without an
// act. Tokens are counted as in the turn; Last is behind the last one.
//
//	use Postgres, and never log the token
//	├─ use ───────┤├─ never log ─────────┤
//	Group Set       Group Neg
type Clause struct {
	Acts        [6]gate.Family
	N           int // acts
	from        int // token that its part of the sentence begins with
	First, Last int // its tokens
	head        int // token behind the acts
	Group       words.Group
}

// add adds an act that ends before token last. The group of a clause is that of its strongest
// act: a ban outranks what it forbids.
func (c *Clause) add(f gate.Family, last int) {
	if c.N < len(c.Acts) {
		c.Acts[c.N] = f
		c.N++
	}
	c.head = max(c.head, last)
	if g := words.GroupOf(f); g.Outranks(c.Group) {
		c.Group = g
	}
}

// maxClauses bounds the clauses of a sentence; acts beyond it belong to the last clause.
const maxClauses = 24

// Clauses cuts sentence i at its acts. The result is valid until the next call.
// There is always at least one. A question by its form is one clause without acts: what
// it asks about is not done.
func (r *Reading) Clauses(i int) []Clause {
	s := r.Turn.Sentences[i]
	r.actsOf(i)
	first := s.Last
	if len(r.acts) > 0 {
		first = r.acts[0].First
	}
	r.cut = r.cut[:0]
	if r.questions(i, first) {
		return append(r.cut, Clause{from: s.First, First: s.First, Last: s.Last, Group: words.Question})
	}
	for _, h := range r.acts {
		r.take(h, s.Last)
	}
	if len(r.cut) == 0 {
		return append(r.cut, Clause{from: s.First, First: s.First, Last: s.Last, Group: words.None})
	}
	for k := range r.cut {
		r.part(&r.cut[k], s.First)
	}
	return r.cut
}

// part narrows a clause to its part of the sentence: people in a hurry string sentences
// together with dots and semicolons, and what stands beyond one belongs to something else.
func (r *Reading) part(c *Clause, first int) {
	for c.from = c.First; c.from > first && !r.strings(c.from-1); {
		c.from--
	}
	for k := c.head; k < c.Last; k++ {
		if r.strings(k) {
			c.Last = k
		}
	}
}

// strings reports whether token k strings two sentences together.
func (r *Reading) strings(k int) bool {
	t := r.Turn.Tokens[k]
	if t.Kind != prose.Mark {
		return false
	}
	w := t.In(r.Turn.Text)
	return w == ";" || len(w) >= 2 && w[0] == '.'
}

// take adds an act to the open clause or begins the next.
// An act within the words of another ("do not use" holds "use") adds nothing, unless it
// forbids what the other only states.
func (r *Reading) take(h gate.Hit, last int) {
	if n := len(r.cut); n > 0 {
		c := &r.cut[n-1]
		switch {
		case h.First < c.head && h.First > c.First && words.GroupOf(h.Family) == words.Neg && c.Acts[0] == gate.ActIsValue:
			c.add(h.Family, h.Last) // "will never use": it forbids, and states nothing
			return
		case h.First < c.head && h.First > c.First, h.First == c.First && h.Last < c.head:
			return // inside the one before
		case h.First <= c.head, c.Acts[c.N-1] == gate.ActReject && h.First <= c.head+4, n == maxClauses:
			c.add(h.Family, h.Last)
			return
		}
		c.Last = h.First
	}
	c := Clause{First: h.First, Last: last}
	c.add(h.Family, h.Last)
	r.cut = append(r.cut, c)
}

// actsOf collects the acts of sentence i by place. Of two that begin at one token the longer
// comes first, so that take sees that the shorter lies inside it. Assent is left out, since
// Answer judges it; labels and rejections count only early in the turn.
func (r *Reading) actsOf(i int) {
	r.acts = r.acts[:0]
	first := r.Turn.Sentences[i].First
	for _, h := range r.Scan.Of(i) {
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

// questions reports whether a sentence whose first act stands at token act asks by its form: a
// word of asking comes before the act, or shares its words.
func (r *Reading) questions(i, act int) bool {
	if r.tagged(i) {
		return true
	}
	for _, h := range r.Scan.Of(i) {
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
func (r *Reading) tagged(i int) bool {
	s := r.Turn.Sentences[i]
	const tag = 4 // a comma, two words, the question mark
	if s.Last-s.First <= tag || r.Ends(s) != '?' || r.Word(s.Last-tag) != "," {
		return false
	}
	switch r.Word(s.Last - 2) {
	case "we", "they", "it", "i", "there", "he", "she":
	case "you":
		switch r.Word(s.Last - 3) {
		case "do", "don't", "did", "didn't", "are", "aren't", "have", "haven't":
			return true
		}
		return false
	default:
		return false
	}
	switch r.Word(s.Last - 3) {
	case "do", "does", "did", "don't", "doesn't", "didn't", "is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't", "has", "have", "hasn't", "haven't",
		"will", "won't", "would", "wouldn't", "can", "can't", "should", "shouldn't":
		return true
	}
	return false
}
