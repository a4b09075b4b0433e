package pg

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// mostKnown is how many statements a connection keeps, unless the URL says that it keeps none.
const mostKnown = 256

// conn is a connection. The server keeps the plans of statements that were run on it.
type conn struct {
	*pgconn.PgConn

	known map[string]*pgconn.StatementDescription // by their text
	most  int                                     // how many it may keep
	stale bool                                    // the server keeps other statements than known
}

// prepare has the server keep a statement. It returns nil if there are too many already.
func (c *conn) prepare(ctx context.Context, query string) (*pgconn.StatementDescription, error) {
	if is := c.known[query]; is != nil || len(c.known) >= c.most {
		return is, nil
	}
	made, err := c.Prepare(ctx, "s"+strconv.Itoa(len(c.known)), query, nil)
	if err != nil {
		return nil, err
	}
	c.known[query] = made
	return made, nil
}

// run runs a statement. Its answer is in binary: a text as it is, a number as its bytes,
// the highest first.
func (c *conn) run(ctx context.Context, query string, args []any) (*pgconn.ResultReader, error) {
	values, formats, err := encode(args)
	if err != nil {
		return nil, err
	}
	known, err := c.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	if known == nil {
		return c.ExecParams(ctx, query, values, nil, formats, binary()), nil
	}
	return c.ExecStatement(ctx, known, values, formats, binary()), nil
}

// binary asks for results in the binary format.
func binary() []int16 { return []int16{1} }

// heard notes what an error of the server says of the statements that it keeps: a table is
// not what it was when one was planned, or the server does not know one.
func (c *conn) heard(err error) error {
	const changed, unknown = "0A000", "26000"
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && (e.Code == changed || e.Code == unknown) {
		c.stale = true
	}
	return err
}
