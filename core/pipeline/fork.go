package pipeline

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/bind"
	"github.com/memscribe/memscribe/core/nodeprep"
)

// forkEdit is an edit of a fork, which may carry out or fall under decisions of the session
// that it was forked from. Its bindings in its own stream do not depend on those, so the
// order of reading does not matter.
type forkEdit struct {
	pendingEdit

	base       *Stream // the stream whose base is searched next
	isProduced bool    // it carries out a nearer decision
	nth        int     // number of arcs between the base and the edit
	depth      int     // number of forks between
}

// maxForks is how many nested forks an edit is followed through.
const maxForks = 64

// bindBeforeFork binds an edit to decisions before the fork, or registers it until they
// are known.
func (s *Set) bindBeforeFork(h forkEdit) {
	for base := h.base.base; base != (core.Base{}) && h.depth < maxForks; base = h.base.base {
		ss := s.session(h.stream, sessionKey{h.stream.tool, base.Session})
		at, known := ss.anchors[base.Event]
		if !known {
			ss.forkEdits[base.Event] = append(ss.forkEdits[base.Event], h)
			return
		}
		made := h.isProduced
		for _, l := range bind.Links(h.edit, bind.Context{Index: at.stream.index[at.thread], Nth: at.nth + h.nth, Seq: at.seq, Known: at.seq}) {
			if l.Relation == core.Produced && made {
				continue
			}
			h.isProduced = h.isProduced || l.Relation == core.Produced
			s.put(h.stream, nodeprep.Binding(h.edit, l), h.edit.Copied)
		}
		h.base, h.depth, h.nth = at.stream, h.depth+1, h.nth+at.nth
	}
}

// bindForkEdits binds the edits of forks that continue from an event that is known now.
func (s *Set) bindForkEdits(ss *session, event string) {
	waiting := ss.forkEdits[event]
	delete(ss.forkEdits, event)
	for _, h := range waiting {
		s.bindBeforeFork(h)
	}
}
