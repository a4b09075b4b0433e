package pipeline

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/segment"
)

// Rewinds: a session that continues in a new file may begin with going back to an event
// of the old one. The two are joined when both are read, whichever comes first.

// anchor is an event to which another stream may refer: a rewind that goes back to
// it, a fork that continues it.
type anchor struct {
	stream *Stream
	thread *segment.Thread
	seq    uint64
	nth    int // of the arc in which it lies
}

// cut joins a rewind with the event in another stream to which it goes back,
// whichever is read first.
func (s *Set) cut(st *Stream, ev *core.Event) {
	ss := s.session(st, sessionKey{ev.Source, ev.Session})
	to, by := ev.ID, ss.cuts[ev.ID]
	if st.facts.Anchor != nil {
		st.asked = true
		ss.anchors[to] = anchor{st, st.facts.Anchor, ev.Seq, nthOf(st.facts.Anchor.Arc)}
		s.inherited(ss, to)
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
		s.again(at.stream, d)
	}
}
