// Package bind binds edits to the decisions that they carry out.
//
// An edit belongs to the decision of its own arc; failing that, to the live
// decision of the turns just before that it demonstrably serves, because the edit's path
// or its changed lines name what the decision names; failing that, to the turn that
// set the work; else to nothing. The most recent decision is no answer: topics
// interleave.
package bind

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
)

// Context is the point of a stream from which an edit looks back: its own line,
// or the one of the agent that spawned it.
type Context struct {
	Index *Index
	Arc   *segment.Arc
	Nth   int    // of the arc, or, where the index is of the session that one goes on from, as if it were one
	Seq   uint64 // only what was decided before it counts
	Known uint64 // and was known to be decided by then
}

// Link is what an edit hangs on: a decision, or a turn without one.
type Link struct {
	Decision *segment.Decision // nil for DerivedFrom
	Turn     *segment.Opening  // set for DerivedFrom
	Relation core.Relation
	Evidence core.Evidence
}

// Links says what the edit hangs on, seen from a context: at most one decision
// that it carries out or turn that it follows from, and the rules that govern
// it.
func Links(e *segment.Edit, from Context) []Link {
	match := from.Index.match(e, from)
	made, ok := produced(match, from)
	links := governing(match, from, made.Decision)
	if ok {
		return append([]Link{made}, links...)
	}
	if from.Arc != nil && from.Arc.Opening.Elevated && from.Arc.Opening.Since <= from.Known {
		follows := Link{Turn: &from.Arc.Opening, Relation: core.DerivedFrom, Evidence: core.SameArc}
		return append([]Link{follows}, links...)
	}
	return links
}

// produced finds the decision that the edit carries out.
func produced(match matches, from Context) (Link, bool) {
	if d := ofArc(match, from); d != nil {
		evidence := core.SameArc
		if byStructure(d) {
			evidence = core.Structured
		}
		return Link{Decision: d, Relation: core.Produced, Evidence: evidence}, true
	}
	var best *segment.Decision
	for _, d := range match.order {
		if carriesOut(d) && match.of[d].enough() && from.isNear(d) && (best == nil || match.of[d].better(match.of[best])) {
			best = d
		}
	}
	if best == nil {
		return Link{}, false
	}
	return Link{Decision: best, Relation: core.Produced, Evidence: match.of[best].evidence()}, true
}

// ofArc is the decision of the edit's own arc: of several, the one with which
// the edit shares most, and the first of equals.
func ofArc(match matches, from Context) *segment.Decision {
	if from.Arc == nil {
		return nil
	}
	var best *segment.Decision
	for _, d := range from.Arc.Decisions {
		if d.Live(from.Seq, from.Known) && carriesOut(d) && (best == nil || match.of[d].score() > match.of[best].score()) {
			best = d
		}
	}
	return best
}

// maxGoverning is under how many rules an edit falls: the latest that name something
// in it. A generated file may name something of all that was ever ruled.
const maxGoverning = 64

// governing finds the bans and standing rules under which the edit falls. What
// it carries out is not said twice.
func governing(match matches, from Context, made *segment.Decision) []Link {
	var links []Link
	for _, d := range match.order {
		if d != made && (d.Standing || d.IsBan && from.isNear(d)) && match.of[d].enough() {
			links = append(links, Link{Decision: d, Relation: core.Governs, Evidence: match.of[d].evidence()})
		}
	}
	links = links[max(0, len(links)-maxGoverning):]
	if from.Arc == nil {
		return links
	}
	for _, d := range from.Arc.Decisions {
		if len(links) == maxGoverning {
			break
		}
		if d.IsBan && d.Live(from.Seq, from.Known) && !match.of[d].enough() {
			links = append(links, Link{Decision: d, Relation: core.Governs, Evidence: core.SameArc})
		}
	}
	return links
}

// nearTurns is how many turns that set work may lie between a decision and an edit that
// names what it names. What is decided for a task is carried out in it or in the next few;
// later edits of the same files are other work. What stands always has no such end.
const nearTurns = 3

func (c Context) isNear(d *segment.Decision) bool { return c.Nth-d.Nth <= nearTurns }

// carriesOut reports whether edits can carry the decision out: a ban is obeyed,
// not carried out.
func carriesOut(d *segment.Decision) bool { return !d.IsBan }
