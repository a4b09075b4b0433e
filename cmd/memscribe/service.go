package main

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

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/daemon"
	"github.com/memscribe/memscribe/internal/panics"
)

func (a *app) newService() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Have watch run from now on, whenever you are logged in",
		Long: `Service has the system's own service manager run memscribe watch: a user unit of
systemd, a launch agent of launchd, a service of Windows. It starts with your
session, is started again when it fails, and goes on with the new program after
an upgrade. What watch is to do otherwise stands in memscribe.toml.`,
		Example: `  memscribe service install
  memscribe service status
  memscribe service logs --follow`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(a.newServiceInstall(), a.newServiceUninstall(), a.newServiceStatus(), a.newServiceLogs(), a.newServiceRun())
	return cmd
}

func (a *app) newServiceInstall() *cobra.Command {
	show, program := false, ""
	cmd := &cobra.Command{
		Use:   "install [-- FLAG…]",
		Short: "Install and start the service",
		Long: `Install describes the service to the system's service manager and starts it. What
follows -- are flags of watch. With --print nothing is installed: the description
goes to standard output.

On Linux a user's services end with the last session; "loginctl enable-linger"
keeps them running from boot on.`,
		Example: `  memscribe service install
  memscribe service install -- --tools claude_code,codex
  memscribe service install --print --program /usr/bin/memscribe`,
		RunE: func(_ *cobra.Command, args []string) error { return a.installService(args, program, show) },
	}
	cmd.Flags().StringVar(&program, "program", "", "program that the service runs (default: this one)")
	cmd.Flags().BoolVar(&show, "print", false, "print the description, install nothing")
	return cmd
}

// unit describes the service that runs watch with some flags.
func (a *app) unit(flags []string, program string) (daemon.Unit, error) {
	watch := (&app{a.Bare()}).newWatch()
	if err := watch.ParseFlags(flags); err != nil {
		return daemon.Unit{}, cli.Usage(err)
	}
	if err := watch.ValidateArgs(watch.Flags().Args()); err != nil {
		return daemon.Unit{}, cli.Usage(err)
	}
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
	u := daemon.Unit{Program: program, Args: append([]string{"watch"}, flags...), Log: filepath.Join(state, "watch.log")}
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
	// nobody: it has to be told whose it is.
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

func (a *app) installService(flags []string, program string, show bool) error {
	u, err := a.unit(flags, program)
	if err != nil {
		return err
	}
	if show {
		return a.printUnit(u)
	}
	if err = a.hasManager(); err != nil {
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

func (a *app) printUnit(u daemon.Unit) error {
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

// hasManager reports whether there is a service manager to ask, before anything
// is written for it.
func (a *app) hasManager() error {
	if a.OS == "darwin" || a.OS == "windows" {
		return nil
	}
	if err := exec.Command("systemctl", "--user", "show-environment").Run(); err != nil {
		return errors.New("find service manager: there is no user session of systemd here; " +
			"'memscribe service install --print' prints the unit for where there is one")
	}
	return nil
}

// installed is the service as the manager knows it.
func (a *app) installed() (*daemon.Service, error) {
	u, err := a.unit(nil, "")
	if err != nil {
		return nil, err
	}
	if err := a.hasManager(); err != nil {
		return nil, err
	}
	return daemon.New(a.OS, u)
}

func (a *app) newServiceUninstall() *cobra.Command {
	return &cobra.Command{
		Use: "uninstall", Short: "Stop the service and take it away", Args: cobra.NoArgs,
		Long:    `Uninstall leaves what watch has kept where it is.`,
		Example: `  memscribe service uninstall`,
		RunE: func(*cobra.Command, []string) error {
			s, err := a.installed()
			if err != nil {
				return err
			}
			return s.Uninstall()
		},
	}
}

func (a *app) newServiceStatus() *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "status", Short: "Say whether the service is installed and runs", Args: cobra.NoArgs,
		Example: `  memscribe service status
  memscribe service status --json`,
		RunE: func(*cobra.Command, []string) error {
			s, err := a.installed()
			if err != nil {
				return err
			}
			state, err := s.State()
			if err != nil {
				return err
			}
			return a.writeServiceStatus(state, s.Manager(), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) writeServiceStatus(state daemon.State, manager string, asJSON bool) error {
	if !asJSON {
		_, err := a.Stdout.Printf("%s (%s)\n", state, manager)
		return err
	}
	return json.NewEncoder(a.Stdout.Text()).Encode(struct {
		State   daemon.State `json:"state"`
		Manager string       `json:"manager"`
	}{state, manager})
}

func (a *app) newServiceLogs() *cobra.Command {
	lines, follow := 100, false
	cmd := &cobra.Command{
		Use: "logs", Short: "Show what the service said last", Args: cobra.NoArgs,
		Example: `  memscribe service logs
  memscribe service logs --lines 500 --follow`,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serviceLogs(cmd.Context(), lines, follow) },
	}
	cmd.Flags().IntVarP(&lines, "lines", "n", lines, "how many lines")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what comes")
	return cmd
}

func (a *app) serviceLogs(ctx context.Context, lines int, follow bool) error {
	u, err := a.unit(nil, "") //nolint:contextcheck // it only looks at the flags of watch
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

// newServiceRun is what the service manager of Windows starts.
func (a *app) newServiceRun() *cobra.Command {
	return &cobra.Command{
		Use: "run [-- FLAG…]", Short: "Run watch for the service manager of Windows", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			watch := a.newWatch()
			if err := watch.ParseFlags(args); err != nil {
				return cli.Usage(err)
			}
			return daemon.Run(cmd.Context(), func(ctx context.Context) error {
				watch.SetContext(ctx)
				return panics.Caught(func() error { return watch.RunE(watch, nil) })
			})
		},
	}
}
