package options

import (
	"strings"

	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
)

// contrasts adds the two sides of every contrast in the sentence:
//
//	X instead of Y     X over Y        X, not Y        not Y but X        I'd rather X than Y
//	from Y to X        either X or Y   ("… go with X" chooses one; else both are left open)
func (n *naming) contrasts() {
	for _, h := range n.hits {
		switch h.Family {
		case gate.ModInsteadOf:
			n.instead(h)
		case gate.ModNotBut:
			n.notBut(h)
		case gate.ActPrefer:
			n.prefers(h)
		case gate.ModInstead:
			n.atLast(h)
		default:
		}
	}
	for k := n.first; k < n.last; k++ {
		switch n.word(k) {
		case "from":
			n.fromTo(k)
		case "either":
			n.either(k)
		}
	}
}

// instead reads the sides of "instead of", "rather than" and "over": the right one is left. Of
// "in favour of" it is the left one. The chosen side may follow: "instead of Y use X".
func (n *naming) instead(h gate.Hit) {
	if n.word(h.First) == "in" && n.word(h.First+1) != "place" {
		p, _ := n.phrase(h.Last)
		n.add(p, true)
		n.add(n.phraseBefore(h.First), false)
		return
	}
	from := h.Last
	if h.Last-h.First == 3 && n.word(h.First+1) == "over" { // A over B
		from = h.First + 2
		p, _ := n.phrase(h.First)
		n.add(p, true)
	}
	no, end := n.phrase(from)
	chosen := n.phraseBefore(h.First)
	if chosen.End == chosen.Start || n.opens(h.First) {
		chosen = n.next(end)
	}
	n.add(chosen, true)
	n.add(no, false)
}

// next returns the name behind the first act from token k on; the zero span if that act changes
// or names something, because change and names read those themselves.
func (n *naming) next(k int) prose.Span {
	best := n.last
	for _, h := range n.hits {
		if !h.Family.IsAct() || h.First < k || h.Last >= best {
			continue
		}
		if h.Family == gate.ActName || h.Family == gate.ActChange || h.Family == gate.ActReplace {
			return prose.Span{}
		}
		best = h.Last
	}
	if best == n.last {
		for k < n.last && n.kind(k) == prose.Mark {
			k++
		}
		best = k
	}
	p, _ := n.phrase(best)
	return p
}

// notBut reads "not Y but X", "not Y, X" and "X, not Y". The "not" must follow within eight
// tokens.
func (n *naming) notBut(h gate.Hit) {
	for k := h.First; k < min(h.Last+8, n.last); k++ {
		if w := n.word(k); w != "not" && w != "dont" && w != "don't" {
			continue
		}
		no, end := n.phrase(k + 1)
		if but := n.but(end); but > 0 {
			n.add(no, false)
			p, _ := n.phrase(but)
			n.add(p, true)
			return
		}
		before := len(n.options)
		if n.add(no, false); k > n.first && (len(n.options) > before || n.word(k-1) == ",") && !n.adopts(n.first, k) {
			n.add(n.preferred(k), true)
		}
		return
	}
}

// but returns the token behind a "but" that follows within a few tokens, and behind
// what only leads on; 0 if there is none.
func (n *naming) but(k int) int {
	const near = 8
	for end := min(k+near, n.last); k < end; k++ {
		if n.word(k) != "but" {
			continue
		}
		for k++; k < n.last; k++ {
			switch n.word(k) {
			case "instead", "rather", "just", "only", ",":
				continue
			}
			return k
		}
	}
	return 0
}

// preferred returns the name before ", not Y". If that is only a participle, the name is what
// the sentence is about: in "links should be relative, resolved, not absolute" it is "links".
func (n *naming) preferred(k int) prose.Span {
	p := n.phraseBefore(k)
	if text := p.In(n.turn.Text); strings.HasSuffix(text, "ed") && !strings.Contains(text, " ") {
		for _, h := range n.hits {
			if h.Family == gate.ActShould && h.First > n.first && h.Last < k {
				for at := h.First; at < h.Last; at++ {
					if n.stops(at) {
						return n.subject(at)
					}
				}
			}
		}
	}
	return p
}

// prefers reads "prefer X over Y", "I'd rather X than Y", "I like X better" and "I'd rather not
// Y", which may follow what was considered before.
func (n *naming) prefers(h gate.Hit) {
	if n.word(h.Last) == "not" {
		n.considered(h.First)
		n.add(n.deed(h.Last+1), false)
		return
	}
	p, end := n.phrase(h.Last)
	switch n.word(h.Last - 1) {
	case "better", "more", "best": // i like X better
		if from := h.First + 2; from < h.Last-1 {
			p = n.bare(from, h.Last-1)
		}
	case "over": // prefer X over
		p, end = n.bare(h.First+1, h.Last-1), h.Last-1
	}
	n.add(p, true)
	if w := n.word(end); w == "over" || w == "to" || w == "than" || w == "rather" && n.word(end+1) == "than" {
		if w == "rather" {
			end++
		}
		no, _ := n.phrase(end + 1)
		n.add(no, false)
	}
}

// considered adds what was thought of before token end: "I was thinking X, but".
func (n *naming) considered(end int) {
	for k := n.first; k < end; k++ {
		switch n.word(k) {
		case "thinking", "considering", "considered", "tempted":
			for k++; n.word(k) == "of" || n.word(k) == "about" || n.word(k) == "to" || n.word(k) == "use" || n.word(k) == "by"; k++ {
			}
			p, _ := n.phrase(k)
			n.add(p, false)
			return
		}
	}
}

// atLast reads "instead, do X": what was turned down is in a sentence before, so only the
// chosen side is added, as the whole deed.
func (n *naming) atLast(h gate.Hit) {
	if n.word(h.First) != "instead" || h.First > n.first && n.kind(h.First-1) != prose.Mark {
		return
	}
	for _, other := range n.hits {
		switch {
		case other.First < h.Last || other.First > h.Last+1:
		case other.Family == gate.ActMake, other.Family == gate.ActOrder, other.Family == gate.ActShow, other.Family == gate.ActBuild:
			n.add(n.deed(other.First), true)
			return
		}
	}
}

// fromTo reads "from Y to X": X is chosen, Y is left.
// Both must be names: "from here to there" has none.
func (n *naming) fromTo(k int) {
	no, end := n.phrase(k + 1)
	if w := n.word(end); (w == "to" || w == "into") && no.End > no.Start {
		yes, _ := n.phrase(end + 1)
		n.add(yes, true)
		n.add(no, false)
	}
}

// either reads "either X or Y"; a later "go with" chooses one. If none
// is chosen, both stay open.
// Text after it is not read past the sentence.
func (n *naming) either(k int) {
	a, end := n.phrase(k + 1)
	if n.word(end) != "or" {
		return
	}
	b, end := n.phrase(end + 1)
	chosen := ""
	for _, h := range n.hits {
		if h.First >= end && (h.Family == gate.ActUse || h.Family == gate.ActDecided) {
			p, _ := n.phrase(h.Last)
			chosen = words.Lower(p.In(n.turn.Text))
		}
	}
	for _, p := range []prose.Span{a, b} {
		n.add(p, chosen != "" && strings.Contains(words.Lower(p.In(n.turn.Text)), chosen))
	}
}
