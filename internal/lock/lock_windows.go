package lock

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// errSharing is what Windows says of a file that another process has opened for
// itself.
const errSharing = syscall.Errno(32)

// openLock opens a lock file that no other process can open meanwhile.
func openLock(name string) (*os.File, error) { return openAlone(name, 0) }

// openLog has the system keep others from writing to the file, and from renaming
// and deleting it.
func openLog(name string) (*os.File, error) { return openAlone(name, syscall.FILE_SHARE_READ) }

// openAlone opens a file with the given sharing. An open file without sharing is the
// lock.
func openAlone(name string, share uint32) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, share, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case err == nil:
		return os.NewFile(uintptr(h), name), nil
	case errors.Is(err, errSharing):
		return nil, ErrTaken
	}
	return nil, &os.PathError{Op: "open", Path: name, Err: err}
}

// hasLinks reports whether a file has more than one name, which the system does not tell at
// no cost.
func hasLinks(fs.FileInfo) bool { return false }
