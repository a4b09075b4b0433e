package checkpoint

import (
	"cmp"
	"slices"
)

// keys say which group has a key. Most come from the file, and many a run asks for
// none of them: they are put in order when the first is asked for.
type keys struct {
	read    []held
	ordered bool
	added   map[uint64]Group // since; these hold
}

// held is a key that was read. Of several the last one holds.
type held struct {
	key   uint64
	group Group
	place uint32
}

// load takes in a key that was read.
func (k *keys) load(key uint64, g Group) {
	k.read = append(k.read, held{key, g, uint32(len(k.read))})
	k.ordered = false
}

// add notes a key.
func (k *keys) add(key uint64, g Group) {
	if k.added == nil {
		k.added = map[uint64]Group{}
	}
	k.added[key] = g
}

// holder returns the group that has a key; 0 is none.
func (k *keys) holder(key uint64) Group {
	if g, ok := k.added[key]; ok {
		return g
	}
	k.order()
	at, ok := slices.BinarySearchFunc(k.read, key, func(h held, key uint64) int { return cmp.Compare(h.key, key) })
	if !ok {
		return 0
	}
	return k.read[at].group
}

// order sorts what was read, and drops what does not hold.
func (k *keys) order() {
	if k.ordered {
		return
	}
	slices.SortFunc(k.read, func(a, b held) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(b.place, a.place)) })
	k.read = slices.CompactFunc(k.read, func(a, b held) bool { return a.key == b.key })
	k.ordered = true
}

// len is about how many there are.
func (k *keys) len() int { return len(k.read) + len(k.added) }

// each calls f with every key and who has it.
func (k *keys) each(f func(key uint64, g Group)) {
	k.order()
	for _, h := range k.read {
		if _, again := k.added[h.key]; !again {
			f(h.key, h.group)
		}
	}
	for key, g := range k.added {
		f(key, g)
	}
}
