package capture

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/service"
	"github.com/memscribe/memscribe/internal/daemon"
	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/internal/usage"
)

// NewService returns the command service with its subcommands. The service manager differs by
// system:
//
//	Linux     a systemd user unit    logs in the journal
//	macOS     a launchd agent        logs in watch.log of the state folder
//	Windows   a Windows service      logs in the event log
func NewService(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Run watch as a service",
		Long: `Service runs memscribe watch under the system's service manager: a systemd user unit, a
launchd agent, or a Windows service. It starts when you log in, restarts after a failure,
and runs the new program after an upgrade. All other settings of watch are in
memscribe.toml.`,
		Example: `  memscribe service install
  memscribe service status
  memscribe service logs --follow`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(newServiceInstall(a), newServiceUninstall(a), newServiceStatus(a), newServiceLogs(a), newServiceRun(a))
	return cmd
}

// newServiceInstall returns the command service install. Arguments after -- are checked as
// flags of watch before anything is installed.
func newServiceInstall(a *cli.App) *cobra.Command {
	var o service.Options
	cmd := &cobra.Command{
		Use:   "install [-- FLAG…]",
		Short: "Install and start the service",
		Long: `Install registers the service with the system's service manager and starts it. Arguments
after -- are flags of watch. With --print it only prints the service definition.

On Linux the services of a user end with the last session; "loginctl enable-linger" keeps
them running from boot on.`,
		Example: `  memscribe service install
  memscribe service install -- --tool claude_code,codex
  memscribe service install --print --program /usr/bin/memscribe`,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := checkWatchFlags(a, args); err != nil {
				return err
			}
			o.Flags = args
			return service.Install(a, o)
		},
	}
	cmd.Flags().StringVar(&o.Program, "program", "", "program for the service to run (default: this one)")
	cmd.Flags().BoolVar(&o.Print, "print", false, "print the service definition and install nothing")
	return cmd
}

// checkWatchFlags refuses flags that watch would not accept, before a service is
// installed that could never start. They are parsed by a watch command in a world of
// its own, so that nothing of this run is changed.
func checkWatchFlags(a *cli.App, flags []string) error {
	watch := NewWatch(a.Bare())
	if err := watch.ParseFlags(flags); err != nil {
		return usage.Mark(err)
	}
	if err := watch.ValidateArgs(watch.Flags().Args()); err != nil {
		return usage.Mark(err)
	}
	return nil
}

// newServiceUninstall returns the command service uninstall.
func newServiceUninstall(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "uninstall", Short: "Stop and remove the service", Args: cobra.NoArgs,
		Long:    `Uninstall stops and removes the service. The data of watch stays.`,
		Example: `  memscribe service uninstall`,
		RunE:    func(*cobra.Command, []string) error { return service.Uninstall(a) },
	}
}

// newServiceStatus returns the command service status, which prints the state and the service
// manager, as text or as {"state":…,"manager":…}.
func newServiceStatus(a *cli.App) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "status", Short: "Show whether the service is installed and running", Args: cobra.NoArgs,
		Example: `  memscribe service status
  memscribe service status --json`,
		RunE: func(*cobra.Command, []string) error { return service.Status(a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// newServiceLogs returns the command service logs. The default is the last 100 lines.
func newServiceLogs(a *cli.App) *cobra.Command {
	lines, follow := 100, false
	cmd := &cobra.Command{
		Use: "logs", Short: "Show the log of the service", Args: cobra.NoArgs,
		Example: `  memscribe service logs
  memscribe service logs --lines 500 --follow`,
		RunE: func(cmd *cobra.Command, _ []string) error { return service.Logs(cmd.Context(), a, lines, follow) },
	}
	cmd.Flags().IntVarP(&lines, "lines", "n", lines, "how many lines")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "continue with new lines")
	return cmd
}

// newServiceRun returns the hidden command that the service manager of Windows starts. It
// answers the manager's requests and runs watch meanwhile. Flags of watch follow after --.
func newServiceRun(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "run [-- FLAG…]", Short: "Run watch for the service manager of Windows", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			watch := NewWatch(a)
			if err := watch.ParseFlags(args); err != nil {
				return usage.Mark(err)
			}
			return daemon.Run(cmd.Context(), func(ctx context.Context) error {
				watch.SetContext(ctx)
				return panics.Caught(func() error { return watch.RunE(watch, nil) })
			})
		},
	}
}
