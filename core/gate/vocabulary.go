package gate

import "math/bits"

// vocabulary numbers words, from 1 on. It is a hash table with open addressing,
// because a turn's every word is looked up in it.
type vocabulary struct {
	slots []slot   // a power of two of them, at most half of them taken
	names []string // by number; the first is none
}

type slot struct {
	hash uint32
	id   int32 // 0: free
}

// find returns the number of a word, 0 if it has none.
func (v *vocabulary) find(word []byte) int32 {
	if len(v.slots) == 0 {
		return 0
	}
	h := hashOf(word)
	mask := uint32(len(v.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		s := v.slots[i]
		if s.id == 0 || s.hash == h && v.names[s.id] == string(word) {
			return s.id
		}
	}
}

// add numbers a word that has no number yet.
func (v *vocabulary) add(word string) int32 {
	if v.names == nil {
		v.names = []string{""}
	}
	v.names = append(v.names, word)
	if 2*len(v.names) > len(v.slots) {
		v.slots = make([]slot, max(1024, 2*len(v.slots)))
		for id := range v.names[:len(v.names)-1] {
			v.place(int32(id))
		}
	}
	id := int32(len(v.names) - 1)
	v.place(id)
	return id
}

func (v *vocabulary) place(id int32) {
	if id == 0 {
		return
	}
	h := hashOf([]byte(v.names[id]))
	mask := uint32(len(v.slots) - 1)
	i := h & mask
	for v.slots[i].id != 0 {
		i = (i + 1) & mask
	}
	v.slots[i] = slot{h, id}
}

// hashOf is a hash of a short word.
func hashOf(word []byte) uint32 {
	h := uint64(len(word))
	for _, c := range word {
		h = (bits.RotateLeft64(h, 5) ^ uint64(c)) * 0x9e3779b97f4a7c15
	}
	return uint32(h >> 32)
}
