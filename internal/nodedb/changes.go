package nodedb

import (
	"context"
	"database/sql"

	"github.com/memscribe/memscribe/internal/nodedb/schema"
)

// Changes tells whether there may be something in a database that was not there before.
// It is for one goroutine.
type Changes struct {
	r    *Reader
	db   *sql.DB         // the database that seen is about
	seen *schema.Changes // nil before the first
}

// Changes begins to watch for what is written from now on.
func (r *Reader) Changes(ctx context.Context) (*Changes, error) {
	c := &Changes{r: r}
	if _, err := c.Since(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// Since reports whether something was written since it was called last, or another
// database has taken the place.
func (c *Changes) Since(ctx context.Context) (bool, error) {
	db, err := c.r.now(ctx)
	if err != nil {
		return false, err
	}
	if c.seen != nil && db == c.db {
		return c.seen.Since(ctx)
	}
	seen, err := schema.NewChanges(ctx, db)
	if err != nil {
		return false, err
	}
	_ = c.Close() // nothing was written through it
	c.db, c.seen = db, seen
	return true, nil
}

// Close ends watching.
func (c *Changes) Close() error {
	if c.seen == nil {
		return nil
	}
	return c.seen.Close()
}
