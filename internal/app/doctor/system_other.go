//go:build !linux && !darwin && !windows

package doctor

import "os"

// freeSpace returns false: the free space is not known on this system.
func freeSpace(string) (free int64, known bool) { return 0, false }

// isAlive reports whether a process is running.
func isAlive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	return p.Release() == nil
}
