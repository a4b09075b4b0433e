package pipeline

import (
	"slices"

	"github.com/memscribe/memscribe/core"
)

// Group is a set of related streams: copies of each other's records, a session and its
// subagents. Groups are merged while their streams are read, and never split.
type Group struct {
	streams  []*Stream
	nodes    int // number of nodes with a candidate in the group
	sessions []sessionKey
}

// Key is the hash of a node or a session. Streams of different groups have no key in
// common. A collision makes a group larger than needed, and does no other harm.
type Key uint64

// KeyOf returns the key of the node with an id.
func KeyOf(id string) Key {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * prime
	}
	return Key(h)
}

// name is the id of the node that stands for the session.
func (k sessionKey) name() string { return core.NodeID("session", k.tool, k.id) }

// Group returns the group of a stream, until it is merged with another.
func (s *Stream) Group() *Group { return s.group }

// File returns the stream's name in provenance. If its records are files, it is the first.
func (s *Stream) File() string { return s.file }

// Tool returns the tool that writes the stream.
func (s *Stream) Tool() core.Tool { return s.tool }

// ShareGroup merges the groups of all streams of the tool with the same work, whose
// records are only understood together.
func (s *Stream) ShareGroup(work string) { s.set.session(s, sessionKey{s.tool, "\x00" + work}) }

// Streams returns the streams of the group, including closed ones.
func (g *Group) Streams() []*Stream { return g.streams }

// Nodes returns how many nodes have a candidate in the group.
func (g *Group) Nodes() int { return g.nodes }

// OnKey sets a function that is called with each new key and the stream that has it. A
// later stream with the same key joins its group.
func (s *Set) OnKey(f func(*Stream, Key)) { s.onKey = f }

// OnJoin sets a function that is called with each group that was merged from two.
func (s *Set) OnJoin(f func(*Group)) { s.onJoin = f }

// reportKey calls onKey for a stream that is the first with this node or session.
func (s *Set) reportKey(st *Stream, id string) {
	if s.onKey != nil {
		s.onKey(st, KeyOf(id))
	}
}

// Len returns the number of nodes in the set.
func (s *Set) Len() int { return s.claims.len() }

// join merges the groups of two streams.
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

// Forget removes a group with everything that was read from its streams, so that they can
// be read again. Nodes that Take has not returned yet are dropped. The streams must not be
// used any more.
func (s *Set) Forget(g *Group) {
	s.unsettled = slices.DeleteFunc(s.unsettled, func(st *Stream) bool { return st.group == g })
	for id := range s.changed { // in any order
		if c, ok := s.claims.get(core.NodeKeyOf(id)); ok && s.claims.of(c).group == g {
			delete(s.changed, id)
		}
	}
	s.claims.forget(g)
	for _, key := range g.sessions {
		delete(s.sessions, key)
	}
	*g = Group{}
}

// Return gives back a node from Take that could not be delivered: the next Take returns it
// again, unless there is a better candidate by then.
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
