package doctor

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// freeSpace returns how many bytes the user can still write on the disk of a file.
func freeSpace(name string) (free int64, known bool) {
	dir, err := windows.UTF16PtrFromString(filepath.Dir(name))
	if err != nil {
		return 0, false
	}
	var available uint64
	if err := windows.GetDiskFreeSpaceEx(dir, &available, nil, nil); err != nil {
		return 0, false
	}
	return int64(min(available, 1<<62)), true
}

// stillActive is the exit code of a running process.
const stillActive = 259

// isAlive reports whether a process is running.
func isAlive(pid int) bool {
	if pid <= 0 {
		return false
	}
	p, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer windows.CloseHandle(p) //nolint:errcheck // nothing was written
	var code uint32
	return windows.GetExitCodeProcess(p, &code) == nil && code == stillActive
}
