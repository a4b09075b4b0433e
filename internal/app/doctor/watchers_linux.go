package doctor

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// noMoreWatchers is why no more programs of the user can watch folders, if they
// cannot.
func noMoreWatchers() error {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// wasReplaced reports whether the file of the program that a process runs is
// another one now, as after an upgrade.
func wasReplaced(pid int) bool {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return err == nil && strings.HasSuffix(name, " (deleted)")
}
