package segment

import (
	"slices"

	"github.com/memscribe/memscribe/core"
)

// A record that continues from an earlier turn has two explanations, and when it is
// read nothing tells which is right:
//
//	u1 ─ a1 ─ u2 ─ a2           a person went back behind a1, and typed u3 in the place
//	      └── u3                of u2: what u2 decided does not hold any more
//
//	u1 ─ a1 ─ u2 ─ a2 ─ u4      a second process had read the session up to a1, and wrote
//	      └── u3                u3 into the same file: both hold, each on its strand
//
// It is taken for a rewind until u4 comes. Then the rewind is void: what it had superseded
// stands as before, and u3 stays on a strand of its own. That is why what a rewind leaves
// is kept.

// gone is what a rewind left, in case it was none: another process may continue from
// there.
type gone struct {
	by    string      // id of the rewind
	since uint64      // seq of it
	arc   *Arc        // the one that was alive
	taken []*Decision // what it superseded
	said  said        // the last words, of the latest rewinds
}

// maxLastWords is of how many rewinds the words before them are kept.
const maxLastWords = 4

// leave notes what a rewind is about to leave.
func (t *Thread) leave(by string, since uint64) *gone {
	if n := len(t.gone); n >= maxLastWords {
		t.gone[n-maxLastWords].said = said{}
	}
	t.gone = append(t.gone, &gone{by: by, since: since, arc: t.Arc, said: t.said})
	t.said, t.announced = said{}, nil
	return t.gone[len(t.gone)-1]
}

// part has a thread begin as a strand of another one: with everything that was
// decided until they parted, as it stood then. Facts of its own, for what
// becomes of a decision on one strand does not touch the others.
//
// If it continues what a rewind was believed to have left, that supersedes
// nothing any more.
// The copies have the same node ids as their originals. A node is sent once, and counts
// as superseded only where no strand holds it: that is what held counts.
func (f *Facts) part(t *Thread, strand *core.Strand) {
	from := f.threads[threadKey(t.Session, t.Name, strand.Of)]
	if from == nil {
		return
	}
	t.from = from
	at, arc := strand.At, from.Arc
	for _, g := range from.gone {
		if g.by != strand.Voids {
			continue
		}
		arc, t.said, g.said = g.arc, g.said, said{}
		for _, d := range g.taken {
			if d.void(g.by) {
				f.Changed = append(f.Changed, d)
			}
		}
	}
	same := t.copyDecisions(at)
	f.Parted = t.Decisions
	for arc != nil && arc.Start > at {
		arc = arc.before
	}
	f.ledger.spend(len(t.Decisions) * decisionCost)
	for next := &t.Arc; arc != nil; arc = arc.before {
		f.ledger.spend(arc.cost())
		own := *arc
		own.Decisions, own.before = nil, nil
		for _, d := range arc.Decisions {
			if mine := same[d]; mine != nil {
				own.Decisions = append(own.Decisions, mine)
			}
		}
		*next, next = &own, &own.before
	}
}

// copyDecisions takes over what was decided where the thread comes from, up to a
// point, as it stood there then.
func (t *Thread) copyDecisions(at uint64) map[*Decision]*Decision {
	same := map[*Decision]*Decision{}
	for _, d := range t.from.Decisions {
		if d.Head.Seq > at {
			break
		}
		own := *d
		own.Thread = t
		own.held, own.listed = nil, true
		if d.stands() {
			own.held = d.hold()
		}
		own.Outs, own.revokes = d.outsAt(at), same[d.revokes]
		same[d] = &own
		t.Decisions = append(t.Decisions, &own)
	}
	t.standing = slices.Clone(t.Decisions)
	return same
}

// hold counts one more strand in which the decision stands.
func (d *Decision) hold() *int {
	if d.held == nil {
		here := 1
		d.held = &here
	}
	*d.held++
	return d.held
}

// letGo says that a strand has the decision no more, and reports whether none has
// it now.
// Several strands share one counter, so that the last one to let go takes the node with
// it.
func (d *Decision) letGo() bool {
	if d.held == nil {
		return true
	}
	*d.held--
	return *d.held <= 0
}

// madeIn is the thread that knows a call: one that continues another may have
// the results of its calls.
func (t *Thread) madeIn(callID string) *Thread {
	if t.from == nil {
		return t
	}
	for at := t; at != nil; at = at.from {
		if _, ok := at.calls.get(callID); ok {
			return at
		}
	}
	return t
}
