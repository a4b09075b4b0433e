// Package usage marks the errors of a request that cannot be carried out as it was
// given: an unknown name, options that exclude each other, a value out of range.
//
// Whoever asked has to ask differently; to try again is no use. A command line
// answers such an error with a hint at its help.
package usage

import (
	"errors"
	"fmt"
)

// Error is an error of the request. It has the text of the error that it marks.
type Error struct{ error }

// Unwrap returns the error without its mark, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.error }

// Mark returns err as an error of the request.
func Mark(err error) error { return &Error{err} }

// Errorf formats as [fmt.Errorf] does, %w included, and marks the error.
func Errorf(format string, args ...any) error { return Mark(fmt.Errorf(format, args...)) }

// Is reports whether err, or an error that it wraps, is marked.
func Is(err error) bool {
	_, ok := errors.AsType[*Error](err)
	return ok
}
