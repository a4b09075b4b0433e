// Package sqlitefile opens SQLite files for sinks: private permissions, retries
// while the file is busy, and errors that name the cause.
//
// All databases of the program itself are opened here: nodes (sink/sqlite, internal/nodedb),
// memories (sink/memdb/store), and the spool of a MemDB server. What they share:
//
//	permissions   0600 in a folder with 0700; SQLite copies them to -wal and -shm
//	busy          [RetryBusy] repeats a call while another process holds a lock
//	schema        [CheckSchema] compares the tables, indexes, triggers and views of a file with
//	              those that its migrations make, and creates missing indexes again
//	statements    [Statement] leaves out what database/sql does for each call and argument
//	errors        [Explain] names the cause: a full disk, a read-only folder, a damaged file
//
// A trigger or a view that someone added is code that would run with the user's rights.
// Therefore a file with one is refused, not repaired.
package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	driver "modernc.org/sqlite"

	"github.com/memscribe/memscribe/internal/durable"
)

// While another process writes, a statement waits for its turn, and then is tried
// again so often: between times it can be cancelled.
const (
	turn  = 100 // ms
	turns = 100
)

// The primary result codes of what may pass by itself: of a statement that cannot
// run because of another process, and of a disk.
const (
	busy       = 5
	diskFailed = 10
	diskFull   = 13
)

// RetryBusy runs f until it is not another process that keeps it from running.
func RetryBusy(ctx context.Context, f func() error) error {
	for i := 1; ; i++ {
		err := f()
		e, ok := errors.AsType[*driver.Error](err)
		switch {
		case ctx.Err() != nil && err != nil:
			return ctx.Err()
		case !ok || e.Code()&0xff != busy || i == turns:
			return err
		}
		pause(ctx, min(time.Duration(i)*time.Millisecond, turn/2*time.Millisecond))
	}
}

// pause lets others go first: where waiting could be for ever, SQLite does not
// wait for its turn but fails at once.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// Create makes the file, with its folder, for the user alone. SQLite gives the
// files beside it the same permissions. A file that is there is not touched: to
// open and close it would drop the locks that this process may have on it.
func Create(path string) error {
	if err := durable.Create(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// Options say how a file is opened.
type Options struct {
	Connections int  // at most
	ReadOnly    bool // the file must be there, and is not changed
	Pragmas     []string

	immutable bool // no process writes to it, so no lock is needed
}

// Dial opens a pool of connections.
func Dial(path string, o Options) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := filepath.ToSlash(abs)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive
	}
	dsn := url.URL{Scheme: "file", Path: name, RawQuery: o.query().Encode()}
	connector, err := driver.NewConnector(dsn.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(o.Connections)
	db.SetMaxIdleConns(o.Connections)
	return db, nil
}

// query returns the options as parameters of the driver's URL.
func (o Options) query() url.Values {
	q := url.Values{"_pragma": append(slices.Clone(o.Pragmas), "busy_timeout("+strconv.Itoa(turn)+")")}
	if o.ReadOnly {
		q.Set("mode", "ro")
	}
	if o.immutable {
		q.Set("immutable", "1")
	}
	return q
}

// DialReader opens a file to be read, also on a disk that cannot be written to.
// ask is the first question, and decides whether the file is what it should be.
func DialReader(ctx context.Context, path string, o Options, ask func(*sql.DB) error) (*sql.DB, error) {
	db, err := dialAndAsk(ctx, path, o, ask)
	if cannotShare(err) && !underWay(path) {
		// Where nothing can be written, there is no writer.
		o.ReadOnly, o.immutable = true, true
		return dialAndAsk(ctx, path, o, ask)
	}
	return db, err
}

// dialAndAsk opens a database and asks it something, with retries while it is busy.
// The first question is what really opens a file.
func dialAndAsk(ctx context.Context, path string, o Options, ask func(*sql.DB) error) (*sql.DB, error) {
	db, err := Dial(path, o)
	if err != nil {
		return nil, err
	}
	if err := RetryBusy(ctx, func() error { return ask(db) }); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// cannotShare reports whether a database could not be opened because the files
// by which programs share it cannot be made.
func cannotShare(err error) bool {
	const readOnly, cannotOpen = 8, 14
	e, ok := errors.AsType[*driver.Error](err)
	return ok && (e.Code()&0xff == readOnly || e.Code()&0xff == cannotOpen)
}

// underWay reports whether there is no such file, or a log whose content is not in
// it.
func underWay(path string) bool {
	if _, err := os.Stat(path); err != nil {
		return true
	}
	info, err := os.Stat(path + "-wal")
	return !errors.Is(err, fs.ErrNotExist) && (err != nil || info.Size() > 0)
}

// noRoomForIndex is the result code when the index of the log cannot grow
// (SQLITE_IOERR_SHMSIZE), and SQLite does not say why.
const noRoomForIndex = 4874

// Explain says in a person's words why SQLite failed.
func Explain(err error) error {
	e, ok := errors.AsType[*driver.Error](err)
	if !ok || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	reasons := map[int]string{ // by primary result code
		busy:       "another process has been writing for too long",
		8:          "the file or its folder cannot be written to",
		diskFailed: "the disk failed",
		11:         "the file is damaged",
		diskFull:   "the disk is full",
		14:         "the file, or one beside it, cannot be opened",
		26:         "the file is not a database",
	}
	if e.Code() == noRoomForIndex {
		return &passing{fmt.Errorf("the disk is full, or failed: %w", err)}
	}
	reason, ok := reasons[e.Code()&0xff]
	if ok {
		err = fmt.Errorf("%s: %w", reason, err)
	}
	switch e.Code() & 0xff {
	case busy, diskFailed, diskFull:
		return &passing{err}
	}
	return err
}

// passing is an error of what may pass by itself.
type passing struct{ error }

// Unwrap returns the error that may pass.
func (p *passing) Unwrap() error { return p.error }

// Passes says so to whoever may wait.
func (*passing) Passes() bool { return true }
