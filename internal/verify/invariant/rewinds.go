package invariant

import (
	"slices"

	"github.com/memscribe/memscribe/internal/verify/trial"
)

// rewinds: a rewind goes back to an event of its transcript that came before, to one of the
// transcript that it continues from, or to the start. What was decided between on its strand is
// superseded, and nothing is superseded by anything but a rewind or another decision. A rewind
// that turned out to be none (a later event voids it) supersedes nothing.
//
//	seq   0    1    2    3    4
//	      u    D1   u    D2   rewind to 1      D2 is superseded, D1 is not
func rewinds(p *problems, r *trial.Result) {
	index := indexed(r)
	isRewind, voided := map[string]bool{}, map[string]bool{}
	for _, e := range r.Events() {
		voided[e.Voids] = true
	}
	for _, s := range r.Streams {
		for _, e := range s.Events {
			if e.Event != "rewind" {
				continue
			}
			if voided[e.ID] {
				continue
			}
			isRewind[e.ID] = true
			to, ok := index.target(s, e)
			if !ok && len(r.Streams) == 1 && e.Seq == 0 {
				continue // the transcript that it continues from is not here
			}
			if !ok {
				p.add("rewind", "%s: rewind to %s, which did not come before", where(e.Provenance), e.Body.ToEvent)
				continue
			}
			for _, d := range r.NodesOf("decision") {
				if to.removes(s, e, d) && d.SupersededBy == "" {
					p.add("rewind", "%s: the rewind to seq %d takes back %q of seq %d, which is not superseded", where(e.Provenance), to.seq, d.Epitome, d.Seq)
				}
			}
		}
	}
	supersessions(p, r, isRewind)
}

// supersessions: a decision is superseded by a rewind or by a decision that
// itself stands or was replaced, not by one that a rewind took back.
func supersessions(p *problems, r *trial.Result, isRewind map[string]bool) {
	by := map[string]string{}
	for _, d := range r.NodesOf("decision") {
		by[d.ID] = d.SupersededBy
	}
	for _, d := range r.NodesOf("decision") {
		over, isDecision := by[d.SupersededBy]
		switch {
		case d.SupersededBy == "" || isRewind[d.SupersededBy]:
		case !isDecision:
			p.add("superseded", "%s: superseded by %s, which is no rewind and no decision", d.ID, d.SupersededBy)
		case isRewind[over]:
			p.add("superseded", "%s: %q is superseded by %s, which the rewind %s took back", d.ID, d.Epitome, d.SupersededBy, over)
		}
	}
}

// place is where an event stands. A seq of -1 is before the first event.
type place struct {
	stream *trial.Stream
	seq    int64
}

// index has the places of events by their ids.
type index map[string][]place

// indexed makes an index of all events of a result.
func indexed(r *trial.Result) index {
	x := index{}
	for _, s := range r.Streams {
		for _, e := range s.Events {
			x[e.ID] = append(x[e.ID], place{s, int64(e.Seq)})
		}
	}
	return x
}

// target returns where a rewind goes back to: in its own stream, else in another of the same
// session. A rewind to no event goes back to the start. It is false if the event is nowhere, or
// comes only later.
func (x index) target(s *trial.Stream, e *trial.Event) (place, bool) {
	if e.Body.ToEvent == "" {
		return place{s, -1}, true
	}
	var found place
	for _, at := range x[e.Body.ToEvent] {
		if at.stream == s && at.seq < int64(e.Seq) {
			return at, true
		}
		if at.stream != s && at.stream.Events[at.seq].SessionID == e.SessionID {
			found = at
		}
	}
	return found, found.stream != nil
}

// removes reports whether the rewind e, of stream s, back to the place takes a decision back:
// the decision lies between both, on the same thread and strand. Decisions of another branch,
// made while this one continued, are not taken back.
func (to place) removes(s *trial.Stream, e *trial.Event, d *trial.Node) bool {
	last := d.Provenance[len(d.Provenance)-1]
	if last.File != to.stream.Input.Name || d.ThreadID != e.ThreadID || int64(d.Seq) <= to.seq {
		return false
	}
	if to.stream != s {
		return true
	}
	// What stands on another strand, too, is not taken back.
	elsewhere := func(other *trial.Event) bool { return other.Strand != e.Strand }
	return d.Seq < e.Seq && !slices.ContainsFunc(s.Events[d.Seq:e.Seq], elsewhere)
}
