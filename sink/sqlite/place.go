package sqlite

import (
	"context"
	"hash/fnv"
	"time"
)

// A node's number n is its rowid, and sorts by time, so that whatever is found
// by rowid, by any index or by words comes newest first without being sorted:
//
//	63               6 5    0
//	┌─────────────────┬──────┐
//	│ ms since 1970   │ slot │   with a timestamp
//	└─────────────────┴──────┘
//	┌───────┬──────────┬─────┐
//	│ block │ seq      │ slot│   without: negative, a block a session
//	└───────┴──────────┴─────┘
//
// Slots are given in the order of coming. Where there are more nodes than slots,
// the next ones run into what follows.
const (
	slotBits  = 6
	blockBits = 24
	untimed   = -1 << 41 // where the blocks begin
)

// placeOf is the first number that a node can have.
func placeOf(r *row) int64 {
	if ms, ok := millis(r.timestamp); ok {
		return ms << slotBits
	}
	h := fnv.New64a()
	h.Write([]byte(r.source + "\x00" + r.session))
	return untimed + int64(h.Sum64()>>48)<<blockBits + r.seq<<2&(1<<blockBits-1)
}

// millis reads a node's timestamp.
func millis(timestamp string) (int64, bool) {
	if timestamp == "" {
		return 0, false
	}
	t, err := time.Parse(time.RFC3339Nano, timestamp)
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return 0, false
	}
	return t.UnixMilli(), true
}

// timeOf returns the milliseconds since 1970 that a number stands for.
func timeOf(n int64) (int64, bool) { return n >> slotBits, n >= 0 }

// places knows, of some places, up to which number they are taken.
type places map[int64]int64

const (
	inReach     = 8 // numbers that are tried one by one
	knownPlaces = 4096
)

// place gives a row a number. With take it tries to put the row there.
func (s *Sink) place(ctx context.Context, r *row, take func(n int64) (bool, error)) error {
	return s.placeIn(ctx, numbered{"nodes", s.places}, placeOf(r), func(n int64) (bool, error) {
		r.n = n
		return take(n)
	})
}

// numbered is a table whose rowids sort by time, and what is known of its places.
type numbered struct {
	table string
	known places
}

// placeIn finds the first free number from one on: where take says that it is.
func (s *Sink) placeIn(ctx context.Context, in numbered, first int64, take func(n int64) (bool, error)) error {
	n := first
	if next, ok := in.known[first]; ok {
		n = next
	}
	for i := 0; ; i++ {
		if i == inReach {
			st, err := s.stmt(ctx, `SELECT n + 1 FROM `+in.table+` AS taken
				WHERE n >= ? AND NOT EXISTS (SELECT * FROM `+in.table+` WHERE n = taken.n + 1) ORDER BY n LIMIT 1`)
			if err != nil {
				return err
			}
			if err := st.QueryRowContext(ctx, n-1).Scan(&n); err != nil {
				return err
			}
		}
		if taken, err := take(n); err != nil || taken {
			if len(in.known) >= knownPlaces {
				clear(in.known)
			}
			in.known[first] = n + 1
			return err
		}
		n++
	}
}
