package pipeline

import (
	"cmp"

	"github.com/memscribe/memscribe/core"
)

// claims says which candidate for each node stands. They are what grows with
// everything that was ever read, so that one takes 32 bytes and holds no pointer.
//
//	node ──► claim ──► number of a stream ──► stream
//	                   number in its sessions
type claims struct {
	byNode  map[core.NodeKey]claim
	streams []*Stream // by number; nil: it was forgotten
	free    []uint32  // numbers of none
	left    []uint32  // numbers of streams that were forgotten, but for their claims
	dead    int       // claims of these
}

// claim is one candidate.
type claim struct {
	stream  uint32
	session uint32 // in the stream's sessions
	place   uint64 // its seq, and copied
}

// copied says that the record is a copy, and says so.
const copied = 1 << 63

func (c claim) seq() uint64 { return c.place &^ copied }

func newClaims() claims { return claims{byNode: map[core.NodeKey]claim{}} }

// enter gives a stream its number.
func (x *claims) enter(st *Stream) uint32 {
	if n := len(x.free); n > 0 {
		number := x.free[n-1]
		x.free, x.streams[number] = x.free[:n-1], st
		return number
	}
	x.streams = append(x.streams, st)
	return uint32(len(x.streams) - 1)
}

// drop takes a number back from a stream that claims nothing.
func (x *claims) drop(number uint32) {
	x.streams[number] = nil
	x.free = append(x.free, number)
}

// claim is what the stream claims.
func (s *Stream) claim(session string, seq uint64, isCopy bool) claim {
	c := claim{stream: s.number, session: s.sessions.number(session), place: seq}
	if isCopy {
		c.place |= copied
	}
	return c
}

// get returns the claim that stands, if there is one.
func (x *claims) get(key core.NodeKey) (claim, bool) {
	c, ok := x.byNode[key]
	return c, ok && x.streams[c.stream] != nil
}

// set gives a node to a stream. One whose stream was forgotten counts as new.
func (x *claims) set(key core.NodeKey, c claim) {
	if x.dead > 0 {
		if old, ok := x.byNode[key]; ok && x.streams[old.stream] == nil {
			x.dead--
		}
	}
	x.byNode[key] = c
}

// of is the stream of a claim that stands.
func (x *claims) of(c claim) *Stream { return x.streams[c.stream] }

func (x *claims) session(c claim) string { return x.of(c).sessions.ids[c.session] }

func (x *claims) len() int { return len(x.byNode) - x.dead }

// leave forgets the streams of a group. Their claims are swept out when there are as
// many of them as others.
func (x *claims) leave(g *Group) {
	for _, st := range g.streams {
		x.streams[st.number] = nil
		x.left = append(x.left, st.number)
	}
	x.dead += g.nodes
	if 2*x.dead < len(x.byNode) {
		return
	}
	for key, c := range x.byNode { // each for itself, in any order
		if x.streams[c.stream] == nil {
			delete(x.byNode, key)
		}
	}
	x.free, x.left, x.dead = append(x.free, x.left...), x.left[:0], 0
}

// compare ranks candidates for the same node, the best first: an original
// before a copy that says so; then by what they are, so that the order in which
// streams are read has no say.
func (x *claims) compare(c, d claim) int {
	if r := cmp.Compare(c.place&copied, d.place&copied); r != 0 {
		return r
	}
	if c.stream == d.stream && c.session == d.session {
		return cmp.Compare(c.place, d.place)
	}
	return cmp.Or(cmp.Compare(x.session(c), x.session(d)), cmp.Compare(x.of(c).file, x.of(d).file), cmp.Compare(c.place, d.place))
}

// sessionIDs numbers the sessions that a stream has nodes of: mostly one.
type sessionIDs struct {
	ids []string
	at  map[string]uint32
}

// number is the number of a session in its stream, new if need be. Most streams have one
// session, so that the map is made for the second.
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

// put offers a stream's candidate for a node. The best candidate stands.
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
		s.added(st, n.ID)
	}
	s.claims.set(key, now)
	s.changed[n.ID] = n
}
