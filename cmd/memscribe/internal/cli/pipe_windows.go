package cli

import (
	"errors"
	"syscall"
)

// isClosedPipe reports whether err says that nobody reads any more.
func isClosedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, brokenPipe) || errors.Is(err, noData) || errors.Is(err, syscall.EPIPE)
}
