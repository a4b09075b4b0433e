package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// Page sends what a command prints through a pager, if stdout is a terminal and the text is
// longer than that. The pager is PAGER, or else less if it is installed. There is none if PAGER
// is empty or cat, if NO_PAGER is set, or on a dumb terminal. Messages on stderr wait until the
// pager has ended, so that they do not disturb it.
func (a *App) Page() {
	command := a.pager()
	if len(command) == 0 || !a.Stdout.IsTerminal() {
		return
	}
	a.Stdout.Page(func() (io.WriteCloser, error) { return a.startPager(command) })
	if a.Stderr.IsTerminal() {
		a.Stderr.Hold()
	}
}

// pager returns the program and the arguments of the pager, or nil.
func (a *App) pager() []string {
	if a.Getenv == nil || a.Getenv("NO_PAGER") != "" || a.Getenv("TERM") == "dumb" {
		return nil
	}
	for _, set := range a.environ() {
		if named, ok := strings.CutPrefix(set, "PAGER="); ok {
			if named == "cat" {
				return nil
			}
			return strings.Fields(named)
		}
	}
	return []string{"less"}
}

// environ returns the environment variables, as NAME=value; nil in a test that has none.
func (a *App) environ() []string {
	if a.Environ == nil {
		return nil
	}
	return a.Environ()
}

// startPager begins a pager on the terminal.
func (a *App) startPager(command []string) (io.WriteCloser, error) {
	terminal, _ := a.Stdout.Terminal()
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec,noctx // the user's own program, which ends when its user says so
	cmd.Stdout, cmd.Stderr = terminal, terminal
	// a screen at a time, bold as it is, and left standing
	cmd.Env = append(a.environ(), "LESS=FRX")
	if a.Getenv("LESS") != "" {
		cmd.Env = a.environ()
	}
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("start pager: %w", err)
	}
	return &pager{in, cmd}, nil
}

// pager is a pager that is running.
type pager struct {
	io.WriteCloser

	cmd *exec.Cmd
}

// Close ends the input of the pager and waits until the person leaves it. Ctrl-C meanwhile is
// for the pager, not for this program.
func (p *pager) Close() error {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	defer signal.Stop(interrupted)
	_ = p.WriteCloser.Close() // it may be closed: its reader has had enough
	_ = p.cmd.Wait()          // how a reader leaves is nothing to tell
	return nil
}
