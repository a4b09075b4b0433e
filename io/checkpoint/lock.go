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

// Lock keeps other processes out of a state folder. The system releases it when
// the process ends, however it does.
type Lock struct {
	file lock.File
	pid  string // the file that says who has it
}

// Acquire locks a state folder, and creates it for the user alone. It does not
// wait: the error of a folder that is locked is an [lock.ErrTaken].
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
	// For the message only; a disk that is full is no reason not to run.
	_ = os.WriteFile(name+".pid", []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600)
	return &Lock{f, name + ".pid"}, nil
}

// Release unlocks the folder.
func (l *Lock) Release() error {
	if l.Lost() == nil {
		_ = os.Remove(l.pid) // before anybody else can write one
	}
	return l.file.Close()
}

// Lost says why this process no longer has the folder: it, or the lock in it, was
// removed or replaced, so that another process can lock it too. It is nil if it does.
func (l *Lock) Lost() error { return l.file.Lost() }
