package gate

import (
	"encoding/binary"
	"math/bits"
)

// vocabulary gives words numbers from 1 on. It is a hash table with open addressing and linear
// probing, since every word of a turn is looked up:
//
//	slots   [head|hash|id] [free] [head|hash|id] …     head: the first 8 bytes of the word
//	names   "" "use" "instead" …                       by id, compared only for longer words
type vocabulary struct {
	slots []slot   // the length is a power of two; at most half of them are used
	names []string // by number; names[0] is ""
}

// slot has the beginning of its word, so that most lookups read nothing else.
type slot struct {
	head uint64
	hash uint32 // of the whole word; the low bits are its length
	id   int32  // number of the word; 0 if the slot is free
}

// headSize is the number of bytes of a word in its slot.
const headSize = 8

// headOf returns the first headSize bytes of a word, padded with zeros.
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

// find returns the number of a word, or 0.
//
// A word of up to headSize bytes is compared with the slot alone.
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

// findShort is find for a word of at most headSize bytes.
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

// add gives the next number to a word that has none.
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

// size returns the length of a slice that is indexed by word: the highest number plus 1.
func (v *vocabulary) size() int { return max(1, len(v.names)) }

// place puts a word into the first free slot from the position of its hash on.
func (v *vocabulary) place(s slot) {
	mask := uint32(len(v.slots) - 1)
	i := s.hash >> lengthBits & mask
	for v.slots[i].id != 0 {
		i = (i + 1) & mask
	}
	v.slots[i] = s
}

// lengthBits is the number of low bits of a hash that hold the length of the word. Two words
// with the same head and hash therefore have the same length.
const lengthBits = 8

// odd is the multiplier of the hash: 2⁶⁴ divided by the golden ratio.
const odd = 0x9e3779b97f4a7c15

// hashOf returns the hash of a word, with its length in the low bits.
func hashOf(head uint64, word []byte) uint32 {
	h := head
	for _, c := range word[min(headSize, len(word)):] {
		h = bits.RotateLeft64(h*odd, 5) ^ uint64(c)
	}
	return mix(h)&^(1<<lengthBits-1) | uint32(uint8(len(word)))
}

// mix spreads the bits of a hash over its low bits, which are the index of a slot.
func mix(h uint64) uint32 {
	h *= odd
	h ^= h >> 29
	return uint32(h * odd >> 32)
}
