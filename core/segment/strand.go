package segment

import (
	"slices"

	"github.com/memscribe/memscribe/core"
)

// A record that continues from an earlier turn has two possible explanations:
//
//	u1 ─ a1 ─ u2 ─ a2           the person went back to a1 and typed u3 in place of u2:
//	      └── u3                u2 is superseded
//
//	u1 ─ a1 ─ u2 ─ a2 ─ u4      a second process had read the session up to a1 and wrote
//	      └── u3                u3 to the same file: both are in force, each on its strand
//
// Only u4 shows which one is right. Until then the record counts as a rewind. If u4 comes,
// the rewind is void: the decisions that it superseded are in force again, and u3 stays on
// a strand of its own. For this, each rewind saves the state that it leaves.

// rewindPoint is the state of a thread before a rewind.
type rewindPoint struct {
	id         string      // of the rewind event
	seq        uint64      // of the rewind event
	arc        *Arc        // the current arc before it
	superseded []*Decision // decisions that it superseded
	lastWords  lastWords   // kept for the latest rewinds only
}

// maxLastWords is the number of rewinds whose lastWords are kept.
const maxLastWords = 4

// saveRewindPoint saves the state of a thread before a rewind.
func (t *Thread) saveRewindPoint(by string, since uint64) *rewindPoint {
	if n := len(t.rewinds); n >= maxLastWords {
		t.rewinds[n-maxLastWords].lastWords = lastWords{}
	}
	t.rewinds = append(t.rewinds, &rewindPoint{id: by, seq: since, arc: t.Arc, lastWords: t.lastWords})
	t.lastWords, t.announced = lastWords{}, nil
	return t.rewinds[len(t.rewinds)-1]
}

// forkStrand starts a thread as a strand of another one. It begins with copies of the
// decisions up to the fork, as they were then; later events on one strand do not change
// the other. If it continues from a supposed rewind, that rewind becomes void.
//
// Copies have the node ids of their originals. A node is superseded when no strand has it
// in force any more, which Decision.holders counts.
func (f *Facts) forkStrand(t *Thread, strand *core.Strand) {
	from := f.threads[threadKey(t.Session, t.Name, strand.Of)]
	if from == nil {
		return
	}
	t.parent = from
	f.Changed = append(f.Changed, f.Settle()...)
	at, arc := strand.At, from.Arc
	for _, g := range from.rewinds {
		if g.id != strand.Voids {
			continue
		}
		arc, t.lastWords, g.lastWords = g.arc, g.lastWords, lastWords{}
		for _, d := range g.superseded {
			if d.voidRewind(g.id) {
				f.Changed = append(f.Changed, d)
			}
		}
	}
	same := t.copyDecisions(at)
	f.Inherited = t.Decisions
	for arc != nil && arc.Start > at {
		arc = arc.previous
	}
	f.budget.spend(len(t.Decisions) * decisionCost)
	for next := &t.Arc; arc != nil; arc = arc.previous {
		f.budget.spend(arc.cost())
		own := *arc
		own.Decisions, own.previous = nil, nil
		for _, d := range arc.Decisions {
			if mine := same[d]; mine != nil {
				own.Decisions = append(own.Decisions, mine)
			}
		}
		*next, next = &own, &own.previous
	}
}

// copyDecisions copies the decisions of the parent up to a seq, as they were then. It
// returns the copies by their originals.
func (t *Thread) copyDecisions(at uint64) map[*Decision]*Decision {
	same := map[*Decision]*Decision{}
	for _, d := range t.parent.Decisions {
		if d.Head.Seq > at {
			break
		}
		own := *d
		own.Thread = t
		own.holders, own.isRewindable = nil, true
		if d.isInForce() {
			own.holders = d.addHolder()
		}
		own.Gaps, own.revokes = d.gapsAt(at), same[d.revokes]
		same[d] = &own
		t.Decisions = append(t.Decisions, &own)
	}
	t.rewindable = slices.Clone(t.Decisions)
	return same
}

// addHolder counts one more strand in which the decision is in force.
func (d *Decision) addHolder() *int {
	if d.holders == nil {
		here := 1
		d.holders = &here
	}
	*d.holders++
	return d.holders
}

// releaseHolder counts one strand less, and reports whether none is left. The copies of a
// decision share one counter.
func (d *Decision) releaseHolder() bool {
	if d.holders == nil {
		return true
	}
	*d.holders--
	return *d.holders <= 0
}

// threadOfCall returns the thread that made a call: the result may be on a strand that was
// forked after the call.
func (t *Thread) threadOfCall(callID string) *Thread {
	if t.parent == nil {
		return t
	}
	for at := t; at != nil; at = at.parent {
		if _, ok := at.calls.get(callID); ok {
			return at
		}
	}
	return t
}
