package filestate

import (
	"io/fs"
	"syscall"
)

// changeTime returns the time of the inode's last change.
func changeTime(info fs.FileInfo) int64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return st.Ctimespec.Nano()
}
