// Package bind binds edits to the decisions that they carry out.
//
// An edit belongs to the decision of its own arc; failing that, to the live
// decision of the turns just before that it demonstrably serves, because the edit's path
// or its changed lines name what the decision names; failing that, to the turn that
// set the work; else to nothing. The most recent decision is no answer: topics
// interleave.
package bind

import (
	"slices"

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
	made, ok := produced(e, match, from)
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
func produced(e *segment.Edit, match matches, from Context) (Link, bool) {
	if d := ofArc(e, match, from); d != nil {
		evidence := core.SameArc
		if byStructure(d) {
			evidence = core.Structured
		}
		return Link{Decision: d, Relation: core.Produced, Evidence: evidence}, true
	}
	var best *segment.Decision
	for _, d := range match.order {
		if carriesOut(d) && from.isNear(d) && (best == nil || match.of[d].better(match.of[best])) && match.serves(e, d, from) {
			best = d
		}
	}
	if best == nil {
		return Link{}, false
	}
	return Link{Decision: best, Relation: core.Produced, Evidence: match.of[best].evidence()}, true
}

// ofArc is the decision of the edit's own arc. If the arc holds several, or asks for
// something besides its decision, it is the one with which the edit shares most. An edit that
// shares nothing with any is only known to follow from the turn.
func ofArc(e *segment.Edit, match matches, from Context) *segment.Decision {
	if from.Arc == nil {
		return nil
	}
	var all []*segment.Decision
	for _, d := range from.Arc.Decisions {
		if d.Live(from.Seq, from.Known) && carriesOut(d) {
			all = append(all, d)
		}
	}
	if len(all) == 0 || len(all) == 1 && !all[0].Besides {
		return slices.Concat(all, []*segment.Decision{nil})[0]
	}
	const name, path = 2, 8 // how many common words they are worth
	var best *segment.Decision
	most := 0
	for i, n := range spoken(e, all) {
		if s := match.of[all[i]]; s != nil {
			n += name*s.names + path*s.paths
		}
		if n > most {
			best, most = all[i], n
		}
	}
	return best
}

// serves reports whether an edit that names what a decision of an earlier arc names is
// made for it. The work that was set since has to be of the same topic. Or the
// edit itself shows it: it brings in what was chosen, or takes out what was not; or it
// changes something that the decision names, and in the same lines
// the decision speaks of more; or it changes several such things.
//
//	decided       Use cursor pagination for listOrders.
//	set later     "Back to pagination"         the same topic: any edit with listOrders
//	              "The header is too wide"     -  listOrders(id)
//	                                           +  listOrders(id, cursor)   listOrders stays, as it is
//	                                           +  // a cursor for listOrders           shows it
func (m matches) serves(e *segment.Edit, d *segment.Decision, from Context) bool {
	return from.sameTopic(e, d) || m.shows(d)
}

// shows reports whether an edit shows by itself that it is about what a decision names.
func (m matches) shows(d *segment.Decision) bool {
	s := m.of[d]
	if s.changed == 0 {
		return false
	}
	need := 1
	if m.large {
		need = 2
	}
	return s.changed-1+s.carried+len(s.beside)+2*s.paths >= need
}

// sameTopic reports whether the work in which an edit is made is about what was decided
// earlier: the turn that set it speaks of that, or of nothing ("ok, do it") and so do
// all turns back to the decision.
func (c Context) sameTopic(e *segment.Edit, d *segment.Decision) bool {
	arc := c.Arc
	if arc == nil {
		arc = e.Arc
	}
	for n := c.Nth - d.Nth; n > 0 && arc != nil; n-- {
		if words := arc.Opening.Words; len(words) > 0 {
			return words.Near(d.Words)
		}
		arc = arc.Before()
	}
	return true
}

// maxGoverning is under how many rules an edit falls: the latest that name something
// in it. A generated file may name something of all that was ever ruled.
const maxGoverning = 64

// governing finds the bans and standing rules under which the edit falls. What
// it carries out is not said twice.
func governing(match matches, from Context, made *segment.Decision) []Link {
	var links []Link
	for _, d := range match.order {
		if d != made && (d.Standing || d.IsBan && from.isNear(d)) && match.fallsUnder(d) {
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
		if d.IsBan && d.Live(from.Seq, from.Known) && !match.fallsUnder(d) {
			links = append(links, Link{Decision: d, Relation: core.Governs, Evidence: core.SameArc})
		}
	}
	return links
}

// fallsUnder reports whether an edit touches what a ban or rule names. What a ban names is
// its object; a rule names more, so that an edit has to show that it is about that.
func (m matches) fallsUnder(d *segment.Decision) bool {
	s := m.of[d]
	switch {
	case s == nil:
		return false
	case s.paths > 0:
		return true
	case d.IsBan:
		return s.touched > 0
	}
	return m.shows(d)
}

// nearTurns is how many turns that set work may lie between a decision and an edit that
// names what it names. What is decided for a task is carried out in it or in the next few;
// later edits of the same files are other work. What stands always has no such end.
const nearTurns = 3

func (c Context) isNear(d *segment.Decision) bool { return c.Nth-d.Nth <= nearTurns }

// carriesOut reports whether edits can carry the decision out: a ban is obeyed,
// not carried out.
func carriesOut(d *segment.Decision) bool { return !d.IsBan }
