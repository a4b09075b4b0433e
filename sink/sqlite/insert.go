package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sqlitefile"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// insertNode adds a row with some of the columns, the others being NULL, unless
// its number or its id is taken. Several rows at once would be slower: SQLite
// would keep what it changes in a file, to undo it.
func insertNode(names []string) string {
	return "INSERT INTO nodes (" + strings.Join(names, ", ") + ") VALUES " + schema.Placeholders(len(names)) + " ON CONFLICT DO NOTHING"
}

// inserts are the statements that add rows: half of the columns of a node are
// NULL, and need not be given. Which are depends on its kind, and a little more.
type inserts struct {
	conn *sql.Conn
	of   map[uint64]*insert // by what is not NULL, a bit a column
	args []any
}

// insert is the statement for some of the columns.
type insert struct {
	*sqlitefile.Statement

	columns []int
}

// manyInserts is how many statements there are at most; then one serves for what
// is left.
const manyInserts = 64

// run adds a row, all of whose columns are given, and reports whether it could.
//
// row has a value for each column of [table.Columns], nil for NULL. A table has at most
// 64 columns for this: the columns given are the bits of a uint64. added is false if
// the number or the id is taken.
func (s *inserts) run(ctx context.Context, row []any) (added bool, err error) {
	var given uint64
	for i, v := range row {
		if v != nil {
			given |= 1 << i
		}
	}
	st, ok := s.of[given]
	if !ok {
		if st, err = s.prepare(ctx, given); err != nil {
			return false, err
		}
	}
	s.args = s.args[:0]
	for _, i := range st.columns {
		s.args = append(s.args, row[i])
	}
	n, err := st.Exec(ctx, s.args...)
	return n > 0, err
}

// prepare returns the statement for a set of columns. Beyond manyInserts sets, the
// statement for all columns serves.
func (s *inserts) prepare(ctx context.Context, given uint64) (st *insert, err error) {
	names := table.Columns()
	if len(s.of) >= manyInserts {
		given = 1<<len(names) - 1
		if all, ok := s.of[given]; ok {
			return all, nil
		}
	}
	st = &insert{}
	var some []string
	for i, name := range names {
		if given&(1<<i) != 0 {
			st.columns, some = append(st.columns, i), append(some, name)
		}
	}
	if st.Statement, err = sqlitefile.Prepare(ctx, s.conn, insertNode(some)); err != nil {
		return nil, err
	}
	s.of[given] = st
	return st, nil
}

// close closes the statements.
func (s *inserts) close() error {
	var errs []error
	for _, st := range s.of {
		errs = append(errs, st.Close())
	}
	clear(s.of)
	return errors.Join(errs...)
}
