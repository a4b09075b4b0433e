package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/durable"
	"github.com/memscribe/memscribe/internal/lock"
)

// Lock keeps other processes out of a state folder. The system releases it when the process ends
// for any reason.
type Lock struct {
	file lock.File
	pid  string // path of the file with the process id
}

// Acquire locks a state folder. It creates the folder, with permissions for the user only. It does
// not wait: the error for a locked folder is an [lock.ErrTaken].
func Acquire(dir string) (*Lock, error) {
	if err := durable.Create(dir); err != nil {
		return nil, fmt.Errorf("create state folder: %w", err)
	}
	name := filepath.Join(dir, "lock")
	f, err := lock.Acquire(name)
	if errors.Is(err, lock.ErrTaken) {
		if pid, _ := os.ReadFile(name + ".pid"); len(pid) > 0 {
			err = fmt.Errorf("%w (process %s)", err, strings.TrimSpace(string(pid)))
		}
		return nil, fmt.Errorf("lock state folder %s: %w", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("lock state folder %s: %w", dir, err)
	}
	// Only a message uses it, so a full disk is no reason not to run.
	_ = os.WriteFile(name+".pid", []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
	return &Lock{f, name + ".pid"}, nil
}

// Release unlocks the folder.
func (l *Lock) Release() error {
	if l.Lost() == nil {
		_ = os.Remove(l.pid) // before another process can write one
	}
	return l.file.Close()
}

// Lost returns an error if this process no longer has the folder: the folder, or the lock in it,
// was removed or replaced, so that another process can lock it.
func (l *Lock) Lost() error { return l.file.Lost() }
