package pg

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Listener is a connection of its own that receives notifications of one channel. One goroutine
// uses it.
//
// Only texts that are sent while it listens arrive, and none twice. A listener that broke must
// therefore ask for what it has missed.
type Listener struct {
	conn *pgconn.PgConn
	said []string // what was heard and not asked for yet
}

// Listen opens a connection, outside of the pool's number, that listens on a channel. The name
// must be one of the program's own: it is put into the statement as it is.
func (p *Pool) Listen(ctx context.Context, channel string) (*Listener, error) {
	var l Listener
	config := p.config.Copy()
	// It is called while the connection is read, which only Wait, Ping and this do.
	config.OnNotification = func(_ *pgconn.PgConn, n *pgconn.Notification) { l.said = append(l.said, n.Payload) }
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	l.conn = conn
	if _, err = conn.Exec(ctx, "LISTEN "+channel).ReadAll(); err != nil {
		hangUp(conn) //nolint:contextcheck // it is ended also when ctx has ended
		return nil, err
	}
	return &l, nil
}

// Wait returns the next text that arrives. If ctx ends first it returns that error, and the
// connection can be used further.
func (l *Listener) Wait(ctx context.Context) (string, error) {
	for len(l.said) == 0 {
		if err := l.conn.WaitForNotification(ctx); err != nil {
			return "", err
		}
	}
	text := l.said[0]
	l.said = l.said[1:]
	return text, nil
}

// Ping asks the server for a sign of life, and returns an error if the connection is broken.
func (l *Listener) Ping(ctx context.Context) error { return l.conn.Ping(ctx) }

// Close ends the connection.
func (l *Listener) Close() { hangUp(l.conn) }

// Unable reports whether an error says that the server cannot do what it is asked (SQLSTATE
// class 0A), or that it does not know a name or its user may not use it (42). Asking again
// changes nothing.
func Unable(err error) bool {
	const cannot, mayNot = "0A", "42"
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (strings.HasPrefix(e.Code, cannot) || strings.HasPrefix(e.Code, mayNot))
}
