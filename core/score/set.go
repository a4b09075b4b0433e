package score

// Set is a set of hashes other than 0. It is reused after [Set.Reset]. The zero Set is empty.
type Set struct {
	slots []uint64 // open addressing; 0 is free
	size  int
}

// Len returns how many hashes are in the set.
func (s *Set) Len() int { return s.size }

// Reset empties the set.
func (s *Set) Reset() {
	clear(s.slots)
	s.size = 0
}

// Add adds a hash, and reports whether it is new.
func (s *Set) Add(h uint64) bool {
	if 2*s.size >= len(s.slots) {
		s.grow()
	}
	at := s.find(h)
	if s.slots[at] == h {
		return false
	}
	s.slots[at] = h
	s.size++
	return true
}

// Has reports whether a hash is in the set.
func (s *Set) Has(h uint64) bool { return s.size > 0 && s.slots[s.find(h)] == h }

// find returns the index of a hash, or of the free slot for it.
func (s *Set) find(h uint64) uint64 {
	mask := uint64(len(s.slots) - 1)
	at := h >> 8 & mask
	for s.slots[at] != 0 && s.slots[at] != h {
		at = (at + 1) & mask
	}
	return at
}

// grow doubles the table and inserts all hashes again.
func (s *Set) grow() {
	old := s.slots
	s.slots = make([]uint64, max(256, 2*len(old)))
	for _, h := range old {
		if h != 0 {
			s.slots[s.find(h)] = h
		}
	}
}
