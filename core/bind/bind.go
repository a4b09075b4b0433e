// Package bind binds edits to the decisions that they carry out.
//
// An edit carries out a decision of its own arc; if there are several, the one that it fits
// best. If the arc has none, it can carry out a decision of the arcs just before: then its path
// or its changed lines must name what the decision names, and it must fit the decision better
// than what was asked for since. Otherwise it is derived from the turn that opened the arc, or
// has no binding. The most recent decision is not good enough, since topics interleave.
//
//	user   Use cursor pagination for listOrders.      decision d1, arc 1
//	edit   src/orders.js                              produced by d1 (same arc)
//	user   The header is too wide.                    arc 2, no decision
//	edit   src/header.css                             derived from that turn
//	edit   src/orders.js  -offset(page) +cursor(page) produced by d1 (shared identifier)
//
// Bans and standing rules govern edits beside that: an edit has at most one decision that it
// carries out, and up to 64 that govern it.
//
// The parts, in the order in which an edit passes them: scan.go finds names in its diff,
// index.go looks up who names them, fit.go weighs words in common, object.go sees whether a
// ban's object is touched, and bind.go decides. All of it is a function of the facts.
//
// Sizes. An edit is compared with the decisions of its own arc and those just before it, and
// with standing rules that name something in its diff. The index finds these by name, so the
// cost does not grow with the number of decisions.
package bind

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// Context is the point of a stream from which an edit is bound: its own call or, for the edit
// of a subagent, the call that started the subagent.
//
// An edit of a subagent is bound from the call that started it: the decisions of the main line
// before that call count, and what the person said while the subagent worked does not.
type Context struct {
	Index *Index
	Arc   *segment.Arc
	Nth   int    // Nth of the arc, counted on through forks
	Seq   uint64 // decisions before it count
	Known uint64 // if they were known at this seq
}

// Link is what an edit is bound to: a decision, or a turn without one.
type Link struct {
	Decision *segment.Decision // nil for DerivedFrom
	Turn     *segment.Opening  // set for DerivedFrom
	Relation core.Relation
	Evidence core.Evidence
}

// Links returns the links of an edit: at most one decision that it carries out or turn that it
// is derived from, and the rules and bans that govern it. The order is fixed: what produced the
// edit, then what governs it by sequence.
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

// produced returns the link to the decision that an edit carries out.
func produced(e *segment.Edit, match matches, from Context) (Link, bool) {
	if d := decisionOfArc(e, match, from); d != nil {
		evidence := core.SameArc
		if byStructure(d) {
			evidence = core.Structured
		}
		return Link{Decision: d, Relation: core.Produced, Evidence: evidence}, true
	}
	var best *segment.Decision
	for _, d := range match.order {
		if canCarryOut(d) && match.of[d].isSpecific() && from.isNear(d) && !from.isOfArc(d) && (best == nil || match.of[d].atLeast(match.of[best])) && match.carriesOutEarlier(e, d, from) {
			best = d
		}
	}
	if best == nil {
		return Link{}, false
	}
	return Link{Decision: best, Relation: core.Produced, Evidence: match.of[best].evidence()}, true
}

// decisionOfArc returns the decision of the edit's arc that the edit fits best. Decisions of
// the latest turn come first. It returns nil if the edit fits the rest of the turn better, or
// no decision at all, unless the turn asks for one thing only and the edit is in the project.
func decisionOfArc(e *segment.Edit, match matches, from Context) *segment.Decision {
	if from.Arc == nil {
		return nil
	}
	var all []*segment.Decision
	for _, d := range from.Arc.Decisions {
		if d.Live(from.Seq, from.Known) && canCarryOut(d) {
			all = append(all, d)
		}
	}
	if len(all) == 0 {
		return nil
	}
	rest := from.restOfTurn(all)
	one := !all[0].Besides && isOneDecision(all) && !isAgentsOwn(e)
	if one && len(rest) == 0 && len(all) == 1 {
		return all[0]
	}
	latest := all[len(all)-1].Head.Seq
	at := slices.IndexFunc(all, func(d *segment.Decision) bool { return d.Head.Seq == latest })
	best, most, lead := match.best(e, all[at:], rest)
	if best == nil && at > 0 {
		best, most, lead = match.best(e, all[:at], rest)
	}
	if isTemporaryFile(e) && most < 2*changedWeight {
		return nil // temporary files have words in common with anything
	}
	if best == nil && one {
		best = all[len(all)-1]
	}
	if best == nil || lead <= -changedWeight && best.Head.Seq == from.Arc.Start && !best.Structured {
		return nil
	}
	return best
}

// isAgentsOwn reports whether an edit is of a file for the agent itself: a memory, or a
// temporary file.
func isAgentsOwn(e *segment.Edit) bool { return e.Memory != nil || isTemporaryFile(e) }

// isTemporaryFile reports whether an edit is of a temporary file outside of the project.
func isTemporaryFile(e *segment.Edit) bool {
	p := e.Head.Project
	return p != nil && p.Cwd != "" && isTemporaryPath(e.Diff.Path) && !isTemporaryPath(p.Cwd+"/")
}

// isTemporaryPath reports whether a path lies in a folder for temporary files, on any system.
func isTemporaryPath(path string) bool {
	path = strings.ReplaceAll(path, `\`, "/")
	return strings.HasPrefix(path, "/tmp/") || strings.HasPrefix(path, "/private/tmp/") || strings.HasPrefix(path, "/var/folders/") ||
		strings.Contains(path, "/AppData/Local/Temp/")
}

// restOfTurn returns the words of the turn that opened the arc, without those of its
// decisions.
func (c Context) restOfTurn(all []*segment.Decision) topic.Words {
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

// carriesOutEarlier reports whether an edit carries out a decision of an earlier arc that it
// shares a name with. The later turn must be on the same topic, or the edit must add a chosen
// option or remove a rejected one. The edit must not fit the later turn better.
//
//	decided       Use cursor pagination for listOrders.
//	later turn    "Back to pagination"         same topic: any edit with listOrders
//	              "The header is too wide"     -  offset(page)
//	                                           +  cursor(page)     adds the chosen option
func (m matches) carriesOutEarlier(e *segment.Edit, d *segment.Decision, from Context) bool {
	turn := from.laterTurn(e, d)
	switch s := m.of[d]; {
	case len(turn) == 0:
		return true
	case s.optionsCarried > 0:
		return m.isEvident(d) && !fitsBetter(e, d, turn, m.nameScore(d))
	}
	return turn.Near(d.Words) && !fitsBetter(e, d, turn, 0)
}

// fitsBetter reports whether an edit fits a later turn at least as well as a decision, not
// counting words that both have. More is added to the score of the decision.
func fitsBetter(e *segment.Edit, d *segment.Decision, turn topic.Words, more int) bool {
	n := fitScores(e, d.Words.Without(turn), turn.Without(d.Words))
	return n[1] > 0 && n[1] >= n[0]+more
}

// laterTurn returns the words of the turn that opened the arc of an edit, if that was after
// the decision. For a turn without words ("ok, do it") it returns those of the one before.
func (c Context) laterTurn(e *segment.Edit, d *segment.Decision) topic.Words {
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

// isEvident reports whether the changes of an edit show that it is about the decision.
func (m matches) isEvident(d *segment.Decision) bool {
	s := m.of[d]
	if s.changed == 0 {
		return false
	}
	need := 1
	if m.isLarge {
		need = 2
	}
	return s.changed-1+s.optionsCarried+len(s.context)+2*s.paths >= need
}

// maxGoverning is how many rules govern an edit at most: the latest ones. A generated file
// may name something of every rule.
const maxGoverning = 64

// governing returns the links to the bans and standing rules that govern an edit, without
// the decision that it carries out.
func governing(e *segment.Edit, match matches, from Context, made *segment.Decision) []Link {
	var links []Link
	for _, d := range match.order {
		if d != made && (d.Standing || d.IsBan && from.isNear(d)) && match.isGoverned(e, d, from) {
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
		if d.IsBan && d.Live(from.Seq, from.Known) && match.of[d] == nil && match.isGoverned(e, d, from) {
			links = append(links, Link{Decision: d, Relation: core.Governs, Evidence: core.SameArc})
		}
	}
	return links
}

// isGoverned reports whether a ban or rule governs an edit that shares a name with it.
//
// A ban governs edits of its file, of what it forbids, of the code that it names as the
// alternative and, if what it forbids is not known, of any code that it names. An edit of
// the same arc alone is not governed. A ban for one task ends with the next topic.
//
// A rule names more things. Therefore the changes must show that the edit is about the rule,
// and not about something later.
func (m matches) isGoverned(e *segment.Edit, d *segment.Decision, from Context) bool {
	s := m.of[d]
	switch {
	case s != nil && s.paths > 0:
		return true
	case d.IsBan && !d.Standing && from.hasLaterTopic(e, d):
		return false
	case d.IsBan:
		touches, known := m.changes.changesObject(e, d)
		if touches || s == nil {
			return touches
		}
		touched := s.chosenAdded
		if !known {
			touched += s.mentioned
		}
		if m.isLarge {
			touched--
		}
		return touched > 0
	}
	return s != nil && s.ownChanged > 0 && m.isEvident(d) && !fitsBetter(e, d, from.laterTurn(e, d), m.nameScore(d))
}

// hasLaterTopic reports whether an arc on another topic was opened after a decision and
// before an edit.
func (c Context) hasLaterTopic(e *segment.Edit, d *segment.Decision) bool {
	turn := c.laterTurn(e, d)
	return len(turn) > 0 && !turn.Near(d.Words)
}

// nearTurns is how many arcs may be between a decision and an edit that carries it out. A
// decision for a task is carried out in that task or the next few; later edits of the same
// files are other work. Standing rules have no such limit.
const nearTurns = 3

// isNear reports whether a decision was made at most nearTurns arcs before the edit.
func (c Context) isNear(d *segment.Decision) bool { return c.Nth-d.Nth <= nearTurns }

// isOfArc reports whether a decision was made in the arc of the edit.
func (c Context) isOfArc(d *segment.Decision) bool {
	return c.Arc != nil && slices.Contains(c.Arc.Decisions, d)
}

// canCarryOut reports whether an edit can carry out a decision: a ban is obeyed, not
// carried out.
func canCarryOut(d *segment.Decision) bool { return !d.IsBan }
