package checkpoint

import (
	"cmp"
	"slices"
)

// keys maps a key to its group. Most keys are read from the file, and many runs look up none of
// them; they are sorted at the first lookup.
type keys struct {
	read    []held // from the file, in its order until ordered
	ordered bool
	added   map[uint64]Group // added later; these take precedence
}

// held is a key that was read from the file. Of several entries for a key the last one counts.
type held struct {
	key   uint64
	group Group
	place uint32
}

// load adds a key that was read from the file.
func (k *keys) load(key uint64, g Group) {
	k.read = append(k.read, held{key, g, uint32(len(k.read))})
	k.ordered = false
}

// add adds a key of a group.
func (k *keys) add(key uint64, g Group) {
	if k.added == nil {
		k.added = map[uint64]Group{}
	}
	k.added[key] = g
}

// holder returns the group of a key, or 0.
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

// order sorts the keys from the file, and drops entries that a later one replaces.
func (k *keys) order() {
	if k.ordered {
		return
	}
	slices.SortFunc(k.read, func(a, b held) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(b.place, a.place)) })
	k.read = slices.CompactFunc(k.read, func(a, b held) bool { return a.key == b.key })
	k.ordered = true
}

// len returns the approximate number of keys.
func (k *keys) len() int { return len(k.read) + len(k.added) }

// each calls f with every key and its group.
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
