// Package pg opens PostgreSQL databases for sinks: statement timeouts, retries while
// a server restarts, and errors that name the cause and never contain a password.
//
// A [Pool] is a set of connections, a [Tx] a transaction on one of them. [Transact] runs a
// function in a transaction and repeats it from the start if the server goes away or asks for it
// (serialization failure, deadlock). Therefore the function must not have other effects. There is
// one case in which nothing is known: the connection breaks after the commit was sent. That is
// [ErrUnknown], and the caller must be able to write the same again.
//
//	f(tx) ── commit ──▶ ok
//	  │         └─ no answer ──▶ ErrUnknown
//	  └─ server away, or asks for it ──▶ wait ──▶ f(tx) again, up to [Patience]
//
// [Shown] is the only form in which a URL is printed: it has no user and no password.
//
// What a caller must know to write a transaction that can run again:
//
//	pg.Transact(ctx, pool, func(ctx context.Context, tx pg.Tx) error {
//	    n = 0                                 reset what an earlier attempt may have set
//	    rows, err := tx.Query(ctx, …)         rows are read to the end before the next question
//	    …
//	    return err                            nil commits, an error rolls back
//	})
//
// After ErrUnknown, run the whole again: with ON CONFLICT or a merge by id a second commit
// changes nothing. Search texts are turned into words here (Words, Vector, Phrase), not by a
// configuration of the server, so every server finds the same.
//
// Where to find what:
//
//	pg.go         opening, transactions, errors in a person's words
//	pool.go       connections: at most 16, checked after a second of rest
//	conn.go       statements that the server keeps
//	tx.go         statements, batches, rows
//	values.go     values in the text and binary formats
//	words.go      search texts as tsvector and tsquery
//	foreign.go    triggers, rules and policies of others
//	listen.go     notifications
package pg

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/memscribe/memscribe/internal/newer"
	"github.com/memscribe/memscribe/internal/sink"
)

// IsURL reports whether a text names a database of PostgreSQL rather than a file.
func IsURL(s string) bool {
	return strings.HasPrefix(s, "postgres://") || strings.HasPrefix(s, "postgresql://")
}

// Shown returns the URL of a database as a person may see it: where it is and what it is
// called, without user, password and settings. Two databases have two such texts.
//
//	postgres://ann:secret@db.example/team?sslmode=require → postgres://db.example/team
//	postgres://ann@/team?host=/run/postgresql             → postgres:///team?host=%2Frun%2Fpostgresql
func Shown(dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil {
		return "postgres://…" // the error would quote it
	}
	where := url.Values{}
	for _, name := range []string{"host", "port", "dbname"} {
		if v := u.Query().Get(name); v != "" {
			where.Set(name, v)
		}
	}
	return (&url.URL{Scheme: "postgres", Host: u.Host, Path: u.Path, RawQuery: where.Encode()}).String()
}

// What a statement and a connection may take, unless the URL says otherwise.
const (
	// Limits that the server is told, unless the URL says otherwise. A statement, and a wait
	// for a lock, fail after theirs; a transaction whose client is silent for idleTime is
	// rolled back.
	connectTime   = 5 * time.Second
	statementTime = time.Minute
	lockTime      = 30 * time.Second
	idleTime      = time.Minute // of a transaction whose client says nothing more
	connections   = 16
)

// Dial returns a pool of connections to a database. It only reads the URL: the first question
// opens a connection. Of several hosts in the URL one that takes writes is used, unless the URL
// says which (target_session_attrs).
//
// No error of it contains the URL, which may have a password.
func Dial(_ context.Context, dsn string) (*Pool, error) {
	c, err := pgconn.ParseConfig(dsn)
	if err != nil {
		// The error quotes the URL, with what may be a password in it.
		return nil, sink.Faultf("open database: its URL cannot be read; it is postgres://user@host:port/name, and %%XX stands for special characters")
	}
	unless := func(name, value string) {
		if _, told := c.RuntimeParams[name]; !told {
			c.RuntimeParams[name] = value
		}
	}
	unless("application_name", "memscribe")
	unless("statement_timeout", millis(statementTime))
	unless("lock_timeout", millis(lockTime))
	unless("idle_in_transaction_session_timeout", millis(idleTime))
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectTime
	}
	if c.ValidateConnect == nil && len(c.Fallbacks) > 0 {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	pool, err := newPool(c)
	if err != nil {
		return nil, &sink.Fault{Err: fmt.Errorf("open database: %w", err)}
	}
	return pool, nil
}

// millis returns a duration as a PostgreSQL setting.
func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Patience is how long a transaction waits for a server that is starting again or
// that another takes the place of.
const Patience = 15 * time.Second

// setting is the key of a setting in a context.
type setting struct{}

// With returns a context whose transactions begin with a setting of the session that ends with
// each of them (SET LOCAL). A proxy that shares connections between transactions therefore does
// not carry it to others. The name is put into the statement as it is; the value is quoted.
func With(ctx context.Context, name, value string) context.Context {
	return context.WithValue(ctx, setting{}, "SET LOCAL "+name+" = '"+strings.ReplaceAll(value, "'", "''")+"'")
}

// Transact runs f in a transaction, and again from the start if the server goes away or asks
// for it, for as long as [Patience]. f must do nothing but write to the transaction. If the
// connection breaks after the commit was sent it is unknown whether the transaction counts:
// that is [ErrUnknown].
func Transact(ctx context.Context, pool *Pool, f func(ctx context.Context, tx Tx) error) error {
	return RetryBusy(ctx, func() error { return pool.within(ctx, begin, f) })
}

// ErrUnknown is the error of a transaction that may or may not have been committed.
var ErrUnknown = errors.New("the connection broke while the transaction was committed; it may count or not")

// Look runs f on what the database holds at one moment: all its questions see the same rows.
// Like Transact it may run f more than once.
func Look(ctx context.Context, pool *Pool, f func(ctx context.Context, tx Tx) error) error {
	return RetryBusy(ctx, func() error { return LookOnce(ctx, pool, f) })
}

// LookOnce is Look for an f that must not run twice, as one that has passed rows on already. It
// does not wait for a server that is away.
func LookOnce(ctx context.Context, pool *Pool, f func(ctx context.Context, tx Tx) error) error {
	return pool.within(ctx, beginSnapshot, f)
}

// RetryBusy runs f, and again while [Passes] says of its error that this may help. It waits 40
// ms, then twice as long each time up to a second, and gives up after [Patience].
func RetryBusy(ctx context.Context, f func() error) error {
	wait := 20 * time.Millisecond
	for waited := time.Duration(0); ; waited += wait {
		err := f()
		if err == nil || waited >= Patience || !Passes(err) || errors.Is(err, ErrUnknown) || ctx.Err() != nil {
			return err
		}
		wait = min(2*wait, time.Second)
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return err
		}
	}
}

// Passes reports whether an error is of a server that is away, or of one that asks for the
// transaction to be repeated. A server that refuses TLS, or whose name nobody knows, is a
// mistake and not away.
func Passes(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch {
		case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "57P"), strings.HasPrefix(e.Code, "53"):
			return true // no connection; shut down or starting; no room, connections or memory
		case strings.HasPrefix(e.Code, "40"), e.Code == "55P03", e.Code == "25006":
			// to be called again; locked for long; a standby that became the primary is near
			return true
		}
		return false
	}
	if c, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return !strings.Contains(c.Error(), "TLS") && !strings.Contains(c.Error(), "hostname resolving")
	}
	_, isNet := errors.AsType[net.Error](err)
	return isNet || pgconn.SafeToRetry(err) || brokenOff(err)
}

// brokenOff reports whether a connection ended in the middle of an exchange. There is no type
// of error for that, so it goes by the words.
func brokenOff(err error) bool {
	text := err.Error()
	for _, part := range []string{"unexpected EOF", "conn closed", "broken pipe", "connection reset", "closed pool"} {
		if strings.Contains(text, part) {
			return part != "closed pool"
		}
	}
	return false
}

// passing is an error that may pass by itself. A writer that has a queue waits and tries again.
type passing struct{ error }

// Unwrap returns the error that may pass.
func (p *passing) Unwrap() error { return p.error }

// Passes reports true. Package sink asks an error for it.
func (*passing) Passes() bool { return true }

// Explain returns an error of the server with the cause in front in a person's words, if it is
// one of those that people can do something about. One that may pass by itself has a method
// Passes.
func Explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	reasons := map[string]string{
		"28P01": "the password is wrong, or there is none", "28000": "the server does not let this user in", "3D000": "there is no such database",
		"42501": "the user may not do this in the database", "57014": "the statement took too long", "53100": "the server's disk is full",
		"25006": "the server takes no writes: it is a standby, or read-only",
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && reasons[e.Code] != "" {
		err = fmt.Errorf("%s: %w", reasons[e.Code], err)
	} else if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		err = fmt.Errorf("the database cannot be reached: %w", err)
	}
	if Passes(err) {
		return &passing{err}
	}
	return err
}

// Schema is what a program keeps in a database, and how it came to be.
type Schema struct {
	// Table is a table with one row, the version; its name is the program's own.
	Table string
	// Steps lead from each version to the next, the first of them from an empty database. What
	// was released is never changed.
	Steps []string
	// Tables are what the steps make. What others put on them that acts is refused.
	Tables []string
}

// ErrForeign is the error of a database that is not the program's.
var ErrForeign = errors.New("the database is not one that this version of Memscribe knows")

// Migrate brings a database to the present schema, step by step in one transaction. Of many
// programs that do so at once one does it, and the others wait for its row. A database of a
// newer program, and one whose tables have triggers, rules or policies that others made, are
// errors.
func Migrate(ctx context.Context, pool *Pool, s Schema) error {
	make1 := fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (one BOOLEAN PRIMARY KEY, version BIGINT NOT NULL)", s.Table)
	row := fmt.Sprintf("INSERT INTO %s (one, version) VALUES (true, 0) ON CONFLICT (one) DO NOTHING", s.Table)
	err := RetryBusy(ctx, func() error {
		var is int64
		if e := pool.QueryRow(ctx, "SELECT version FROM "+s.Table).Scan(&is); e == nil && is == int64(len(s.Steps)) {
			return nil // who only reads need not be allowed to make a table
		}
		e := pool.Exec(ctx, make1)
		if exists(e) {
			e = nil // another makes it at this moment
		}
		if e == nil {
			e = pool.Exec(ctx, row)
		}
		return e
	})
	if err != nil {
		return err
	}
	if err = upgrade(ctx, pool, s); err != nil {
		return err
	}
	return refuseForeign(ctx, pool, s.Tables)
}

// upgrade does the steps that a database lacks, and records the new version. A table that a
// step makes and that exists already is not ours: [ErrForeign].
func upgrade(ctx context.Context, pool *Pool, s Schema) error {
	return Transact(ctx, pool, func(ctx context.Context, tx Tx) error {
		var is int
		if err := tx.QueryRow(ctx, "SELECT version FROM "+s.Table+" FOR UPDATE").Scan(&is); err != nil {
			return err
		}
		if err := newer.Check(is, len(s.Steps)); err != nil {
			return &sink.Fault{Err: err}
		}
		for ; is < len(s.Steps); is++ {
			if _, err := tx.Exec(ctx, s.Steps[is]); exists(err) {
				return &sink.Fault{Err: fmt.Errorf("%w: %w", ErrForeign, err)}
			} else if err != nil {
				return fmt.Errorf("upgrade to schema %d: %w", is+1, err)
			}
		}
		_, err := tx.Exec(ctx, fmt.Sprintf("UPDATE %s SET version = %d", s.Table, len(s.Steps)))
		return err
	})
}

// exists reports whether a table or a type of that name is there already.
func exists(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (e.Code == "42P07" || e.Code == "42710" || e.Code == "23505" || e.Code == "42P06")
}
