package attack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// Spent is what a run of the program took, and what it said.
type Spent struct {
	Memory    int64         // the most that was resident at a time, in bytes
	Processor time.Duration // of the program and of the system for it
	Code      int           // it ended with
	Stdout    string        // file of what it printed
	Stderr    []byte
}

// Build builds the program into a folder and returns its path. Tests are run in the
// folder of this package.
func Build(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "memscribe")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "../../cmd/memscribe").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build program: %w\n%s", err, out)
	}
	return program, nil
}

// Run starts a program that ends by itself, in a home folder of its own, and
// measures it. What it prints goes into a file: the system counts what is resident
// here before the program begins as the program's, so that a test must stay small.
func Run(ctx context.Context, home, program string, args ...string) (Spent, error) {
	out, err := os.Create(filepath.Join(home, "stdout"))
	if err != nil {
		return Spent{}, err
	}
	defer out.Close()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
	cmd.Dir, cmd.Stdout, cmd.Stderr = home, out, &stderr
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return Spent{}, fmt.Errorf("run program: %w", err)
	}
	s := spent(cmd.ProcessState, stderr.Bytes())
	s.Stdout = out.Name()
	return s, nil
}

// spent is what a program that has ended took.
func spent(state *os.ProcessState, stderr []byte) Spent {
	s := Spent{Processor: state.UserTime() + state.SystemTime(), Code: state.ExitCode(), Stderr: stderr}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		s.Memory = usage.Maxrss << 10
	}
	return s
}

// Prints reports whether what the program printed holds a text.
func (s Spent) Prints(text string) (bool, error) {
	f, err := os.Open(s.Stdout)
	if err != nil {
		return false, err
	}
	defer f.Close()
	buf, kept := make([]byte, 1<<20), 0
	for {
		n, err := f.Read(buf[kept:])
		if bytes.Contains(buf[:kept+n], []byte(text)) {
			return true, nil
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		end := kept + n
		kept = min(end, len(text))
		copy(buf, buf[end-kept:end]) // the text may stand across two pieces
	}
}
