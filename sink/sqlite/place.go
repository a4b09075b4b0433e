package sqlite

import (
	"context"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/sums"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// placeOf returns the first number that a row can have.
func placeOf(r *table.Row) int64 { return schema.FirstNumber(r.Timestamp, r.Source, r.Session, r.Seq) }

// partOf returns the part that a row is counted in.
func partOf(r *table.Row) sums.Part {
	return sums.Part{Session: r.Session, Source: r.Source, Thread: r.Thread, Project: r.Project()}
}

// counted returns what is counted of a row.
func counted(r *table.Row) *sums.Row {
	return &sums.Row{
		N: r.N, Place: placeOf(r), Kind: r.Kind, Bans: r.Ban(), InForce: r.InForce(), Added: r.Added, Removed: r.Removed,
		Path: r.Path, To: r.To, Part: partOf(r),
	}
}

// place gives a row a number. With take it tries to put the row there.
func (s *Sink) place(ctx context.Context, r *table.Row, take func(n int64) (bool, error)) error {
	return s.nodePlaces.Put(placeOf(r), func(n int64) (bool, error) {
		r.N = n
		return take(n)
	}, s.isTaken(ctx, "SELECT EXISTS (SELECT * FROM nodes WHERE n = ?)"))
}

// placeMessage does the same for a message.
func (s *Sink) placeMessage(ctx context.Context, m *table.Message, take func(n int64) (bool, error)) error {
	return s.messagePlaces.Put(placeOf(&m.Row), func(n int64) (bool, error) {
		m.N = n
		return take(n)
	}, s.isTaken(ctx, "SELECT EXISTS (SELECT * FROM messages WHERE n = ?)"))
}

// isTaken asks a table whether it has a number.
func (s *Sink) isTaken(ctx context.Context, query string) func(n int64) (bool, error) {
	return func(n int64) (taken bool, err error) {
		st, err := s.conn.Stmt(ctx, query)
		if err != nil {
			return false, err
		}
		err = st.QueryRowContext(ctx, n).Scan(&taken)
		return taken, err
	}
}
