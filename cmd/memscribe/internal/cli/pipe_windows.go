package cli

import (
	"errors"
	"syscall"
)

// isClosedPipe reports whether err says that the reader is gone.
func isClosedPipe(err error) bool {
	const brokenPipe, noData = syscall.Errno(109), syscall.Errno(232)
	return errors.Is(err, brokenPipe) || errors.Is(err, noData) || errors.Is(err, syscall.EPIPE)
}
