package segment

import "cmp"

// Gap is an interval in which a decision was not in force: after Since, up to Until. An
// example: D is made at 3, and a rewind at 8 goes back to 2. Then D was in force from 4 to 8,
// and has one gap:
//
//	{Since: 8, Until: Never, By: the id of the rewind}
type Gap struct {
	Since, Until uint64 // seqs; Until is Never while the gap lasts
	By           string // id of the rewind or of the revoking decision; "" for a void rewind
}

// endOfStream is the seq of a rewind in another stream: after all events of this one.
const endOfStream = Never - 1

// Two things end a decision, a revocation and a rewind:
//
//	u1 use Postgres      |=======|.....|===|.....|=====>   in force, not, in force, …
//	u2 revert that               |=====|
//	r1 rewind behind u1                |
//	u3 revert that                         |=====|
//	r2 rewind behind u1                          |
//
// A revocation is another decision. If a rewind supersedes that one, the gap ends there.
// This can happen several times, and each gap is kept. A rewind ends a decision for good;
// of several rewinds the first one counts.
//
// Later events only add gaps that begin later, and end no gap before their own seq: what
// was in force at a point of the stream never changes. A rewind in another stream comes
// after all of this one, so that it may be read at any time.

// Live reports whether the decision was in force at seq, as far as was known at the seq
// known, which is not before it. A decision is in force after its own turn, not at it.
func (d *Decision) Live(seq, known uint64) bool {
	if d.Since > known || d.dropped {
		return false
	}
	for _, o := range d.Gaps {
		if o.Since < seq && seq <= o.Until {
			return false
		}
	}
	return d.Head.Seq < seq
}

// SupersededBy returns the id of the rewind event or decision that supersedes the
// decision, or "" if it is in force.
func (d *Decision) SupersededBy() string {
	var first *Gap
	for i := range d.Gaps {
		if o := &d.Gaps[i]; o.Until == Never && o.By != "" && (first == nil || o.isBefore(first)) {
			first = o
		}
	}
	if first == nil {
		return ""
	}
	return first.By
}

// isBefore orders gaps by their begin, and those of one seq by id, so that the order of reading
// does not show.
func (o *Gap) isBefore(p *Gap) bool {
	return cmp.Or(cmp.Compare(o.Since, p.Since), cmp.Compare(o.By, p.By)) < 0
}

// isInForce reports whether nothing in its own stream supersedes the decision.
func (d *Decision) isInForce() bool {
	for _, o := range d.Gaps {
		if o.Until == Never && o.Since < endOfStream {
			return false
		}
	}
	return true
}

// revokedBy records that another decision revokes this one. It returns the decision if
// SupersededBy changed.
func (d *Decision) revokedBy(by *Decision) []*Decision {
	was := d.SupersededBy()
	d.Gaps = append(d.Gaps, Gap{Since: max(by.Head.Seq, by.Since), Until: Never, By: by.NodeID()})
	by.revokes = d
	return d.ifChanged(was)
}

// rewoundBy records that a rewind supersedes the decision, and ends the gap of the one
// that it revoked. It returns the decisions that changed.
func (d *Decision) rewoundBy(by string, since uint64) []*Decision {
	was := d.SupersededBy()
	d.addRewind(by, since)
	changed := d.ifChanged(was)
	old := d.revokes
	if old == nil {
		return changed
	}
	was = old.SupersededBy()
	for i := range old.Gaps {
		if o := &old.Gaps[i]; o.By == d.NodeID() {
			o.Until = min(o.Until, since)
		}
	}
	if !old.isRewindable && !old.dropped && old.isInForce() {
		old.Thread.addRewindable(old)
	}
	return append(changed, old.ifChanged(was)...)
}

// addRewind adds the gap of a rewind. Of several rewinds in other streams, which all have
// the seq endOfStream, the one with the least id counts.
func (d *Decision) addRewind(by string, since uint64) {
	for i := range d.Gaps {
		if o := &d.Gaps[i]; o.Since == endOfStream && since == endOfStream {
			o.By = min(o.By, by)
			return
		}
	}
	d.Gaps = append(d.Gaps, Gap{Since: since, Until: Never, By: by})
}

// ifChanged returns the decision if SupersededBy is no longer what it was.
func (d *Decision) ifChanged(was string) []*Decision {
	if d.dropped || d.SupersededBy() == was {
		return nil
	}
	return []*Decision{d}
}

// voidRewind removes the id of a void rewind from its gap. The gap itself stays: the
// decision is in force on another strand, not on this one.
func (d *Decision) voidRewind(rewind string) (changed bool) {
	if d.dropped {
		return false
	}
	for i := range d.Gaps {
		if d.Gaps[i].By == rewind {
			d.Gaps[i].By, changed = "", true
		}
	}
	return changed
}

// gapsAt returns the gaps as they were known at a seq.
func (d *Decision) gapsAt(seq uint64) (outs []Gap) {
	for _, o := range d.Gaps {
		if o.Since > seq {
			continue
		}
		if o.Until > seq {
			o.Until = Never
		}
		outs = append(outs, o)
	}
	return outs
}
