package gate

import (
	"encoding/binary"
	"math/bits"
)

// vocabulary numbers words, from 1 on. It is a hash table with open addressing,
// because a turn's every word is looked up in it.
type vocabulary struct {
	slots []slot   // a power of two of them, at most half of them taken
	names []string // by number; the first is none
}

// slot holds the beginning of its word, so that looking up most words touches
// nothing else.
type slot struct {
	head uint64
	hash uint32 // of the whole word, and its length
	id   int32  // 0: free
}

// headSize is how much of a word stands in its slot.
const headSize = 8

// headOf returns the beginning of a word, with zeros behind it.
func headOf(word []byte) uint64 {
	if len(word) >= headSize {
		return binary.LittleEndian.Uint64(word)
	}
	var head uint64
	for i, c := range word {
		head |= uint64(c) << (8 * i)
	}
	return head
}

// find returns the number of a word, 0 if it has none.
//
// A word of up to eight bytes is decided by its slot alone.
func (v *vocabulary) find(word []byte) int32 {
	if len(v.slots) == 0 {
		return 0
	}
	head := headOf(word)
	h := hashOf(head, word)
	mask := uint32(len(v.slots) - 1)
	for i := h >> lengthBits & mask; ; i = (i + 1) & mask {
		s := &v.slots[i]
		if s.id == 0 || s.hash == h && s.head == head && (len(word) <= headSize || v.names[s.id] == string(word)) {
			return s.id
		}
	}
}

// findShort is find for a word that is all in its head.
func (v *vocabulary) findShort(head uint64, length int) int32 {
	if len(v.slots) == 0 {
		return 0
	}
	h := mix(head)&^(1<<lengthBits-1) | uint32(uint8(length))
	mask := uint32(len(v.slots) - 1)
	for i := h >> lengthBits & mask; ; i = (i + 1) & mask {
		if s := &v.slots[i]; s.id == 0 || s.hash == h && s.head == head {
			return s.id
		}
	}
}

// add numbers a word that has no number yet.
func (v *vocabulary) add(word string) int32 {
	if v.names == nil {
		const usual = 8192 // words of all languages
		v.names, v.slots = append(make([]string, 0, usual), ""), make([]slot, 2*usual)
	}
	v.names = append(v.names, word)
	if 2*len(v.names) > len(v.slots) {
		before := v.slots
		v.slots = make([]slot, 2*len(before))
		for _, s := range before {
			if s.id != 0 {
				v.place(s)
			}
		}
	}
	id := int32(len(v.names) - 1)
	head := headOf([]byte(word))
	v.place(slot{head, hashOf(head, []byte(word)), id})
	return id
}

// size returns one more than the highest number.
func (v *vocabulary) size() int { return max(1, len(v.names)) }

// place puts a word into the open-addressed table, at the first free slot from its
// hash on.
func (v *vocabulary) place(s slot) {
	mask := uint32(len(v.slots) - 1)
	i := s.hash >> lengthBits & mask
	for v.slots[i].id != 0 {
		i = (i + 1) & mask
	}
	v.slots[i] = s
}

// lengthBits is how many bits of a hash hold the length of the word, so that two
// words of one beginning and one hash have one length.
const lengthBits = 8

// odd spreads what is multiplied by it.
const odd = 0x9e3779b97f4a7c15

// hashOf returns a hash of a short word, and its length below it.
func hashOf(head uint64, word []byte) uint32 {
	h := head
	for _, c := range word[min(headSize, len(word)):] {
		h = bits.RotateLeft64(h*odd, 5) ^ uint64(c)
	}
	return mix(h)&^(1<<lengthBits-1) | uint32(uint8(len(word)))
}

// mix spreads the bits of a hash over the low ones, which index the table.
func mix(h uint64) uint32 {
	h *= odd
	h ^= h >> 29
	return uint32(h * odd >> 32)
}
