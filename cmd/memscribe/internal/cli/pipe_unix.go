//go:build unix

package cli

import (
	"errors"
	"syscall"
)

// isClosedPipe reports whether err says that nobody reads any more.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
