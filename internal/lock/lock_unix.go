//go:build unix && !solaris && !aix

package lock

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openLock opens and locks a lock file.
func openLock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return locked(f)
}

// openLog opens a log for appending and locks the log itself.
func openLog(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return f, err
	}
	l, err := locked(f)
	if errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.ENOLCK) {
		// The file system has no locks. What others write shows in the file's size.
		return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	}
	return l, err
}

// locked locks a file, or closes it.
func locked(f *os.File) (*os.File, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			err = ErrTaken
		default:
			err = &os.PathError{Op: "flock", Path: f.Name(), Err: err}
		}
		return nil, errors.Join(err, f.Close())
	}
}

// hasLinks reports whether a file has more than one name.
func hasLinks(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
