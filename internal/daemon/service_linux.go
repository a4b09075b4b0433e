package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Service is the program as the service manager of this machine knows it: a unit
// of the user's own systemd. (The library that the other systems have looks for
// programs along the path whenever any command starts, hooks too.)
type Service struct {
	text string // of the unit
	file string
}

const unitName = Name + ".service"

// New describes a unit to systemd. Nothing is installed.
func New(_ string, u Unit) (*Service, error) {
	text, err := u.Systemd()
	if err != nil {
		return nil, err
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("find folder of units: %w", err)
	}
	return &Service{text, filepath.Join(dir, "systemd", "user", unitName)}, nil
}

// Manager names the service manager.
func (*Service) Manager() string { return "systemd" }

// Install makes systemd run the program now and at every login. An existing unit is replaced
// and the service restarted. If the service cannot be started, the unit is removed again.
func (s *Service) Install() error {
	if err := s.write(); err != nil {
		return fmt.Errorf("install service: %w", err)
	}
	for _, command := range [][]string{{"daemon-reload"}, {"enable", unitName}, {"restart", unitName}} {
		if _, err := systemctl(command...); err != nil {
			return errors.Join(fmt.Errorf("start service: %w", err), s.Uninstall())
		}
	}
	return nil
}

// write puts the unit in its place, whole or not at all.
func (s *Service) write() error {
	if err := os.MkdirAll(filepath.Dir(s.file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(s.file), "."+unitName+".*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(s.text)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), s.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// Uninstall stops the service and removes the unit; without one it does nothing. A unit that a
// package installed for all users stays, disabled for this one.
func (s *Service) Uninstall() error {
	if state, err := s.State(); err != nil || state == Absent {
		return errors.Join(err, remove(s.file))
	}
	_, err := systemctl("disable", "--now", unitName)
	if err = errors.Join(err, remove(s.file)); err == nil {
		_, err = systemctl("daemon-reload")
	}
	if err != nil {
		return fmt.Errorf("uninstall service: %w", err)
	}
	return nil
}

// remove removes a file; one that is not there is no error.
func remove(file string) error {
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// State asks systemd.
func (*Service) State() (State, error) {
	out, err := systemctl("show", "--property=LoadState,ActiveState", unitName)
	if err != nil {
		return "", fmt.Errorf("ask service manager: %w", err)
	}
	switch {
	case strings.Contains(out, "LoadState=not-found"):
		return Absent, nil
	case strings.Contains(out, "ActiveState=active"), strings.Contains(out, "ActiveState=activating"), strings.Contains(out, "ActiveState=reloading"):
		return Running, nil
	}
	return Stopped, nil
}

// systemctl calls systemctl --user and returns what it prints. The error contains what it
// prints as errors.
func systemctl(args ...string) (out string, err error) {
	var stdout, stderr strings.Builder
	cmd := exec.Command("systemctl", append([]string{"--user"}, args...)...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("systemctl %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), nil
}

// Run runs the program's work until ctx ends: systemd has nothing else to say.
func Run(ctx context.Context, work func(context.Context) error) error { return work(ctx) }
