package checkpoint

import (
	"errors"
	"os"
	"syscall"
)

// errSharing is what Windows says of a file that another process has opened for
// itself.
const errSharing = syscall.Errno(32)

func lockFile(name string) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	switch {
	case err == nil:
		return os.NewFile(uintptr(h), name), nil
	case errors.Is(err, errSharing):
		return nil, ErrLocked
	}
	return nil, &os.PathError{Op: "open", Path: name, Err: err}
}
