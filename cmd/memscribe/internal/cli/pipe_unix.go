//go:build unix

package cli

import (
	"errors"
	"syscall"
)

// isClosedPipe reports whether err says that the reader is gone.
func isClosedPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
