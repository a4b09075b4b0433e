package record

import "github.com/memscribe/memscribe/sink/memdb/chain"

// Carried is an entry on its way from one store to another, with what belongs to it.
type Carried struct {
	Entry chain.Entry
	// JSON is the version of a memory, or the namespace, that the entry speaks of. It
	// is nil when that is no longer there: it was forgotten, or another took its place.
	JSON []byte
}

// Writes reports whether the entry writes a version that still exists.
func (c *Carried) Writes() bool {
	switch c.Entry.Action {
	case chain.Write, chain.Upsert, chain.Invalidate:
		return c.JSON != nil
	}
	return false
}

// Carry returns an entry together with the version or the namespace that belongs to it; at most
// one of the two does. Ok is false for an entry that names a key, which concerns its own store
// only.
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
