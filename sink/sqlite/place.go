package sqlite

import (
	"context"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// placeOf is the first number that a row can have.
func placeOf(r *table.Row) int64 { return schema.FirstNumber(r.Timestamp, r.Source, r.Session, r.Seq) }

// places knows, of some places, up to which number they are taken.
type places map[int64]int64

// knownPlaces is how many places are known before they are forgotten.
const knownPlaces = 4096

// place gives a row a number. With take it tries to put the row there.
func (s *Sink) place(ctx context.Context, r *table.Row, take func(n int64) (bool, error)) error {
	return s.placeIn(ctx, numbered{"nodes", s.nodePlaces}, placeOf(r), func(n int64) (bool, error) {
		r.N = n
		return take(n)
	})
}

// numbered is a table whose rowids sort by time, and what is known of its places.
type numbered struct {
	table string
	known places
}

// placeIn finds a free number for a row, at first or soon after it, where take succeeds.
// take puts the row there and reports false if the number is taken. in.known remembers
// where the run of taken numbers after a place ended; it is emptied at 4,096 places.
func (s *Sink) placeIn(ctx context.Context, in numbered, first int64, take func(n int64) (bool, error)) error {
	n := first
	if next, ok := in.known[first]; ok {
		n = next
	}
	for {
		if taken, err := take(n); err != nil || taken {
			if len(in.known) >= knownPlaces {
				clear(in.known)
			}
			in.known[first] = n + 1
			return err
		}
		var err error
		if n, err = s.free(ctx, in, n); err != nil {
			return err
		}
	}
}

// free returns a number after n that is free, while the one before it is taken. It doubles
// its steps until it meets a free number, and halves the rest: where n is the first of
// 10,000 rows that share a millisecond, it looks at 28 numbers and returns the next one.
func (s *Sink) free(ctx context.Context, in numbered, n int64) (int64, error) {
	st, err := s.conn.stmt(ctx, "SELECT EXISTS (SELECT * FROM "+in.table+" WHERE n = ?)")
	if err != nil {
		return 0, err
	}
	isTaken := func(n int64) (taken bool, err error) {
		err = st.QueryRowContext(ctx, n).Scan(&taken)
		return taken, err
	}
	last, free, step := n, n, int64(1) // last is taken
	for free == last {
		taken, err := isTaken(last + step)
		switch {
		case err != nil:
			return 0, err
		case taken:
			last += step
			free = last
			step *= 2
		default:
			free = last + step
		}
	}
	for last+1 < free {
		middle := last + (free-last)/2
		taken, err := isTaken(middle)
		switch {
		case err != nil:
			return 0, err
		case taken:
			last = middle
		default:
			free = middle
		}
	}
	return free, nil
}
