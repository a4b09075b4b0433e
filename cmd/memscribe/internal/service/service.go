// Package service implements the command service: it runs watch under the system's service
// manager. The definition for systemd, as --print shows it, begins:
//
//	[Service]
//	Type=simple
//	ExecStart="/usr/bin/memscribe" "watch"
//	Restart=always
//	RestartSec=5
//	RestartPreventExitStatus=2 3
//
// Exit codes 2 and 3 do not restart the service: wrong settings and a damaged database need a
// person. The managers themselves are known by internal/daemon.
package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
	"github.com/memscribe/memscribe/internal/daemon"
)

// Options say what the service runs, and whether it is only printed.
type Options struct {
	Program string   // "" is this one
	Flags   []string // of watch, which takes them
	Print   bool     // print the service definition and install nothing
}

// Install registers the service with the manager and starts it. With Print it writes the
// definition to stdout instead, and changes nothing.
func Install(a *cli.App, o Options) error {
	u, err := Unit(a, o)
	if err != nil {
		return err
	}
	if o.Print {
		return printUnit(a, u)
	}
	if err = hasManager(a.OS); err != nil {
		return err
	}
	s, err := daemon.New(a.OS, u)
	if err != nil {
		return err
	}
	if err = s.Install(); err != nil {
		return err
	}
	_, err = a.Stdout.Printf("installed and started (%s); 'memscribe service status' and 'memscribe service logs' say how it is\n", s.Manager())
	return err
}

// Uninstall stops and removes the service. Its data and its logs stay.
func Uninstall(a *cli.App) error {
	s, err := installed(a)
	if err != nil {
		return err
	}
	return s.Uninstall()
}

// Status prints whether the service is installed and running.
func Status(a *cli.App, asJSON bool) error {
	s, err := installed(a)
	if err != nil {
		return err
	}
	state, err := s.State()
	if err != nil {
		return err
	}
	return WriteStatus(a.Stdout, state, s.Manager(), asJSON)
}

// WriteStatus prints the state of the service as "running (systemd)" or the like, or as an
// object with state and manager.
func WriteStatus(out *console.Printer, state daemon.State, manager string, asJSON bool) error {
	if !asJSON {
		_, err := out.Printf("%s (%s)\n", state, manager)
		return err
	}
	return json.NewEncoder(out.Text()).Encode(struct {
		State   daemon.State `json:"state"`
		Manager string       `json:"manager"`
	}{state, manager})
}

// Logs prints the last lines of the service's log, and with follow new ones until ctx ends. It
// runs journalctl on Linux and tail on macOS.
func Logs(ctx context.Context, a *cli.App, lines int, follow bool) error {
	u, err := Unit(a, Options{})
	if err != nil {
		return err
	}
	name, args := "journalctl", []string{"--user", "--unit", daemon.Name, "--no-pager", "--lines", strconv.Itoa(lines)}
	switch {
	case a.OS == "windows":
		return fmt.Errorf("show logs: on Windows the service says what it has to say to the event log, under %s", daemon.Name)
	case a.OS == "darwin":
		name, args = "tail", []string{"-n", strconv.Itoa(lines), u.Log}
		if follow {
			args = append([]string{"-F"}, args...)
		}
	case follow:
		args = append(args, "--follow")
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = a.Stdout.Text(), a.Stderr.Text()
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("show logs with %s: %w", name, err)
	}
	return nil
}

// Unit returns the description of the service: the program and its arguments, and the file for
// its log. A relative --config is made absolute, since the service has another working folder.
// On Windows the service runs as another user, so the folders of the present user are passed as
// flags.
func Unit(a *cli.App, o Options) (daemon.Unit, error) {
	program := o.Program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return daemon.Unit{}, fmt.Errorf("find program: %w", err)
		}
	}
	state, err := a.StateDir("")
	if err != nil {
		return daemon.Unit{}, fmt.Errorf("find state folder: %w", err)
	}
	u := daemon.Unit{Program: program, Args: append([]string{"watch"}, o.Flags...), Log: filepath.Join(state, "watch.log")}
	if file := ""; a.ConfigFile != "" {
		if file, err = filepath.Abs(a.ConfigFile); err != nil {
			return daemon.Unit{}, fmt.Errorf("find settings: %w", err)
		}
		u.Args = append(u.Args, "--config", file)
	}
	if a.OS != "windows" {
		return u, nil
	}
	// The service manager of Windows must be spoken to, and runs the service for
	// nobody: it must be given an owner.
	home, err := a.Home()
	if err != nil {
		return daemon.Unit{}, fmt.Errorf("find home folder: %w", err)
	}
	data, err := a.DataDir()
	if err != nil {
		return daemon.Unit{}, fmt.Errorf("find data folder: %w", err)
	}
	u.Args = append([]string{"service", "run", "--", "--home", home, "--state-dir", state, "--out", filepath.Join(data, "nodes.db")}, u.Args[1:]...)
	return u, nil
}

// printUnit prints the definition of the service. On Windows there is none, because the manager
// keeps no file.
func printUnit(a *cli.App, u daemon.Unit) error {
	var text string
	var err error
	switch a.OS {
	case "darwin":
		text, err = u.Launchd()
	case "windows":
		return errors.New("print service: the service manager of Windows keeps no file of it")
	default:
		text, err = u.Systemd()
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.Stdout.Data(), text)
	return err
}

// hasManager returns an error if no service manager can be asked, so that nothing is written in
// vain. On Linux, a container or an ssh session may have no systemd for the user.
func hasManager(system string) error {
	if system == "darwin" || system == "windows" {
		return nil
	}
	if err := exec.Command("systemctl", "--user", "show-environment").Run(); err != nil {
		return errors.New("find service manager: there is no user session of systemd here; " +
			"'memscribe service install --print' prints the unit for where there is one")
	}
	return nil
}

// installed returns the service of the present settings, to ask the manager about it.
func installed(a *cli.App) (*daemon.Service, error) {
	u, err := Unit(a, Options{})
	if err != nil {
		return nil, err
	}
	if err := hasManager(a.OS); err != nil {
		return nil, err
	}
	return daemon.New(a.OS, u)
}
