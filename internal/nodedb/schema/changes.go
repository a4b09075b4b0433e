package schema

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/memscribe/memscribe/internal/sqlitefile"
)

// Changes tells whether something was written since it was asked last. It is for one
// goroutine.
type Changes struct {
	conn *sql.Conn
	last int64
}

// NewChanges begins to watch for what is written from now on.
func NewChanges(ctx context.Context, db *sql.DB) (*Changes, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("watch database: %w", sqlitefile.Explain(err))
	}
	c := &Changes{conn: conn}
	if _, err := c.Since(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return c, nil
}

// Since reports whether something was written since it was called last.
func (c *Changes) Since(ctx context.Context) (bool, error) {
	var is int64
	if err := c.conn.QueryRowContext(ctx, "PRAGMA data_version").Scan(&is); err != nil {
		return false, fmt.Errorf("watch database: %w", sqlitefile.Explain(err))
	}
	changed := is != c.last
	c.last = is
	return changed, nil
}

// Close ends watching.
func (c *Changes) Close() error { return c.conn.Close() }
