// Package lock locks a file against other processes.
//
// A lock belongs to a file, not to its name. If someone deletes the file or replaces it,
// another process can lock the new one, and both believe that they are alone. [File.Lost]
// detects this.
//
//	Acquire(name)     a lock file of its own, such as lock.pid of the state folder
//	Beside(db)        a lock file db.lock, one for all names of the database
//	OpenLog(name)     the log itself: others may read it, one process appends
//
// Locks are never waited for: a taken lock is the error [ErrTaken] at once. The system releases
// a lock when its process ends, however it ends. On Unix a lock is flock(2), on Windows an open
// file that nobody else may open.
package lock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/filestate"
)

// ErrTaken says that another process has the file.
var ErrTaken = errors.New("another memscribe watch is using it")

// File is a file that this process has locked. The system releases it when the
// process ends, however it does.
type File struct {
	*os.File

	is    filestate.State
	known bool // which file it is
}

// Acquire opens a file that is there to be locked, and creates it for the user
// alone. It does not wait: the error of one that is locked is an [ErrTaken].
func Acquire(name string) (File, error) { return settled(name, openLock) }

// Beside locks a database by the file database.lock. All names of a database have the same
// lock: symbolic links are followed, even if the database does not exist yet. A database with
// hard links is refused with [ErrLinked]: SQLite keeps the log beside the name that was opened,
// so opening another name would damage it.
func Beside(database string) (File, error) {
	at, err := real(database)
	if err != nil {
		return File{}, err
	}
	if info, err := os.Stat(at); err == nil && hasLinks(info) {
		return File{}, fmt.Errorf("%s: %w", database, ErrLinked)
	}
	return Acquire(at + ".lock")
}

// ErrLinked says that a database has hard links.
var ErrLinked = errors.New("it has more than one name (hard links), and its log lies beside only one of them; put a copy in the place of the link")

// real returns where a name leads to, whether or not anything is there.
func real(name string) (string, error) {
	const most = 64 // links after one another
	for range most {
		to, err := os.Readlink(name)
		if err != nil { // it is no link, or is not there
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			return filepath.Join(dir, filepath.Base(name)), err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(name), to)
		}
		name = to
	}
	return "", fmt.Errorf("%s: links lead to links", name)
}

// OpenLog opens a file for reading and for appending by this process alone. Other processes may
// read it. It is created for the user alone if it is missing. A pipe or a device is opened but
// not locked. If another process appends to the file, the error is [ErrTaken].
func OpenLog(name string) (File, error) { return settled(name, openLog) }

// tries is how often a file may be replaced while it is being locked.
const tries = 100

// settled opens a file until it is the one that has the name: it may be replaced
// just before it is locked.
func settled(name string, open func(string) (*os.File, error)) (File, error) {
	for range tries {
		f, err := open(name)
		if err != nil {
			return File{}, err
		}
		l := of(f)
		if l.Lost() == nil {
			return l, nil
		}
		if err := f.Close(); err != nil {
			return File{}, err
		}
	}
	return File{}, fmt.Errorf("lock %s: it is replaced again and again", name)
}

// of returns a locked file with its identity.
func of(f *os.File) File {
	is, _, err := filestate.Open(f)
	return File{f, is, err == nil}
}

// errMoved says that a name does not lead to the file that was opened under it.
var errMoved = errors.New("it was replaced, moved or removed")

// Lost returns an error if the file's name no longer leads to it. It returns nil if it does,
// and if that cannot be found out.
func (l File) Lost() error {
	if !l.known {
		return nil // the system does not tell
	}
	info, err := os.Stat(l.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", l.Name(), errMoved)
	}
	if err != nil {
		return nil //nolint:nilerr // that it cannot be looked at now says nothing
	}
	if at, ok := filestate.Of(l.Name(), info); ok && !at.SameFile(l.is) {
		return fmt.Errorf("%s: %w", l.Name(), errMoved)
	}
	return nil
}
