package retry

import (
	"errors"
	"slices"
	"syscall"
)

// Passing is implemented by errors that know whether their cause may pass by itself.
type Passing interface {
	error
	Passes() bool
}

// Passes reports whether an error of opening a sink may pass by itself, so that it is worth
// waiting: a disk that is full or fails, too many open files, another process that writes. A
// wrong path, or a file of another kind, needs a person.
func Passes(err error) bool {
	if p, ok := errors.AsType[Passing](err); ok {
		return p.Passes()
	}
	is := func(passing error) bool { return errors.Is(err, passing) }
	return slices.ContainsFunc(passingEverywhere(), is) || slices.ContainsFunc(passingHere(), is)
}

// passingEverywhere returns the errors that may pass on every system.
//
// ENOSPC and EDQUOT pass when a user makes room. EACCES and ENOENT are not in the list: a wrong
// path is reported at once.
func passingEverywhere() []error {
	return []error{
		syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
		syscall.EBUSY, syscall.EAGAIN, syscall.ETIMEDOUT, syscall.ESTALE,
	}
}
