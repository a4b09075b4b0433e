package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/internal/durable"
)

// ErrLocked says that another process uses a state folder.
var ErrLocked = errors.New("another memscribe watch is using it")

// Lock keeps other processes out of a state folder. The system releases it when
// the process ends, however it does.
type Lock struct {
	file *os.File
	pid  string // the file that says who has it
}

// Acquire locks a state folder, and creates it for the user alone. It does not
// wait: the error of a folder that is locked is an [ErrLocked].
func Acquire(dir string) (*Lock, error) {
	if err := durable.Create(dir); err != nil {
		return nil, fmt.Errorf("create state folder: %w", err)
	}
	name := filepath.Join(dir, "lock")
	f, err := lockFile(name)
	if errors.Is(err, ErrLocked) {
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
	_ = os.Remove(l.pid) // before anybody else can write one
	return l.file.Close()
}
