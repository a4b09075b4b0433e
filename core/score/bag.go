package score

import (
	"slices"
	"strings"
)

// Bag is the features of one block, as hashes of their names. It is reused after [Bag.Reset]. The
// zero Bag is ready.
type Bag struct {
	hashes []uint64
	names  map[uint64]string // names by hash; nil unless Named was called
	hash   uint64            // hash of the name that is being built
	buf    []byte            // that name, if the bag keeps names
	counts []Count           // the last result of count
	known  int               // how many of the hashes are in counts
	length int64             // length of counts; 0 if it is not computed yet
	table  []int32           // by hash: index in counts plus 1; open addressing
}

// Named makes the bag keep the names of its features.
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

// Add adds the feature whose name is the concatenation of the parts.
func (b *Bag) Add(parts ...string) {
	h := Hash(parts...)
	b.hashes = append(b.hashes, h)
	if b.names != nil {
		b.names[h] = strings.Join(parts, "")
	}
}

// AddHash adds a feature by the hash of its name. name is called only if the bag keeps names.
func (b *Bag) AddHash(h uint64, name func() string) {
	b.hashes = append(b.hashes, h)
	if b.names != nil {
		b.names[h] = name()
	}
}

// Len returns how many features were added, counting repeated ones each time.
func (b *Bag) Len() int { return len(b.hashes) }

// AddFrom adds the features from to to of another bag, in the order in which they were added there.
func (b *Bag) AddFrom(o *Bag, from, to int) {
	b.hashes = append(b.hashes, o.hashes[from:to]...)
	if b.names != nil && o.names != nil {
		for _, h := range o.hashes[from:to] {
			b.names[h] = o.names[h]
		}
	}
}

// begin begins a name with a prefix and its hash. Many names in a row have the same prefix, so its
// hash is computed once.
func (b *Bag) begin(prefix string, hash uint64) {
	b.hash = hash
	if b.names != nil {
		b.buf = append(b.buf[:0], prefix...)
	}
}

// extend appends to the name that is being built.
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

// sign appends a byte to the name that is being built.
func (b *Bag) sign(c byte) {
	b.hash = (b.hash ^ uint64(c)) * fnvPrime
	if b.names != nil {
		b.buf = append(b.buf, c)
	}
}

// put adds the feature with the name that was built.
func (b *Bag) put() {
	b.hashes = append(b.hashes, b.hash)
	if b.names != nil {
		b.names[b.hash] = string(b.buf)
	}
}

// Count is a feature and how often it is in a bag.
type Count struct {
	Hash uint64
	N    int
}

// Counts returns the features of the bag, sorted by hash.
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

// count returns the features of the bag in the order in which they were first added. The result is
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

// Hash returns the 64-bit FNV-1a hash of the concatenation of the parts.
func Hash(parts ...string) uint64 {
	h := uint64(fnvOffset)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * fnvPrime
		}
	}
	return h
}

// HashBytes returns the 64-bit FNV-1a hash of a name.
func HashBytes(name []byte) uint64 {
	h := uint64(fnvOffset)
	for _, c := range name {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}
