// Package usage marks errors that mean a request is wrong, not that carrying it out failed. Such
// are an unknown name, options that exclude each other, and a value out of range.
//
// Trying again does not help; the request has to be different. The command line prints such an
// error with a pointer to its help and exits with 2; the MCP server passes it to the agent.
//
//	if o.Limit < 1 {
//		return usage.Errorf("--limit is %d: it has to be at least 1", o.Limit)
//	}
package usage

import (
	"errors"
	"fmt"
)

// Error marks an error of the request. Its text is that of the error inside.
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
