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

const (
	inReach     = 8 // numbers that are tried one by one
	knownPlaces = 4096
)

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

// placeIn finds the first free number from first on, where take succeeds. take puts the
// row there and reports false if the number is taken.
//
// The numbers after first are tried one by one, at most 8 of them, then a query skips
// over the rest of the run: a session whose 10,000 rows share one millisecond costs one
// query and not 10,000 attempts. in.known remembers where the run of a place ended; it
// is emptied at 4,096 places.
func (s *Sink) placeIn(ctx context.Context, in numbered, first int64, take func(n int64) (bool, error)) error {
	n := first
	if next, ok := in.known[first]; ok {
		n = next
	}
	for i := 0; ; i++ {
		if i == inReach {
			st, err := s.conn.stmt(ctx, `SELECT n + 1 FROM `+in.table+` AS taken
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
