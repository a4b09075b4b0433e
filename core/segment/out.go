package segment

import "cmp"

// Out is a time in which a decision did not hold: behind Since, up to Until.
type Out struct {
	Since, Until uint64 // as seq of the stream; Until is Never while it lasts
	By           string // the id of the rewind, or of the decision that revoked it; "" is a rewind that was none
}

// ended is the seq of what stands behind all of a stream: a rewind in another one.
const ended = Never - 1

// A decision is taken back in two ways, and each says since when.
//
//	u1 use Postgres      |=======|.....|===|.....|=====>   holds, out, holds, …
//	u2 revert that               |=====|
//	r1 rewind behind u1                |
//	u3 revert that                         |=====|
//	r2 rewind behind u1                          |
//
// Another decision revokes it. If a rewind then takes the revocation itself, that
// never counted, and the time in which the decision was out ends there; however
// often that happens, every such time is remembered. A rewind takes it for good: of
// several the first counts.
//
// What held at a point of the stream is therefore the same whenever it is asked:
// later events add times that begin later, and end none before themselves. A rewind
// in another stream stands behind all of this one, so that it may become known at
// any moment.

// Live reports whether the decision held at a point of its stream, as far as that was
// known at another one, which does not stand before it.
// Seq is the place that is asked about: a decision does not hold at its own turn, only
// behind it.
func (d *Decision) Live(seq, known uint64) bool {
	if d.Since > known || d.dropped {
		return false
	}
	for _, o := range d.Outs {
		if o.Since < seq && seq <= o.Until {
			return false
		}
	}
	return d.Head.Seq < seq
}

// SupersededBy is the id of the rewind event, or of the decision, since which it no
// longer holds; "" if it stands.
func (d *Decision) SupersededBy() string {
	var first *Out
	for i := range d.Outs {
		if o := &d.Outs[i]; o.Until == Never && o.By != "" && (first == nil || o.before(first)) {
			first = o
		}
	}
	if first == nil {
		return ""
	}
	return first.By
}

func (o *Out) before(p *Out) bool {
	return cmp.Or(cmp.Compare(o.Since, p.Since), cmp.Compare(o.By, p.By)) < 0
}

// stands reports whether nothing in its own stream has taken the decision back.
func (d *Decision) stands() bool {
	for _, o := range d.Outs {
		if o.Until == Never && o.Since < ended {
			return false
		}
	}
	return true
}

// revoked notes that another decision takes this one back. It returns the decision if
// what supersedes it is another now. The other remembers it, in case a rewind takes the
// other.
func (d *Decision) revoked(by *Decision) []*Decision {
	was := d.SupersededBy()
	d.Outs = append(d.Outs, Out{Since: max(by.Head.Seq, by.Since), Until: Never, By: by.NodeID()})
	by.revokes = d
	return d.ifNot(was)
}

// rewound notes that a rewind takes the decision. What it had revoked was out until
// then and no longer. It returns the decisions that changed.
func (d *Decision) rewound(by string, since uint64) []*Decision {
	was := d.SupersededBy()
	d.take(by, since)
	changed := d.ifNot(was)
	old := d.revokes
	if old == nil {
		return changed
	}
	was = old.SupersededBy()
	for i := range old.Outs {
		if o := &old.Outs[i]; o.By == d.NodeID() {
			o.Until = min(o.Until, since)
		}
	}
	if !old.listed && !old.dropped && old.stands() {
		old.Thread.list(old)
	}
	return append(changed, old.ifNot(was)...)
}

// take adds a time that a rewind begins. Of those in other streams, which all
// stand behind this one, the one with the least id counts.
func (d *Decision) take(by string, since uint64) {
	for i := range d.Outs {
		if o := &d.Outs[i]; o.Since == ended && since == ended {
			o.By = min(o.By, by)
			return
		}
	}
	d.Outs = append(d.Outs, Out{Since: since, Until: Never, By: by})
}

// ifNot is the decision, if it is superseded by something else than it was.
func (d *Decision) ifNot(was string) []*Decision {
	if d.dropped || d.SupersededBy() == was {
		return nil
	}
	return []*Decision{d}
}

// void takes it back that a rewind has taken the decision: it still holds on
// another strand. Here it does not.
func (d *Decision) void(rewind string) (changed bool) {
	if d.dropped {
		return false
	}
	for i := range d.Outs {
		if d.Outs[i].By == rewind {
			d.Outs[i].By, changed = "", true
		}
	}
	return changed
}

// outsAt are the times in which it did not hold, as they stood at a point of the
// stream.
func (d *Decision) outsAt(seq uint64) (outs []Out) {
	for _, o := range d.Outs {
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
