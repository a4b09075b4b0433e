package score

import "slices"

// Bag holds the features of one block, each as the hash of its name. It is used
// again and again; the zero Bag is ready.
type Bag struct {
	hashes []uint64
	names  map[uint64]string // nil unless somebody wants to know
	buf    []byte
	counts []Count // scratch of Sum
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
	clear(b.names)
}

// Add puts in the feature whose name is these parts, one behind the other.
func (b *Bag) Add(parts ...string) {
	b.buf = b.buf[:0]
	for _, p := range parts {
		b.buf = append(b.buf, p...)
	}
	b.add(b.buf)
}

func (b *Bag) add(name []byte) {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, c := range name {
		h = (h ^ uint64(c)) * prime
	}
	b.hashes = append(b.hashes, h)
	if b.names != nil {
		b.names[h] = string(name)
	}
}

// Count is a feature and how often it stands in a bag.
type Count struct {
	Hash uint64
	N    int
}

// Counts returns the features of the bag, in the order of their hashes.
func (b *Bag) Counts(out []Count) []Count {
	slices.Sort(b.hashes)
	for i := 0; i < len(b.hashes); {
		j := i + 1
		for j < len(b.hashes) && b.hashes[j] == b.hashes[i] {
			j++
		}
		out = append(out, Count{b.hashes[i], j - i})
		i = j
	}
	return out
}

// Name is the name of a feature of the bag, if it keeps names.
func (b *Bag) Name(hash uint64) string { return b.names[hash] }

// Hash is the hash of a name in parts: FNV-1a.
func Hash(parts ...string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	for _, p := range parts {
		for i := range len(p) {
			h = (h ^ uint64(p[i])) * prime
		}
	}
	return h
}
