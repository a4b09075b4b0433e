// Package lite opens database files as MemDB wants them: private, patient with
// other processes, and with errors that a person understands.
package lite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	driver "modernc.org/sqlite"

	"github.com/memscribe/memscribe/io/folder"
)

// While another process writes, a statement waits for its turn, and then is tried
// again so often: between times it can be cancelled.
const (
	turn  = 100 // ms
	turns = 100
	busy  = 5 // the result code
)

// Patiently runs f until it is not another process that keeps it from running.
func Patiently(ctx context.Context, f func() error) error {
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

// Create makes the file, with its folder, for the user alone.
func Create(path string) error {
	if err := folder.Create(filepath.Dir(path)); err != nil {
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

// Dial opens a pool of at most so many connections.
func Dial(path string, connections int, pragmas ...string) (*sql.DB, error) {
	return dial(path, connections, url.Values{"_pragma": pragmas})
}

// DialReader opens a file to be read by one connection, also on a disk that
// cannot be written to.
func DialReader(ctx context.Context, path string) (*sql.DB, error) {
	db, err := dial(path, 1, url.Values{"_pragma": {"query_only(on)"}})
	if err != nil {
		return nil, err
	}
	err = Patiently(ctx, func() error { return db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(new(int)) })
	if err == nil {
		return db, nil
	}
	if err = errors.Join(err, db.Close()); !cannotShare(err) || underWay(path) {
		return nil, err
	}
	// Where nothing can be written, nobody writes.
	return dial(path, 1, url.Values{"mode": {"ro"}, "immutable": {"1"}, "_pragma": {"query_only(on)"}})
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

func dial(path string, connections int, options url.Values) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := filepath.ToSlash(abs)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // a drive
	}
	options.Add("_pragma", "busy_timeout("+strconv.Itoa(turn)+")")
	dsn := url.URL{Scheme: "file", Path: name, RawQuery: options.Encode()}
	connector, err := driver.NewConnector(dsn.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// Explain says in a person's words why SQLite failed.
func Explain(err error) error {
	e, ok := errors.AsType[*driver.Error](err)
	if !ok || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	reasons := map[int]string{ // by primary result code
		busy: "another process has been writing for too long",
		8:    "the file or its folder cannot be written to",
		10:   "the disk failed",
		11:   "the file is damaged",
		13:   "the disk is full",
		14:   "the file, or one beside it, cannot be opened",
		26:   "the file is not a database",
	}
	if reason, ok := reasons[e.Code()&0xff]; ok {
		return fmt.Errorf("%s: %w", reason, err)
	}
	return err
}
