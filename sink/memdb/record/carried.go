package record

import "github.com/memscribe/memscribe/sink/memdb/chain"

// Carried is an entry on its way from one store to another, with what belongs to it.
type Carried struct {
	Entry chain.Entry
	// JSON is the version of a memory, or the namespace, that the entry speaks of. It
	// is nil when that is no longer there: it was forgotten, or another took its place.
	JSON []byte
}

// Writes reports whether the entry gives a memory a version that is still there.
func (c *Carried) Writes() bool {
	switch c.Entry.Action {
	case chain.Write, chain.Upsert, chain.Invalidate:
		return c.JSON != nil
	}
	return false
}

// Carry reads an entry with the version and the namespace that stand beside it, of
// which at most one is what the entry speaks of. An entry that names a key is of
// its store alone: ok is false.
func Carry(body, version, namespace []byte) (c Carried, ok bool, err error) {
	if c.Entry, err = chain.ParseBody(body); err != nil {
		return c, false, err
	}
	for _, json := range [][]byte{version, namespace} {
		if json != nil && chain.Sum(json) == c.Entry.RecordSHA256 {
			c.JSON = json
		}
	}
	return c, c.Entry.Action != chain.Rekey, nil
}
