package pg

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/puddle/v2"
)

// How long a connection is kept.
const (
	// How long a connection is kept.
	lifetime = time.Hour
	restTime = 30 * time.Minute // without work
	trusted  = time.Second      // at rest for longer, it is asked whether it still is one
)

// Pool is the connections to a database, opened as they are needed. Many goroutines may use it.
// A connection is used by one of them at a time.
type Pool struct {
	config *pgconn.Config
	all    *puddle.Pool[*conn]
}

// newPool returns a pool without connections. It takes out of the config what is for the pool
// and not for the server.
func newPool(config *pgconn.Config) (*Pool, error) {
	most, kept, err := settings(config.RuntimeParams)
	if err != nil {
		return nil, err
	}
	all, err := puddle.NewPool(&puddle.Config[*conn]{
		MaxSize: most,
		Constructor: func(ctx context.Context) (*conn, error) {
			c, failed := pgconn.ConnectConfig(ctx, config)
			return &conn{PgConn: c, known: map[string]*pgconn.StatementDescription{}, most: kept}, failed
		},
		Destructor: func(c *conn) { hangUp(c.PgConn) },
	})
	return &Pool{config, all}, err
}

// settings takes what a URL says of the pool out of what it says to the server: how many
// connections there are at most, and how many statements each keeps. Behind a proxy that
// gives each transaction another connection none can be kept.
//
//	postgres://db/team?pool_max_conns=4&statement_timeout=0 → 4 connections; statement_timeout is left for the server
//	postgres://proxy/team?default_query_exec_mode=exec      → 16 connections that keep no statement
func settings(said map[string]string) (most int32, kept int, err error) {
	const (
		connsKey, mode, capacity = "pool_max_conns", "default_query_exec_mode", "statement_cache_capacity"
		keeps                    = "cache_statement" // the mode
	)
	most, kept = connections, mostKnown
	for name, value := range said {
		switch {
		case name == mode && value != keeps, name == capacity && value == "0":
			kept = 0
		case name == connsKey:
			n, failed := strconv.ParseInt(value, 10, 32)
			if failed != nil || n < 1 {
				return 0, 0, fmt.Errorf("%s is %q and not a number from 1 on", connsKey, value)
			}
			most = int32(n)
		}
		if name == mode || name == capacity || name == "description_cache_capacity" || strings.HasPrefix(name, "pool_") {
			delete(said, name)
		}
	}
	return most, kept, nil
}

// hangUp ends a connection. A server that is away is not waited for.
func hangUp(c *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	_ = c.Close(ctx) // it is over in any case
	<-c.CleanupDone()
}

// Close ends all connections. It waits for those that are in use.
func (p *Pool) Close() { p.all.Close() }

// lease is a connection that is taken out of the pool, and must be given back or destroyed.
type lease = puddle.Resource[*conn]

// lease takes a connection out of the pool, or opens one, and waits if all are in use. One that
// rested for longer than a second is asked for a sign of life first.
func (p *Pool) lease(ctx context.Context) (*lease, error) {
	for {
		l, err := p.all.Acquire(ctx)
		if err != nil {
			return nil, err
		}
		old := time.Since(l.CreationTime()) > lifetime || l.IdleDuration() > restTime //nolint:forbidigo // puddle takes no clock
		if !old && (l.IdleDuration() <= trusted || l.Value().Ping(ctx) == nil) {
			return l, nil
		}
		l.Destroy() // another takes its place
	}
}

// giveBack puts a connection back. One that is in the middle of a transaction or an answer is
// ended, and so is one whose statements the server has forgotten.
func giveBack(l *lease) {
	const atRest = 'I'
	if c := l.Value(); c.stale || c.IsClosed() || c.IsBusy() || c.TxStatus() != atRest {
		l.Destroy()
		return
	}
	l.Release()
}

// Exec runs a statement in a transaction of its own, or several that have no values.
func (p *Pool) Exec(ctx context.Context, query string, args ...any) error {
	l, err := p.lease(ctx)
	if err != nil {
		return err
	}
	defer giveBack(l)
	_, err = Tx{l.Value()}.Exec(ctx, query, args...)
	return err
}

// Query asks for rows. They hold a connection until they are closed or read to their end.
func (p *Pool) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	l, err := p.lease(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := Tx{l.Value()}.Query(ctx, query, args...)
	if err != nil {
		giveBack(l)
		return nil, err
	}
	rows.done = func() { giveBack(l) }
	return rows, nil
}

// QueryRow asks for one row. The connection is held until Scan: a Row must be scanned.
func (p *Pool) QueryRow(ctx context.Context, query string, args ...any) Row {
	rows, err := p.Query(ctx, query, args...)
	return Row{rows, err}
}

// How a transaction begins.
const (
	begin         = "begin"
	beginSnapshot = "begin isolation level repeatable read read only"
)

// within runs f in a transaction that begins as how says, with the setting of ctx, and ends it:
// with a commit if f returns nil, else with a rollback. It does not repeat anything.
func (p *Pool) within(ctx context.Context, how string, f func(ctx context.Context, tx Tx) error) error {
	l, err := p.lease(ctx)
	if err != nil {
		return err
	}
	defer giveBack(l)
	tx, first := Tx{l.Value()}, how
	if set, ok := ctx.Value(setting{}).(string); ok {
		first += "; " + set
	}
	if _, err = tx.Exec(ctx, first); err != nil {
		return err
	}
	if err = f(ctx, tx); err != nil {
		// Who rolls back has lost interest in the transaction, not in the connection.
		_, _ = tx.Exec(context.WithoutCancel(ctx), "rollback") // what broke it says more
		return err
	}
	return tx.commit(ctx, how == begin)
}
