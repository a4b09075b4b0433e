//go:build linux || darwin

package doctor

import (
	"errors"
	"syscall"
)

// freeSpace returns how many bytes the user can still write on the disk of a file.
func freeSpace(name string) (free int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(name, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true //nolint:unconvert // the types differ between systems
}

// isAlive reports whether a process is running.
func isAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
