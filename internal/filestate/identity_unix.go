//go:build unix

package filestate

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Identify says which file it is that info was told of.
func Identify(_ string, info fs.FileInfo) (Identity, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{}, false
	}
	return Identity{uint64(st.Dev), uint64(st.Ino)}, true //nolint:unconvert // the types differ between systems
}

// identifyOpen returns the identity of an open file.
func identifyOpen(f *os.File, info fs.FileInfo) (Identity, error) {
	id, ok := Identify(f.Name(), info)
	if !ok {
		return id, errors.New("identify file: the system does not tell")
	}
	return id, nil
}
