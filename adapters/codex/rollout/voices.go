package rollout

import (
	"encoding/binary"
	"math/bits"
)

// Voices recognises the second telling of what was said: every text stands in a
// rollout as an item of the model's and as an event for the user interface.
// Which comes first differs between versions, and an interrupted response may
// have the event alone (0.47, recorded).
type Voices struct {
	ring [32]voice
	next int
}

type voice struct {
	hash uint64
	side Side
}

// Side is the form in which something is reported.
type Side uint8

// The forms.
const (
	noSide  Side = iota
	AsItem       // response_item: what the model was sent, or sent
	AsEvent      // event_msg: what the user interface was told
)

// Again reports whether the text was told before in the other form. If not, it
// is remembered.
func (s *Voices) Again(hash uint64, told Side) bool {
	for i := range s.ring {
		if v := &s.ring[i]; v.hash == hash && v.side != noSide && v.side != told {
			v.side = noSide
			return true
		}
	}
	s.ring[s.next] = voice{hash, told}
	s.next = (s.next + 1) % len(s.ring)
	return false
}

// HashOf is a hash of a text.
func HashOf(b []byte) uint64 {
	const k = 0x9e3779b97f4a7c15
	h := uint64(len(b)) * k
	for ; len(b) >= 8; b = b[8:] {
		hi, lo := bits.Mul64(h^binary.LittleEndian.Uint64(b), k)
		h = hi ^ lo
	}
	for _, c := range b {
		h = (h ^ uint64(c)) * k
	}
	return h ^ h>>29
}
