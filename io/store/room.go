package store

import (
	"errors"

	"github.com/memscribe/memscribe/core"
)

const (
	// defaultRoom is the default for how many bytes of a conversation are kept.
	defaultRoom = 128 << 20
	// rowCost is how many bytes a record takes besides its JSON.
	rowCost = 256
	// chunkSize is how many bytes of memory are allocated for records at a time.
	chunkSize = 64 << 10
	// maxSpare is how many bytes of memory a reader keeps for its next record.
	maxSpare = 1 << 20
)

// errFull ends a query when its next row does not fit.
var errFull = errors.New("the conversation is over its limit")

// room holds the records of one conversation in their order, as many as fit into its limit. All
// levels of a conversation share one room. Fields: limit and used are in bytes, with rowCost
// for each record; chunk is the memory for the next records.
type room struct {
	limit, used int
	full        bool
	chunk       []byte
}

// newRoom returns an empty room with a limit in bytes; 0 is defaultRoom.
func newRoom(limit int) *room {
	if limit == 0 {
		limit = defaultRoom
	}
	return &room{limit: limit}
}

// take returns a copy of a record, if there is room for it. Copies share memory that is
// allocated 64 KiB at a time; each has no spare capacity, so appending to one does not
// overwrite the next.
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

// over returns the entry Over of the first record that did not fit.
func (r *room) over() *core.OverLimit {
	return &core.OverLimit{Size: int64(r.used), Limit: int64(r.limit), Rest: true}
}
