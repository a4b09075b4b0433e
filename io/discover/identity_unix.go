//go:build unix

package discover

import (
	"io/fs"
	"os"
	"syscall"
)

// HasOneName reports whether a file has no other hard link.
func HasOneName(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 1
}

// OpenRegular opens a file for reading. It does not wait for a writer if the file is a pipe.
func OpenRegular(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
