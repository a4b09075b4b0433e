package score

import (
	"slices"
	"strings"
)

// Bag holds the features of one block, each as the hash of its name. It is used
// again and again; the zero Bag is ready.
type Bag struct {
	hashes []uint64
	names  map[uint64]string // nil unless somebody wants to know
	hash   uint64            // of the name that was begun
	buf    []byte            // the name itself, if the bag keeps names
	counts []Count           // what count returned last, and scratch of it, as is table
	known  int               // how many of the hashes are in counts; 0 if none
	length int64             // of counts; 0 if it is not known
	table  []int32           // by hash: the place in counts, from 1; open addressing
}

// Named has the bag keep the names of its features.
func (b *Bag) Named() {
	if b.names == nil {
		b.names = map[uint64]string{}
	}
}

// Reset empties the bag.
func (b *Bag) Reset() {
	b.hashes = b.hashes[:0]
	b.known = 0
	clear(b.names)
}

// Add puts in the feature whose name is these parts, one behind the other.
func (b *Bag) Add(parts ...string) {
	h := Hash(parts...)
	b.hashes = append(b.hashes, h)
	if b.names != nil {
		b.names[h] = strings.Join(parts, "")
	}
}

// AddHash puts in a feature by the hash of its name, which is asked for only if the bag
// keeps names.
func (b *Bag) AddHash(h uint64, name func() string) {
	b.hashes = append(b.hashes, h)
	if b.names != nil {
		b.names[h] = name()
	}
}

// Len returns how many features were put in, however often each of them.
func (b *Bag) Len() int { return len(b.hashes) }

// AddFrom puts in the features of another bag from one place to another: places are by the
// order in which that bag was filled.
func (b *Bag) AddFrom(o *Bag, from, to int) {
	b.hashes = append(b.hashes, o.hashes[from:to]...)
	if b.names != nil && o.names != nil {
		for _, h := range o.hashes[from:to] {
			b.names[h] = o.names[h]
		}
	}
}

// begin begins the name of a feature. It takes the hash of the prefix too, since many
// names in a row have one prefix.
func (b *Bag) begin(prefix string, hash uint64) {
	b.hash = hash
	if b.names != nil {
		b.buf = append(b.buf[:0], prefix...)
	}
}

// extend makes the name that was begun longer.
func (b *Bag) extend(part []byte) {
	h := b.hash
	for _, c := range part {
		h = (h ^ uint64(c)) * fnvPrime
	}
	b.hash = h
	if b.names != nil {
		b.buf = append(b.buf, part...)
	}
}

// sign makes the name that was begun longer by one byte.
func (b *Bag) sign(c byte) {
	b.hash = (b.hash ^ uint64(c)) * fnvPrime
	if b.names != nil {
		b.buf = append(b.buf, c)
	}
}

// put puts in the feature whose name was begun.
func (b *Bag) put() {
	b.hashes = append(b.hashes, b.hash)
	if b.names != nil {
		b.names[b.hash] = string(b.buf)
	}
}

// Count is a feature and how often it stands in a bag.
type Count struct {
	Hash uint64
	N    int
}

// Counts returns the features of the bag, in the order of their hashes.
func (b *Bag) Counts(out []Count) []Count {
	hashes := slices.Clone(b.hashes)
	slices.Sort(hashes)
	for i := 0; i < len(hashes); {
		j := i + 1
		for j < len(hashes) && hashes[j] == hashes[i] {
			j++
		}
		out = append(out, Count{hashes[i], j - i})
		i = j
	}
	return out
}

// count returns the features of the bag in the order in which they came. The result is
// valid until the next call.
func (b *Bag) count() []Count {
	if b.known > 0 && b.known == len(b.hashes) {
		return b.counts
	}
	b.known, b.length = len(b.hashes), 0
	size := 64
	for size < 2*len(b.hashes) {
		size *= 2
	}
	if len(b.table) < size {
		b.table = make([]int32, size)
	} else {
		clear(b.table[:size])
	}
	b.counts = b.counts[:0]
	mask := uint64(size - 1)
	for _, h := range b.hashes {
		at := h & mask
		for b.table[at] != 0 && b.counts[b.table[at]-1].Hash != h {
			at = (at + 1) & mask
		}
		if b.table[at] == 0 {
			b.counts = append(b.counts, Count{Hash: h})
			b.table[at] = int32(len(b.counts))
		}
		b.counts[b.table[at]-1].N++
	}
	return b.counts
}

// Name returns the name of a feature of the bag, if it keeps names.
func (b *Bag) Name(hash uint64) string { return b.names[hash] }

// The constants of FNV-1a.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// Hash returns the hash of a name in parts: FNV-1a.
func Hash(parts ...string) uint64 {
	h := uint64(fnvOffset)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * fnvPrime
		}
	}
	return h
}

// HashBytes returns the hash of a name: FNV-1a.
func HashBytes(name []byte) uint64 {
	h := uint64(fnvOffset)
	for _, c := range name {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}
