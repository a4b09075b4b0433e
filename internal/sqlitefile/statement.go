package sqlitefile

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
)

// Statement is a prepared statement that is run for each of many rows: what
// database/sql does for each call, and for each argument of it, is left out.
type Statement struct {
	conn *sql.Conn
	stmt driver.Stmt
	args []driver.NamedValue
}

// Prepare prepares a statement on a connection, which must outlive it.
func Prepare(ctx context.Context, c *sql.Conn, query string) (*Statement, error) {
	s := &Statement{conn: c}
	err := c.Raw(func(bare any) (err error) {
		p, ok := bare.(driver.ConnPrepareContext)
		if !ok {
			return fmt.Errorf("prepare statement: a %T cannot", bare)
		}
		s.stmt, err = p.PrepareContext(ctx, query)
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Exec runs the statement and returns how many rows it changed. It must not run
// twice at a time. A ctx that can be cancelled makes it slower.
func (s *Statement) Exec(ctx context.Context, args ...any) (changed int64, err error) {
	s.args = s.args[:0]
	for i, a := range args {
		if !driver.IsValue(a) {
			if a, err = driver.DefaultParameterConverter.ConvertValue(a); err != nil {
				return 0, err
			}
		}
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	err = s.conn.Raw(func(any) error {
		st, ok := s.stmt.(driver.StmtExecContext)
		if !ok {
			return errors.ErrUnsupported
		}
		result, failed := st.ExecContext(ctx, s.args)
		if failed == nil {
			changed, failed = result.RowsAffected()
		}
		return failed
	})
	clear(s.args)
	return changed, err
}

// Close releases the statement.
func (s *Statement) Close() error {
	return s.conn.Raw(func(any) error { return s.stmt.Close() })
}

// Statements are those of a connection, each prepared once.
type Statements struct {
	conn     *sql.Conn
	prepared map[string]*Statement
}

// NewStatements returns the statements of a connection, which must outlive them.
func NewStatements(c *sql.Conn) *Statements {
	return &Statements{conn: c, prepared: map[string]*Statement{}}
}

// Exec runs a statement as [Statement.Exec] does.
func (s *Statements) Exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	st, ok := s.prepared[query]
	if !ok {
		if st, err = Prepare(ctx, s.conn, query); err != nil {
			return 0, err
		}
		s.prepared[query] = st
	}
	return st.Exec(ctx, args...)
}

// Close releases all of them.
func (s *Statements) Close() error {
	var errs []error
	for _, st := range s.prepared {
		errs = append(errs, st.Close())
	}
	clear(s.prepared)
	return errors.Join(errs...)
}
