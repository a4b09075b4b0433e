package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A database comes from somebody else, and what is in it is code too: views,
// computed columns, statistics, pages that refer to each other in any way. Two
// things keep it from doing harm.
//
//   - A connection can do nothing but read: it is read-only and defensive, the
//     schema is not trusted, nothing can be attached, and what SQLite builds is
//     limited in length.
//   - A query may take so much time, and so many steps of SQLite's virtual machine.
//     SQLite asks the guard every few thousand steps, and breaks off.

// ErrSlow says that a query was ended because it took too long. With more patience it may
// succeed.
var ErrSlow = errors.New("takes too long to read")

const (
	// askEvery is how many steps of SQLite's virtual machine pass between two calls of the
	// guard.
	askEvery = 5000
	// stepsPerSecond is how many steps a query may take for each second of patience: about ten
	// times as many as a processor does in that time. Normally the clock ends a query; the
	// steps do where the clock stands still, as in tests and on a suspended machine.
	stepsPerSecond = 500_000_000
	// maxValue is the size of the largest value, in bytes; SQLite takes up to three times as
	// much memory for it. A conversation with a larger value cannot be read.
	maxValue = 96 << 20
)

// guard ends queries that take too long. It must be used for one connection at a time.
type guard struct {
	ask     func(*libc.TLS, uintptr) int32 // kept here, since SQLite holds only its address
	expired func() error                   // says whether the time is over; nil: no query runs
	steps   int64                          // that the query may still take
	stopped bool                           // the query was broken off
	spent   time.Duration                  // by all queries of a pass
}

// newGuard returns a guard for one connection. No query runs yet.
func newGuard() *guard {
	g := &guard{}
	g.ask = func(*libc.TLS, uintptr) int32 { return g.answer() }
	return g
}

// answer returns 0 while the query may continue, and 1 to end it, as SQLite's progress handler
// must.
func (g *guard) answer() int32 {
	g.steps -= askEvery
	if g.expired == nil || g.steps > 0 && g.expired() == nil {
		return 0
	}
	g.stopped = true
	return 1
}

// during calls do, whose queries may take as long as patience together, and returns ErrSlow if
// they took longer. If ctx ended, its error is returned instead.
func (g *guard) during(ctx context.Context, patience time.Duration, do func() error) error {
	timed, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	g.expired, g.stopped = timed.Err, false
	g.steps = int64(patience.Seconds() * stepsPerSecond)
	err := do()
	g.expired = nil
	if deadline, ok := timed.Deadline(); ok && patience > time.Until(deadline) {
		g.spent += patience - time.Until(deadline)
	}
	if !g.stopped {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return fmt.Errorf("%w (more than %v)", ErrSlow, patience)
}

// connector opens connections with the guard in place.
type connector struct {
	name  string
	guard *guard
}

var _ driver.Connector = connector{}

// Driver implements [driver.Connector].
func (c connector) Driver() driver.Driver { return &sqlite.Driver{} }

// Connect implements [driver.Connector].
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Driver().Open(c.name)
	if err != nil {
		return nil, err
	}
	err = c.guard.hold(conn)
	if e, ok := conn.(driver.ExecerContext); ok && err == nil {
		// This reads the schema, and comes after the guard therefore.
		_, err = e.ExecContext(ctx, `PRAGMA cache_size = -1024`, nil)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// hold installs the guard as SQLite's progress handler, and limits what SQLite builds. The
// driver offers neither a function for that nor a handle, so the handle is read from its
// private field db.
func (g *guard) hold(conn driver.Conn) error {
	field := reflect.Indirect(reflect.ValueOf(conn)).FieldByName("db")
	if !field.IsValid() || field.Kind() != reflect.Uintptr || field.Uint() == 0 {
		return errors.New("guard database: the driver has no handle")
	}
	db, tls := uintptr(field.Uint()), libc.NewTLS()
	defer tls.Close()
	for limit, most := range map[int32]int32{ // in any order
		sqlite3.SQLITE_LIMIT_LENGTH:              maxValue,
		sqlite3.SQLITE_LIMIT_SQL_LENGTH:          1 << 20,
		sqlite3.SQLITE_LIMIT_COMPOUND_SELECT:     50,
		sqlite3.SQLITE_LIMIT_VDBE_OP:             1 << 20,
		sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 100,
		sqlite3.SQLITE_LIMIT_ATTACHED:            0,
		sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH:       1,
		sqlite3.SQLITE_LIMIT_WORKER_THREADS:      0,
	} {
		sqlite3.Xsqlite3_limit(tls, db, limit, most)
	}
	ask := *(*uintptr)(unsafe.Pointer(&g.ask)) // as the driver hands functions to SQLite
	sqlite3.Xsqlite3_progress_handler(tls, db, askEvery, ask, 0)
	return nil
}

// query runs a query and hands its rows to take, one by one.
func (d *Database) query(ctx context.Context, query string, args []any, take func(*sql.Rows) error) error {
	return d.guard.during(ctx, d.patience(), func() error {
		// The guard ends a query when ctx does: the driver need not watch it too.
		rows, err := d.db.QueryContext(context.WithoutCancel(ctx), query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if d.guard.expired() != nil {
				d.guard.stopped = true
				return ErrSlow
			}
			if err := take(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}
