//go:build unix

package snapshot

import (
	"os"
	"syscall"
)

// open opens a file for reading such that its owner can do with it what it
// wants, remove it too.
//
// It does not wait, as opening a pipe does, for somebody to write.
func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
