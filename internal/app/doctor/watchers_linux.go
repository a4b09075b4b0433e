package doctor

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// noMoreWatchers returns an error if no further program of the user can watch folders.
func noMoreWatchers() error {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// wasReplaced reports whether the program file of a process was replaced, as by an upgrade.
func wasReplaced(pid int) bool {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return err == nil && strings.HasSuffix(name, " (deleted)")
}
