//go:build !linux

package daemon

import (
	"context"
	"errors"
	"fmt"

	"github.com/kardianos/service"
)

// Service is the program as the service manager of this machine knows it.
type Service struct {
	service service.Service
}

// New describes a unit to the service manager of the system, as GOOS names it.
// Nothing is installed.
func New(system string, u Unit) (*Service, error) {
	option := service.KeyValue{"UserService": true, "RunAtLoad": true}
	var err error
	switch system {
	case "darwin":
		option["LaunchdConfig"], err = u.Launchd()
	default:
		err = u.check()
	}
	if err != nil {
		return nil, err
	}
	s, err := service.New(idle{}, &service.Config{
		Name: Name, DisplayName: "Memscribe", Description: "Keeps what coding agents write down",
		Executable: u.Program, Arguments: u.Args, Option: option,
	})
	if err != nil {
		return nil, fmt.Errorf("find service manager: %w", err)
	}
	return &Service{s}, nil
}

// Manager names the service manager.
func (s *Service) Manager() string { return s.service.Platform() }

// Install has the service manager run the program, now and from every start of
// the session on. Where it is installed already, the description is replaced.
func (s *Service) Install() error {
	state, err := s.State()
	if err != nil {
		return err
	}
	if state != Absent {
		if err := s.Uninstall(); err != nil {
			return err
		}
	}
	if err := s.service.Install(); err != nil {
		return fmt.Errorf("install service: %w", err)
	}
	if err := s.service.Start(); err != nil {
		return errors.Join(fmt.Errorf("start service: %w", err), s.service.Uninstall())
	}
	return nil
}

// Uninstall stops the service and takes it away.
func (s *Service) Uninstall() error {
	if state, err := s.State(); err != nil || state == Absent {
		return err
	} else if state == Running {
		if err := s.service.Stop(); err != nil {
			return fmt.Errorf("stop service: %w", err)
		}
	}
	if err := s.service.Uninstall(); err != nil {
		return fmt.Errorf("uninstall service: %w", err)
	}
	return nil
}

// State asks the service manager.
func (s *Service) State() (State, error) {
	status, err := s.service.Status()
	switch {
	case errors.Is(err, service.ErrNotInstalled):
		return Absent, nil
	case err != nil:
		return "", fmt.Errorf("ask service manager: %w", err)
	case status == service.StatusRunning:
		return Running, nil
	}
	return Stopped, nil
}

// Run runs the program's work for the service manager that has started it, until
// that wants it to stop. Only Windows needs to be spoken to.
func Run(ctx context.Context, work func(context.Context) error) error {
	w := &worker{ctx: ctx, work: work}
	s, err := service.New(managed{w}, &service.Config{Name: Name})
	if err != nil {
		return fmt.Errorf("find service manager: %w", err)
	}
	return errors.Join(s.Run(), w.err)
}

// managed is a worker as the library wants it.
type managed struct{ *worker }

// Start implements [service.Interface].
func (m managed) Start(service.Service) error {
	m.start()
	return nil
}

// Stop implements [service.Interface].
func (m managed) Stop(service.Service) error {
	m.stop()
	return nil
}

// idle is a service that is only described.
type idle struct{}

// Start implements [service.Interface].
func (idle) Start(service.Service) error { return nil }

// Stop implements [service.Interface].
func (idle) Stop(service.Service) error { return nil }
