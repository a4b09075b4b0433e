package encode

import (
	"encoding/binary"

	"github.com/memscribe/memscribe/core"
)

// Most ids, names and paths of a node are in the nodes before it, too: the tool, the
// session, the project, the file. A few that the Scrubber has left as they are need not be
// judged again.

const (
	// maxClean is how long a string may be that is kept.
	maxClean = 159
	// perClean is how many of them are kept, each in a place that its bytes give.
	perClean = 128
)

// cleanString is a string from which nothing is cut as such a field.
// A string that shares its place with another takes it.
type cleanString struct {
	size  uint8 // 0: none
	field core.Field
	text  [maxClean]byte
}

// placeOf returns where a string is kept, or nil if it never is.
func (e *Encoder) placeOf(f core.Field, s string) *cleanString {
	if f == core.TextField || len(s) > maxClean {
		return nil
	}
	if e.clean == nil {
		e.clean = make([]cleanString, perClean)
	}
	h := uint64(len(s))<<8 | uint64(f)
	const odd = 0x9e3779b97f4a7c15
	for _, at := range [...]int{0, (len(s) - 8) / 2, len(s) - 8} {
		var part [8]byte
		copy(part[:], s[max(at, 0):])
		h = (h ^ binary.LittleEndian.Uint64(part[:])) * odd
		h ^= h >> 29
	}
	return &e.clean[h%perClean]
}

// is reports whether this is the string s of such a field.
func (c *cleanString) is(f core.Field, s string) bool {
	return int(c.size) == len(s) && c.field == f && string(c.text[:c.size]) == s
}

// set takes a string of at most maxClean bytes.
func (c *cleanString) set(f core.Field, s string) {
	c.field, c.size = f, uint8(copy(c.text[:], s))
}
