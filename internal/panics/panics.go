// Package panics turns panics into errors.
//
// What a panic says may hold what was being read, and the runtime writes it to
// stderr as it is; an error goes the way of all messages, which are redacted. And
// one input that the program breaks on shall not take the others with it.
//
// Use it around one input or one request:
//
//	err := panics.Caught(func() error { return handle(request) })
package panics

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Error is a panic that was caught: a fault of the program.
type Error struct {
	Value any
	Stack []byte
}

// Error returns all lines as one text.
func (e *Error) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines returns the lines of the message: what the panic said is one, and those of
// the stack follow.
func (e *Error) Lines() []string {
	said := fmt.Sprintf("fault of the program: %v", e.Value)
	return append([]string{said}, strings.Split(string(e.Stack), "\n")...)
}

// Caught runs f and returns its error, or its panic as an [*Error].
func Caught(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &Error{v, debug.Stack()}
		}
	}()
	return f()
}
