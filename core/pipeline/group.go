package pipeline

import "github.com/memscribe/memscribe/core"

// Group is streams that may have a say in each other's nodes: copies
// of each other's records, a session and its subagents. Groups grow together
// while their streams are read, and never part.
type Group struct {
	streams  []*Stream
	nodes    int // for which its streams are candidates
	sessions []sessionKey
}

// Key is what streams of different groups never have in common: a node or a
// session, as a hash. Two that are different may have the same hash, which then
// makes groups larger than need be.
type Key uint64

// KeyOf is the key of the node with that id.
func KeyOf(id string) Key {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * prime
	}
	return Key(h)
}

func (k sessionKey) name() string { return core.NodeID("session", k.tool, k.id) }

// Group is the group of a stream, until it joins another.
func (s *Stream) Group() *Group { return s.group }

// File is what provenance says, unless the records are files themselves: it is
// then the first one.
func (s *Stream) File() string { return s.file }

// Tool is the one that writes the stream.
func (s *Stream) Tool() core.Tool { return s.tool }

// Share makes the stream one of a group with all of its tool's that share the
// same: their records are read in each other's light.
func (s *Stream) Share(work string) { s.set.session(s, sessionKey{s.tool, "\x00" + work}) }

// Streams are those of the group, also the closed ones.
func (g *Group) Streams() []*Stream { return g.streams }

// Nodes is how many nodes the group has candidates for.
func (g *Group) Nodes() int { return g.nodes }

// OnKey has f told of every key that a stream is the first to have in the set.
// A stream that has one of another stream's joins its group.
func (s *Set) OnKey(f func(*Stream, Key)) { s.onKey = f }

// OnJoin has f told of every group that two have become.
func (s *Set) OnJoin(f func(*Group)) { s.onJoin = f }

// added says that a stream is the first of the set to have a node or session of this id.
func (s *Set) added(st *Stream, id string) {
	if s.onKey != nil {
		s.onKey(st, KeyOf(id))
	}
}

// Len is how many nodes the set keeps track of.
func (s *Set) Len() int { return s.claims.len() }

// join makes one group of those of two streams.
func (s *Stream) join(o *Stream) {
	if s.group == o.group {
		return
	}
	to, from := s.group, o.group
	if len(to.streams) < len(from.streams) {
		to, from = from, to
	}
	for _, st := range from.streams {
		st.group = to
	}
	to.streams = append(to.streams, from.streams...)
	to.nodes += from.nodes
	to.sessions = append(to.sessions, from.sessions...)
	*from = Group{}
	if s.set.onJoin != nil {
		s.set.onJoin(to)
	}
}

// Forget drops a group and everything that its streams have said, so that they
// can be read again. Nodes that Take has not returned yet are dropped too. The
// streams may not be used any more.
func (s *Set) Forget(g *Group) {
	for id := range s.changed { // each for itself, in any order
		if c, ok := s.claims.get(core.NodeKeyOf(id)); ok && s.claims.of(c).group == g {
			delete(s.changed, id)
		}
	}
	s.claims.leave(g)
	for _, key := range g.sessions {
		delete(s.sessions, key)
	}
	*g = Group{}
}

// Return gives back a node that Take has returned and that could not be used
// yet: the next Take returns it again, unless another one stands in its place by
// then.
func (s *Set) Return(n *core.Node) {
	stands, ok := s.claims.get(core.NodeKeyOf(n.ID))
	if _, newer := s.changed[n.ID]; newer || !ok || s.claims.session(stands) != n.Session || stands.seq() != n.Seq {
		return
	}
	st := s.claims.of(stands)
	if len(n.Provenance) > 0 && !st.rows && n.Provenance[len(n.Provenance)-1].File != st.file {
		return
	}
	s.changed[n.ID] = n
}
