package pipeline

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
)

// anchor is an event that another stream may refer to: a rewind goes back to it, or a fork
// continues from it.
type anchor struct {
	stream *Stream
	thread *segment.Thread
	seq    uint64
	nth    int // of the arc in which it lies
}

// joinRewind applies a rewind that goes back to an event in another stream, once both are
// read: a session that continues in a new file may begin with one.
func (s *Set) joinRewind(st *Stream, ev *core.Event) {
	ss := s.session(st, sessionKey{ev.Source, ev.Session})
	to, by := ev.ID, ss.cuts[ev.ID]
	if st.facts.Anchor != nil {
		st.isReferenced = true
		ss.anchors[to] = anchor{st, st.facts.Anchor, ev.Seq, nthOf(st.facts.Anchor.Arc)}
		s.bindForkEdits(ss, to)
	} else {
		to, by = st.facts.Cut, ev.ID
		if old := ss.cuts[to]; old != "" && old < by {
			by = old
		}
		ss.cuts[to] = by
	}
	at, known := ss.anchors[to]
	if by == "" || !known {
		return
	}
	for _, d := range at.thread.CutAfter(at.seq, by) {
		s.resend(at.stream, d)
	}
}
