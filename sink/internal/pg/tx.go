package pg

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrNoRows is the error of a question for one row that finds none.
var ErrNoRows = errors.New("no rows in result set")

// errRolledBack is the error of a commit that the server answered with a rollback,
// because a statement before it had failed.
var errRolledBack = errors.New("commit unexpectedly resulted in rollback")

// Tx is a transaction. One goroutine uses it, and reads the rows of a question to their end, or
// closes them, before it asks the next.
//
// Values of statements stand for $1, $2 and so on. The server finds out their types from where
// they stand, so that arrays need a cast:
//
//	tx.Query(ctx, "SELECT id FROM nodes WHERE n > $1 AND id = ANY ($2::text[])", int64(5), []string{"a", "b"})
type Tx struct{ conn *conn }

// Exec runs a statement, or several that have no values, and returns how many rows the last one
// changed.
func (tx Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	if len(args) == 0 {
		all, err := tx.conn.Exec(ctx, query).ReadAll()
		if err != nil || len(all) == 0 {
			return 0, err
		}
		return all[len(all)-1].CommandTag.RowsAffected(), nil
	}
	result, err := tx.conn.run(ctx, query, args)
	if err != nil {
		return 0, err
	}
	tag, err := result.Close()
	return tag.RowsAffected(), tx.conn.heard(err)
}

// commit ends a transaction. If no answer comes to it, a transaction that writes is
// [ErrUnknown].
func (tx Tx) commit(ctx context.Context, writes bool) error {
	all, err := tx.conn.Exec(ctx, "commit").ReadAll()
	if _, said := errors.AsType[*pgconn.PgError](err); err != nil && !said && writes {
		return fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	if err == nil && len(all) == 1 && all[0].CommandTag.String() == "ROLLBACK" {
		return errRolledBack
	}
	return err
}

// Query asks for rows.
func (tx Tx) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	result, err := tx.conn.run(ctx, query, args)
	if err != nil {
		return nil, err
	}
	return &Rows{result: result, conn: tx.conn}, nil
}

// QueryPlanned is Query for a question whose best plan depends on its values, as a search for a
// rare or a frequent word: the server plans it each time.
func (tx Tx) QueryPlanned(ctx context.Context, query string, args ...any) (*Rows, error) {
	values, formats, err := encode(args)
	if err != nil {
		return nil, err
	}
	return &Rows{result: tx.conn.ExecParams(ctx, query, values, nil, formats, binary()), conn: tx.conn}, nil
}

// QueryRow asks for one row.
func (tx Tx) QueryRow(ctx context.Context, query string, args ...any) Row {
	rows, err := tx.Query(ctx, query, args...)
	return Row{rows, err}
}

// Batch is statements that are sent together. The zero Batch is empty.
type Batch struct{ all []queued }

// queued is a statement that waits to be sent with others in one round trip.
type queued struct {
	query string
	args  []any
}

// Queue adds a statement.
func (b *Batch) Queue(query string, args ...any) { b.all = append(b.all, queued{query, args}) }

// Send runs the statements of a batch in one round trip, up to the first that fails. Statements
// that the server does not keep yet cost one more each.
func (tx Tx) Send(ctx context.Context, b *Batch) error {
	var batch pgconn.Batch
	for _, q := range b.all {
		values, formats, err := encode(q.args)
		if err != nil {
			return err
		}
		known, err := tx.conn.prepare(ctx, q.query)
		if err != nil {
			return err
		}
		if known == nil {
			batch.ExecParams(q.query, values, nil, formats, nil)
		} else {
			batch.ExecPrepared(known.Name, values, formats, nil)
		}
	}
	return tx.conn.heard(tx.conn.ExecBatch(ctx, &batch).Close())
}

// Copy adds rows to a table by COPY, each with a value for each column. Table and columns are
// put into the statement as they are.
func (tx Tx) Copy(ctx context.Context, table string, columns []string, rows [][]any) error {
	text, err := copied(rows)
	if err != nil {
		return err
	}
	_, err = tx.conn.CopyFrom(ctx, strings.NewReader(text), "copy "+table+" ("+strings.Join(columns, ", ")+") from stdin")
	return err
}

// Rows is the answer to a question. It must be closed, or read to its end.
//
//	for rows.Next() {
//		if err := rows.Scan(&id, &n); err != nil { … }
//	}
//	return rows.Err() // not nil if it ended early
type Rows struct {
	result *pgconn.ResultReader
	conn   *conn
	err    error
	closed bool
	done   func() // gives the connection back
}

// Next goes to the next row. It returns false after the last one, or after an error.
func (r *Rows) Next() bool {
	if r.closed {
		return false
	}
	if r.result.NextRow() {
		return true
	}
	r.Close()
	return false
}

// Scan copies the values of a row to where the arguments point. A pointer to a pointer takes
// NULL as nil, and so does a *[]byte. An error ends the answer.
func (r *Rows) Scan(into ...any) error {
	values := r.result.Values()
	if len(values) != len(into) {
		r.err = fmt.Errorf("scan row: %d values for %d places", len(values), len(into))
	}
	for i := 0; i < len(values) && r.err == nil; i++ {
		if err := decode(values[i], into[i]); err != nil {
			r.err = fmt.Errorf("scan column %d: %w", i+1, err)
		}
	}
	if r.err != nil {
		r.Close()
	}
	return r.err
}

// Close ends the answer. Closing twice is safe.
func (r *Rows) Close() {
	if r.closed {
		return
	}
	r.closed = true
	if _, err := r.result.Close(); r.err == nil {
		r.err = r.conn.heard(err)
	}
	if r.done != nil {
		r.done()
	}
}

// Err is why the answer ended early; nil if it did not.
func (r *Rows) Err() error { return r.err }

// Row is the answer to a question for one row.
type Row struct {
	rows *Rows
	err  error
}

// Scan puts the values of the row into what args point to. It returns [ErrNoRows] if
// there is none.
func (r Row) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return ErrNoRows
	}
	if err := r.rows.Scan(into...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}

// ForEachRow scans one row after the other into the same variables, calls f after each, and
// closes the answer. It stops at the first error.
func ForEachRow(rows *Rows, into []any, f func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := f(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Texts returns the rows of an answer that has one column of text.
func Texts(rows *Rows) (all []string, err error) {
	var one string
	err = ForEachRow(rows, []any{&one}, func() error {
		all = append(all, one)
		return nil
	})
	return all, err
}
