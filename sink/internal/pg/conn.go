package pg

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"
)

// mostKnown is how many statements a connection keeps, unless the URL says that it keeps none.
const mostKnown = 256

// conn is a connection. The server parses and plans a statement once for each connection, and
// keeps the result under a name.
type conn struct {
	*pgconn.PgConn

	// known has the statements that the server keeps, by their text.
	known map[string]*pgconn.StatementDescription // by their text
	// most is how many statements it may keep; 0 for a connection through a proxy that gives
	// each transaction another server connection.
	most int
	// stale says that the server no longer keeps what known says. The pool then ends the
	// connection.
	stale bool
}

// prepare has the server keep a statement. It returns nil, and no error, if it keeps as many as
// it may: the statement is then sent with its text each time.
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

// run runs a statement with values for $1, $2 and so on. The answer is in binary: a text as its
// bytes, a number as its bytes with the highest first. The connection is busy until the answer
// is closed.
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

// heard returns an error of the server as it is, and marks the connection as stale if the error
// says that a statement can no longer be used: its table has changed since it was planned, or
// the server does not know it.
func (c *conn) heard(err error) error {
	const changed, unknown = "0A000", "26000"
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && (e.Code == changed || e.Code == unknown) {
		c.stale = true
	}
	return err
}
