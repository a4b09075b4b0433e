// Package bind binds edits to the decisions that they carry out.
//
// An edit belongs to the decision of its own arc, or to the one of several that it fits best.
// Without one it belongs to a live decision of the turns just before: its path or its changed
// lines name what the decision names, and it fits the decision better than what was asked
// for since. Without that it follows from the turn that set the work, or from nothing. The most
// recent decision is no answer: topics interleave.
package bind

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// Context is the point of a stream from which an edit looks back: its own line,
// or the one of the agent that spawned it.
type Context struct {
	Index *Index
	Arc   *segment.Arc
	Nth   int    // of the arc, or, where the index is of the session that one continues, as if it were one
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
	links := governing(e, match, from, made.Decision)
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
		if carriesOut(d) && match.of[d].tells() && from.isNear(d) && !from.isOfArc(d) && (best == nil || match.of[d].better(match.of[best])) && match.serves(e, d, from) {
			best = d
		}
	}
	if best == nil {
		return Link{}, false
	}
	return Link{Decision: best, Relation: core.Produced, Evidence: match.of[best].evidence()}, true
}

// ofArc returns the decision of the edit's own arc that the edit fits best; those of the
// latest turn come first. It returns nil for an edit that fits the rest of the turn better, and
// for one that fits no decision, unless the turn asks for one thing and the edit is in the project.
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
	if len(all) == 0 {
		return nil
	}
	rest := from.rest(all)
	one := !all[0].Besides && twins(all) && !isAside(e)
	if one && len(rest) == 0 && len(all) == 1 {
		return all[0]
	}
	latest := all[len(all)-1].Head.Seq
	at := slices.IndexFunc(all, func(d *segment.Decision) bool { return d.Head.Seq == latest })
	best, most, lead := match.best(e, all[at:], rest)
	if best == nil && at > 0 {
		best, most, lead = match.best(e, all[:at], rest)
	}
	if isDraft(e) && most < 2*shows {
		return nil // one word in common is none: drafts are of anything
	}
	if best == nil && one {
		best = all[len(all)-1]
	}
	if best == nil || lead <= -shows && best.Head.Seq == from.Arc.Start && !best.Structured {
		return nil
	}
	return best
}

// isAside reports whether an edit is of what an agent keeps for itself: its memory, or a
// draft or a trial in the folder for temporary files.
func isAside(e *segment.Edit) bool { return e.Memory != nil || isDraft(e) }

// isDraft reports whether an edit is outside of the project, in the folder for temporary files.
func isDraft(e *segment.Edit) bool {
	p := e.Head.Project
	return p != nil && p.Cwd != "" && isTemporary(e.Diff.Path) && !isTemporary(p.Cwd+"/")
}

func isTemporary(path string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	return strings.HasPrefix(path, "/tmp/") || strings.HasPrefix(path, "/private/tmp/") || strings.HasPrefix(path, "/var/folders/") ||
		strings.Contains(path, "/AppData/Local/Temp/")
}

// rest is what the turn that set the work speaks of besides what it decides.
func (c Context) rest(all []*segment.Decision) topic.Words {
	turn := &c.Arc.Opening
	if turn.Offered || all[0].Head.Seq != c.Arc.Start {
		return nil
	}
	var decided topic.Words
	for _, d := range c.Arc.Decisions {
		if d.Head.Seq == c.Arc.Start {
			decided = decided.With(d.Words)
		}
	}
	return turn.Words.Without(decided)
}

// serves reports whether an edit carries out a decision of an earlier arc with which it shares
// a name. Either the work that was set since is on the same topic, or the edit carries out an option:
// it brings in what was chosen, or takes out what was not. In neither case may it fit the later
// work better.
//
//	decided       Use cursor pagination for listOrders.
//	set later     "Back to pagination"         the same topic: any edit with listOrders
//	              "The header is too wide"     -  offset(page)
//	                                           +  cursor(page)             carries it out
func (m matches) serves(e *segment.Edit, d *segment.Decision, from Context) bool {
	turn := from.since(e, d)
	switch s := m.of[d]; {
	case len(turn) == 0:
		return true
	case s.carried > 0:
		return m.shows(d) && !isOther(e, d, turn, m.named(d))
	}
	return turn.Near(d.Words) && !isOther(e, d, turn, 0)
}

// isOther reports whether an edit fits a later turn at least as well as a decision. Words
// that both have do not count.
func isOther(e *segment.Edit, d *segment.Decision, turn topic.Words, more int) bool {
	n := fits(e, d.Words.Without(turn), turn.Without(d.Words))
	return n[1] > 0 && n[1] >= n[0]+more
}

// since returns the words of the turn that set the work of an edit, if that was after the
// decision. A turn that says nothing ("ok, do it") stands for the one before it.
func (c Context) since(e *segment.Edit, d *segment.Decision) topic.Words {
	arc := c.Arc
	if arc == nil {
		arc = e.Arc
	}
	for n := c.Nth - d.Nth; n > 0 && arc != nil; n-- {
		if words := arc.Opening.Words; len(words) > 0 {
			return words
		}
		arc = arc.Previous()
	}
	return nil
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

// maxGoverning is under how many rules an edit falls: the latest that name something
// in it. A generated file may name something of all that was ever ruled.
const maxGoverning = 64

// governing finds the bans and standing rules under which the edit falls. What
// it carries out is not said twice.
func governing(e *segment.Edit, match matches, from Context, made *segment.Decision) []Link {
	var links []Link
	for _, d := range match.order {
		if d != made && (d.Standing || d.IsBan && from.isNear(d)) && match.fallsUnder(e, d, from) {
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
		if d.IsBan && d.Live(from.Seq, from.Known) && match.of[d] == nil && match.fallsUnder(e, d, from) {
			links = append(links, Link{Decision: d, Relation: core.Governs, Evidence: core.SameArc})
		}
	}
	return links
}

// fallsUnder reports whether an edit has to do with what a ban or rule is about. For a ban that is its file; what it
// forbids; what it says to take instead, if that is code; and whatever code it names, if what it forbids is
// not known. An edit that is only of the same work does not obey a ban. A ban that is said for a task ends when
// another topic is taken up. A rule names more: an edit has to show that
// it is about the rule, and not about what was decided or asked for since.
func (m matches) fallsUnder(e *segment.Edit, d *segment.Decision, from Context) bool {
	s := m.of[d]
	switch {
	case s != nil && s.paths > 0:
		return true
	case d.IsBan && !d.Standing && from.isElsewhere(e, d):
		return false
	case d.IsBan:
		touches, known := m.changes.touchObject(e, d)
		if touches || s == nil {
			return touches
		}
		touched := s.instead
		if !known {
			touched += s.mentioned
		}
		if m.large {
			touched--
		}
		return touched > 0
	}
	return s != nil && s.own > 0 && m.shows(d) && !isOther(e, d, from.since(e, d), m.named(d))
}

// isElsewhere reports whether work on another topic was set after a decision and before an edit.
func (c Context) isElsewhere(e *segment.Edit, d *segment.Decision) bool {
	turn := c.since(e, d)
	return len(turn) > 0 && !turn.Near(d.Words)
}

// nearTurns is how many turns that set work may lie between a decision and an edit that
// names what it names. What is decided for a task is carried out in it or in the next few;
// later edits of the same files are other work. What stands always has no such end.
const nearTurns = 3

func (c Context) isNear(d *segment.Decision) bool { return c.Nth-d.Nth <= nearTurns }

// isOfArc reports whether a decision was taken in the arc in which the edit is made.
func (c Context) isOfArc(d *segment.Decision) bool {
	return c.Arc != nil && slices.Contains(c.Arc.Decisions, d)
}

// carriesOut reports whether edits can carry the decision out: a ban is obeyed,
// not carried out.
func carriesOut(d *segment.Decision) bool { return !d.IsBan }
