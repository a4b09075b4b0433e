package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// connection is the only connection of a Sink, with its prepared statements.
type connection struct {
	*sql.Conn // nil when it is closed

	db         *sql.DB
	queries    map[string]*sql.Stmt
	writes     *sqlitefile.Statements
	isUnsynced bool // something was committed since the last sync
	commits    int  // since the log was last written back
}

// dial connects to the database at path.
func dial(ctx context.Context, path string, pragmas []string) (*connection, error) {
	db, err := sqlitefile.Dial(path, sqlitefile.Options{Connections: 1, Pragmas: pragmas})
	if err != nil {
		return nil, err
	}
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &connection{Conn: c, db: db, queries: map[string]*sql.Stmt{}, writes: sqlitefile.NewStatements(c)}, nil
}

// Stmt returns the prepared form of a query.
func (c *connection) Stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if st, ok := c.queries[query]; ok {
		return st, nil
	}
	st, err := c.PrepareContext(ctx, query)
	if err == nil {
		c.queries[query] = st
	}
	return st, err
}

// Exec runs a statement, which is prepared once, and returns how many rows it changed.
func (c *connection) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	return c.writes.Exec(ctx, query, args...)
}

// number returns the value of a pragma or another query for one integer.
func (c *connection) number(ctx context.Context, query string) (n int64, err error) {
	st, err := c.Stmt(ctx, query)
	if err == nil {
		err = st.QueryRowContext(ctx).Scan(&n)
	}
	return n, err
}

// Transact runs f in a transaction. It commits if f reports a change.
//
// f gets a context that cannot be cancelled: no statement is interrupted, and a batch
// asks for cancellation between lines (batch.cancelled).
func (c *connection) Transact(ctx context.Context, f func(context.Context) (changed bool, err error)) error {
	if c.Conn == nil {
		return errors.New("database is closed")
	}
	if err := schema.Begin(ctx, c.Conn); err != nil {
		return err
	}
	// A context that can be cancelled would cost more than the short statements.
	ctx = context.WithoutCancel(ctx)
	changed, err := f(ctx)
	if err == nil && changed {
		if _, err = c.ExecContext(ctx, "COMMIT"); err == nil {
			c.isUnsynced = true
			c.commits++
			return nil
		}
	}
	// After some errors SQLite has rolled back already, and says so.
	_, undo := c.ExecContext(ctx, "ROLLBACK")
	if err == nil {
		err = undo
	}
	return err
}

// sync makes all commits so far durable.
//
// synchronous=full makes SQLite sync the log at a commit. The commit must write
// something, so it writes the application id again.
func (c *connection) sync(ctx context.Context) error {
	if !c.isUnsynced {
		return nil
	}
	if _, err := c.ExecContext(ctx, "PRAGMA synchronous = full"); err != nil {
		return err
	}
	err := c.Transact(ctx, func(ctx context.Context) (bool, error) {
		_, err := c.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", schema.ApplicationID))
		return true, err
	})
	if err != nil {
		return err
	}
	c.isUnsynced = false
	_, err = c.ExecContext(ctx, "PRAGMA synchronous = normal")
	return err
}

// close closes the statements, the connection and the database.
func (c *connection) close() error {
	if c.Conn == nil {
		return nil
	}
	var errs []error
	for _, st := range c.queries {
		errs = append(errs, st.Close())
	}
	errs = append(errs, c.writes.Close(), c.Close(), c.db.Close())
	c.Conn, c.queries = nil, nil
	return errors.Join(errs...)
}
