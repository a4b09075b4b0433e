package attack

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"syscall"
)

// Server is a program that runs until it is asked to end.
type Server struct {
	cmd  *exec.Cmd
	said *bufio.Reader // what it says on standard error
	all  []byte
	rest chan []byte
}

// Serve starts a program in a home folder of its own.
func Serve(ctx context.Context, home, program string, args ...string) (*Server, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
	cmd.Dir = home
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start program: %w", err)
	}
	return &Server{cmd: cmd, said: bufio.NewReader(stderr), rest: make(chan []byte, 1)}, nil
}

// Says waits for a line of what the program says that matches a pattern, and returns
// the pattern's groups. It is asked once, before End.
func (s *Server) Says(pattern *regexp.Regexp) ([]string, error) {
	for {
		line, err := s.said.ReadString('\n')
		s.all = append(s.all, line...)
		if found := pattern.FindStringSubmatch(line); found != nil {
			go func() {
				rest, _ := io.ReadAll(s.said) // ends when the program does
				s.rest <- rest
			}()
			return found[1:], nil
		}
		if err != nil {
			return nil, fmt.Errorf("wait for %s: %w\n%s", pattern, err, s.all)
		}
	}
}

// End tells the program to end, and returns what it spent.
func (s *Server) End() (Spent, error) {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return Spent{}, fmt.Errorf("end program: %w", err)
	}
	rest := <-s.rest
	if err := s.cmd.Wait(); s.cmd.ProcessState == nil {
		return Spent{}, fmt.Errorf("end program: %w", err)
	}
	return spent(s.cmd.ProcessState, append(s.all, rest...)), nil
}
