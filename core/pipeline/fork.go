package pipeline

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/nodeprep"
)

// heir is an edit of a fork that refers to the history it has in common with
// another session: it may carry out, or fall under, what was decided there. What
// it hangs on in its own stream it hangs on whatever stands there, so that the
// order in which the two are read makes no difference.
type heir struct {
	waiter

	of   *Stream // the base of this one is looked at next
	made bool    // it carries out a decision that stands nearer
	nth  int     // how many turns set work between the base and the edit
	far  int     // how many forks lie between
}

// maxForks is how many forks of forks an edit is followed through.
const maxForks = 64

// inherit ties an edit to what was decided before the fork, at once or when that
// becomes known.
func (s *Set) inherit(h heir) {
	for base := h.of.base; base != (core.Base{}) && h.far < maxForks; base = h.of.base {
		ss := s.session(h.stream, sessionKey{h.stream.tool, base.Session})
		at, known := ss.anchors[base.Event]
		if !known {
			ss.heirs[base.Event] = append(ss.heirs[base.Event], h)
			return
		}
		made := h.made
		for _, l := range bind.Links(h.edit, bind.Context{Index: at.stream.index[at.thread], Nth: at.nth + h.nth, Seq: at.seq, Known: at.seq}) {
			if l.Relation == core.Produced && made {
				continue
			}
			h.made = h.made || l.Relation == core.Produced
			s.put(h.stream, nodeprep.Binding(h.edit, l), h.edit.Copied)
		}
		h.of, h.far, h.nth = at.stream, h.far+1, h.nth+at.nth
	}
}

// inherited ties the edits of forks that go on from an event which is known now.
func (s *Set) inherited(ss *session, event string) {
	waiting := ss.heirs[event]
	delete(ss.heirs, event)
	for _, h := range waiting {
		s.inherit(h)
	}
}
