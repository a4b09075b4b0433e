//go:build unix

package discover

import (
	"io/fs"
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
