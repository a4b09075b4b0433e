package retry

import (
	"errors"
	"slices"
	"syscall"
)

// Passing is implemented by errors that know whether what they tell of may pass by
// itself.
type Passing interface {
	error
	Passes() bool
}

// Passes reports whether what keeps a sink from being opened may pass by itself, so
// that it is worth waiting for: a disk that is full or fails, too many open files,
// another process that writes. A path that is wrong, or a file that is something
// else, stays so until somebody does something.
func Passes(err error) bool {
	if p, ok := errors.AsType[Passing](err); ok {
		return p.Passes()
	}
	is := func(passing error) bool { return errors.Is(err, passing) }
	return slices.ContainsFunc(passingEverywhere(), is) || slices.ContainsFunc(passingHere(), is)
}

// passingEverywhere lists the errors that may pass on every system.
//
// ENOSPC and EDQUOT pass because somebody makes room; EACCES and ENOENT are not among
// them, because a wrong path is better said at once.
func passingEverywhere() []error {
	return []error{
		syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
		syscall.EBUSY, syscall.EAGAIN, syscall.ETIMEDOUT, syscall.ESTALE,
	}
}
