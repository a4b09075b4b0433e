package store

import (
	"errors"

	"github.com/memscribe/memscribe/core"
)

const (
	// standardRoom is how much of a conversation is kept if nothing else is said.
	standardRoom = 128 << 20
	// rowCost is what a record takes beside its JSON.
	rowCost = 256
	// chunkSize is how much memory is taken for records at a time.
	chunkSize = 64 << 10
	// maxSpare is how much memory a reader keeps to make its next record in.
	maxSpare = 1 << 20
)

// errFull ends a query when there is no room for what it gives.
var errFull = errors.New("the conversation is over its limit")

// room holds the records of one conversation, which are read together: as much of
// them as its limit, in their order.
type room struct {
	limit, used int
	full        bool
	chunk       []byte
}

// newRoom returns a room with a limit; 0 is the standard one.
func newRoom(limit int) *room {
	if limit == 0 {
		limit = standardRoom
	}
	return &room{limit: limit}
}

// take returns a copy of a record, if there is room for it.
func (r *room) take(json []byte) (kept []byte, ok bool) {
	if r.used += len(json) + rowCost; r.used > r.limit {
		r.full = true
		return nil, false
	}
	if cap(r.chunk)-len(r.chunk) < len(json) {
		r.chunk = make([]byte, 0, max(len(json), min(chunkSize, r.used)))
	}
	from := len(r.chunk)
	r.chunk = append(r.chunk, json...)
	return r.chunk[from:len(r.chunk):len(r.chunk)], true
}

// isFull reports whether a record did not fit.
func (r *room) isFull() bool { return r.full }

// over says of the first record that did not fit why it is not there.
func (r *room) over() *core.OverLimit {
	return &core.OverLimit{Size: int64(r.used), Limit: int64(r.limit), Rest: true}
}
