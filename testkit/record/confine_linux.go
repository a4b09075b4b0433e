package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// confinement gives a process a network, mounts and process ids of its own. Who
// is not root becomes root of a user namespace.
func confinement() (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID,
		Pdeathsig:  syscall.SIGKILL,
	}
	if uid := os.Geteuid(); uid != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
	}
	return attr, nil
}

// place is where folders of the machine are put inside.
const place = "/mnt"

// confine hides the machine: only loopback is up, homes and temporary files are
// empty, and what the job names lies in the folder [place]. The job is changed to
// say so.
func confine(job *Job) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keep mounts private: %w", err)
	}
	if err := empty(place); err != nil {
		return err
	}
	binary := ""
	if job.Program != "" {
		binary = filepath.Base(job.Program)
		job.Program = filepath.Dir(job.Program)
	}
	for name, dir := range map[string]*string{"client": &job.Client, "out": &job.Out, "program": &job.Program} {
		if *dir == "" {
			continue
		}
		to, err := mounted(*dir, name)
		if err != nil {
			return err
		}
		*dir = to
	}
	for name, dir := range job.Servers {
		to, err := mounted(dir, "server-"+name)
		if err != nil {
			return err
		}
		job.Servers[name] = to
	}
	if job.Program != "" {
		job.Program = filepath.Join(job.Program, binary)
	}
	for _, dir := range []string{os.Getenv("HOME"), "/root", "/home", "/tmp", os.TempDir()} {
		if err := empty(dir); err != nil {
			return err
		}
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return loopback()
}

// mounted puts a folder of the machine where it can be seen, and says where.
func mounted(dir, name string) (string, error) {
	to := filepath.Join(place, name)
	if err := os.Mkdir(to, 0o755); err != nil {
		return "", fmt.Errorf("make mount point: %w", err)
	}
	if err := unix.Mount(dir, to, "", unix.MS_BIND, ""); err != nil {
		return "", fmt.Errorf("mount %s: %w", dir, err)
	}
	return to, nil
}

// empty covers a folder, if it is there, with an empty one.
func empty(dir string) error {
	if _, err := os.Stat(dir); dir == "" || dir == "/" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "mode=1777"); err != nil {
		return fmt.Errorf("cover %s: %w", dir, err)
	}
	return nil
}

// loopback starts the one interface that there is.
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open socket: %w", err)
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return fmt.Errorf("name loopback: %w", err)
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo); err != nil {
		return fmt.Errorf("start loopback: %w", err)
	}
	return nil
}
