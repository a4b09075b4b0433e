//go:build unix

package discover

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// identity tells files apart whatever their names.
type identity struct{ device, inode uint64 }

func identify(_ string, info fs.FileInfo) (identity, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return identity{}, false
	}
	return identity{uint64(st.Dev), uint64(st.Ino)}, true //nolint:unconvert // the types differ between systems
}

func identifyOpen(f *os.File, info fs.FileInfo) (identity, error) {
	id, ok := identify(f.Name(), info)
	if !ok {
		return id, errors.New("identify file: the system does not tell")
	}
	return id, nil
}

// HasOneName reports whether a file has no other hard link, as far as the system
// tells at no cost.
func HasOneName(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 1
}

// OpenRegular opens a file for reading and does not wait, as opening a pipe
// does, for somebody to write.
func OpenRegular(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
