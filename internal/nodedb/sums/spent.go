package sums

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/nodedb/tokens"
)

// spentSize is the size in bytes from which a part of the table spent is full and the next one
// begins. Adding a response writes its part again, so that larger parts would make a long
// session slower to append to.
const spentSize = 3000

// Spending gathers what a batch changes in the table usage (one row per response), for the
// table spent, which has the same rows packed. The zero Spending is empty and ready.
type Spending struct {
	of    map[int64]*spentRows
	order []int64 // the talks, as they came
}

// spentRows are the rows of one talk that came and the ids of those that went.
type spentRows struct {
	came []tokens.Row
	gone map[[tokens.IDSize]byte]bool
}

// talk returns what is gathered of a talk.
func (s *Spending) talk(t int64) *spentRows {
	if s.of == nil {
		s.of = map[int64]*spentRows{}
	}
	rows := s.of[t]
	if rows == nil {
		rows = &spentRows{gone: map[[tokens.IDSize]byte]bool{}}
		s.of[t] = rows
		s.order = append(s.order, t)
	}
	return rows
}

// Add notes a row that came.
func (s *Spending) Add(t int64, r *tokens.Row) {
	rows := s.talk(t)
	rows.came = append(rows.came, *r)
}

// Remove notes a row that went. It may have come in the same batch.
func (s *Spending) Remove(t int64, id []byte) {
	rows := s.talk(t)
	key := [tokens.IDSize]byte(id)
	rows.gone[key] = true
	rows.came = slices.DeleteFunc(rows.came, func(r tokens.Row) bool { return r.ID == key })
}

// Write brings the table spent to the state of the table usage, in the caller's transaction:
// for each talk the rows that went are taken out first, then those that came are appended.
func (s *Spending) Write(ctx context.Context, c Database) error {
	for _, t := range s.order {
		rows := s.of[t]
		if len(rows.gone) > 0 {
			if err := rows.takeOut(ctx, c, t); err != nil {
				return fmt.Errorf("keep what responses took: %w", err)
			}
		}
		if len(rows.came) > 0 {
			if err := rows.putIn(ctx, c, t); err != nil {
				return fmt.Errorf("keep what responses took: %w", err)
			}
		}
	}
	return nil
}

// spentPart is a row of the table spent.
type spentPart struct {
	part int64
	rows []byte
}

// takeOut rewrites the parts of a talk that have rows that went, and deletes those that have no
// row left. Rows are packed against the one before, so that a part is read and written as a
// whole.
func (r *spentRows) takeOut(ctx context.Context, c Database, t int64) error {
	parts, err := schema.Collect(ctx, c, func(rows *sql.Rows, p *spentPart) error { return rows.Scan(&p.part, &p.rows) },
		"SELECT part, rows FROM spent WHERE t = ?", t)
	if err != nil {
		return err
	}
	for _, p := range parts {
		var left []byte
		last := ""
		err := tokens.Read(p.rows, func(row *tokens.Row) {
			if !r.gone[row.ID] {
				left = tokens.Append(left, row, last)
				last = string(row.Model)
			}
		})
		switch {
		case err != nil:
			return err
		case len(left) == 0:
			_, err = c.Exec(ctx, "DELETE FROM spent WHERE t = ? AND part = ?", t, p.part)
		case len(left) != len(p.rows):
			_, err = c.Exec(ctx, "UPDATE spent SET rows = ? WHERE t = ? AND part = ?", left, t, p.part)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// putIn appends the rows that came to the last part of a talk. A part that has reached
// spentSize is left as it is and the next one begins.
func (r *spentRows) putIn(ctx context.Context, c Database, t int64) error {
	st, err := c.Stmt(ctx, "SELECT part, rows FROM spent WHERE t = ? ORDER BY part DESC LIMIT 1") //nolint:sqlclosecheck // the database closes it
	if err != nil {
		return err
	}
	var p spentPart
	if err = st.QueryRowContext(ctx, t).Scan(&p.part, &p.rows); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	write := func() error {
		_, err := c.Exec(ctx, "INSERT INTO spent VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET rows = excluded.rows", t, p.part, p.rows)
		return err
	}
	last := "" // the model of the part's last row is not asked for
	for i := range r.came {
		if len(p.rows) > spentSize {
			if i > 0 {
				if err := write(); err != nil {
					return err
				}
			}
			p, last = spentPart{part: p.part + 1}, ""
		}
		p.rows = tokens.Append(p.rows, &r.came[i], last)
		last = string(r.came[i].Model)
	}
	return write()
}

// DeleteUsage deletes the rows of usage that a condition of SQL leaves, from spent too. It
// returns how many.
func DeleteUsage(ctx context.Context, db Database, where string, args ...any) (int, error) {
	type row struct {
		t  int64
		id []byte
	}
	gone, err := schema.Collect(ctx, db, func(rows *sql.Rows, r *row) error { return rows.Scan(&r.t, &r.id) },
		"DELETE FROM usage WHERE "+where+" RETURNING t, id", args...)
	if err != nil {
		return 0, err
	}
	var b Spending
	for _, r := range gone {
		b.Remove(r.t, r.id)
	}
	return len(gone), b.Write(ctx, db)
}

// FillSpent fills the table spent of a database that an older version has written, page by page
// in one transaction. It does nothing if the table has rows already, or if there is nothing to
// fill it from; two processes that try at once both succeed.
func FillSpent(ctx context.Context, db Database) error {
	needed, err := isOne(ctx, db, "SELECT NOT EXISTS (SELECT * FROM spent) AND EXISTS (SELECT * FROM usage)")
	if err != nil || !needed {
		return err
	}
	return db.Transact(ctx, func(ctx context.Context) (bool, error) {
		if empty, err := isOne(ctx, db, "SELECT NOT EXISTS (SELECT * FROM spent)"); err != nil || !empty {
			return false, err
		}
		for after, more := []byte{}, true; more; {
			var b Spending
			next, err := tokens.ReadPage(ctx, db, after, fillRows, func(t int64, r *tokens.Row) {
				one := *r
				one.Model = slices.Clone(r.Model)
				b.Add(t, &one)
			})
			if err != nil {
				return false, err
			}
			if err = b.Write(ctx, db); err != nil {
				return false, err
			}
			after, more = next, next != nil
		}
		return true, nil
	})
}

// isOne reports whether a query for one integer has the answer 1.
func isOne(ctx context.Context, db Database, query string) (bool, error) {
	var n int64
	err := db.QueryRowContext(ctx, query).Scan(&n)
	return n == 1, err
}

// fillRows is how many rows are held in memory at once when the table spent is filled.
const fillRows = 50_000
