package pipeline

import (
	"cmp"

	"github.com/memscribe/memscribe/core"
)

// claims has the best candidate for each node. It grows with everything that was ever
// read, so a claim takes 32 bytes and has no pointers.
//
//	node ──► claim ──► number of a stream ──► stream
//	                   number in its sessions
type claims struct {
	byNode    map[core.NodeKey]claim
	streams   []*Stream // by number; nil if forgotten
	free      []uint32  // unused numbers
	forgotten []uint32  // numbers of forgotten streams that still have claims
	stale     int       // number of these claims
}

// claim is a candidate for a node.
type claim struct {
	stream  uint32
	session uint32 // in the stream's sessions
	place   uint64 // the seq, with the bit copied
}

// copied is the bit of a record that is marked as a copy.
const copied = 1 << 63

// seq is the place in the stream without the mark of a copy.
func (c claim) seq() uint64 { return c.place &^ copied }

// newClaims returns claims without any.
func newClaims() claims { return claims{byNode: map[core.NodeKey]claim{}} }

// addStream adds a stream and returns its number.
func (x *claims) addStream(st *Stream) uint32 {
	if n := len(x.free); n > 0 {
		number := x.free[n-1]
		x.free, x.streams[number] = x.free[:n-1], st
		return number
	}
	x.streams = append(x.streams, st)
	return uint32(len(x.streams) - 1)
}

// removeStream removes a stream that has no claims.
func (x *claims) removeStream(number uint32) {
	x.streams[number] = nil
	x.free = append(x.free, number)
}

// claim returns the claim of a stream to a node.
func (s *Stream) claim(session string, seq uint64, isCopy bool) claim {
	c := claim{stream: s.number, session: s.sessions.number(session), place: seq}
	if isCopy {
		c.place |= copied
	}
	return c
}

// get returns the best claim to a node, if there is one.
func (x *claims) get(key core.NodeKey) (claim, bool) {
	c, ok := x.byNode[key]
	return c, ok && x.streams[c.stream] != nil
}

// set sets the best claim to a node.
func (x *claims) set(key core.NodeKey, c claim) {
	if x.stale > 0 {
		if old, ok := x.byNode[key]; ok && x.streams[old.stream] == nil {
			x.stale--
		}
	}
	x.byNode[key] = c
}

// of returns the stream of a claim.
func (x *claims) of(c claim) *Stream { return x.streams[c.stream] }

// session is the id of the session that a claim is of.
func (x *claims) session(c claim) string { return x.of(c).sessions.ids[c.session] }

// len is how many nodes are claimed.
func (x *claims) len() int { return len(x.byNode) - x.stale }

// forget forgets the streams of a group. Their claims are deleted when they are half of
// all claims.
func (x *claims) forget(g *Group) {
	for _, st := range g.streams {
		x.streams[st.number] = nil
		x.forgotten = append(x.forgotten, st.number)
	}
	x.stale += g.nodes
	if 2*x.stale < len(x.byNode) {
		return
	}
	for key, c := range x.byNode { // in any order
		if x.streams[c.stream] == nil {
			delete(x.byNode, key)
		}
	}
	x.free, x.forgotten, x.stale = append(x.free, x.forgotten...), x.forgotten[:0], 0
}

// compare ranks candidates for the same node, the best first: originals before copies,
// then by session, file and seq. The order of reading does not matter.
func (x *claims) compare(c, d claim) int {
	if r := cmp.Compare(c.place&copied, d.place&copied); r != 0 {
		return r
	}
	if c.stream == d.stream && c.session == d.session {
		return cmp.Compare(c.place, d.place)
	}
	return cmp.Or(cmp.Compare(x.session(c), x.session(d)), cmp.Compare(x.of(c).file, x.of(d).file), cmp.Compare(c.place, d.place))
}

// sessionIDs numbers the sessions in a stream: mostly one.
type sessionIDs struct {
	ids []string
	at  map[string]uint32
}

// number returns the number of a session, and adds it if it is new. The map is made for
// the second session.
func (x *sessionIDs) number(id string) uint32 {
	if n := len(x.ids); n > 0 && x.ids[n-1] == id {
		return uint32(n - 1)
	}
	if len(x.ids) == 0 {
		x.ids = append(x.ids, id)
		return 0
	}
	if x.at == nil {
		x.at = map[string]uint32{x.ids[0]: 0}
	}
	n, ok := x.at[id]
	if !ok {
		n = uint32(len(x.ids))
		x.at[id] = n
		x.ids = append(x.ids, id)
	}
	return n
}

// put adds a stream's candidate for a node. The best candidate is sent.
func (s *Set) put(st *Stream, n *core.Node, copied bool) {
	key := core.NodeKeyOf(n.ID)
	now := st.claim(n.Session, n.Seq, copied)
	old, ok := s.claims.get(key)
	if ok {
		s.claims.of(old).join(st)
		if s.claims.compare(old, now) < 0 {
			return
		}
	} else {
		st.group.nodes++
		s.reportKey(st, n.ID)
	}
	s.claims.set(key, now)
	s.changed[n.ID] = n
}
