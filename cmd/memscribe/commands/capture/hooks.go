package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/install"
	"github.com/memscribe/memscribe/internal/app/hooksettings"
)

// NewHooks returns the command hooks with install, uninstall and status. Without names of
// tools, install and uninstall change the settings of all tools that are used on this machine.
//
//	install [TOOL…]     adds the hooks; --dry-run prints a diff instead
//	uninstall [TOOL…]   removes them; an unchanged file is restored byte for byte
//	status [TOOL…]      prints a line, or a JSON object, for each tool
func NewHooks(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hooks",
		Short: "Install and remove hooks in the settings of tools",
		Long: `With hooks, tools report a session immediately, wherever its transcript is. They are
optional: transcripts in the usual places are found without them.`,
		Example: `  memscribe hooks status
  memscribe hooks install claude_code --dry-run
  memscribe hooks uninstall`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var toInstall, toRemove, toShow hooksettings.Options
	in := &cobra.Command{
		Use:   "install [TOOL…]",
		Short: "Add hooks to the settings of tools",
		Long: `Install adds hooks to the settings of the named tools, or of all tools that are used on
this machine. Everything else in the settings stays as it is, comments and order
included, and a copy of the original is kept.

With --recall the hooks also answer: a session starts with the bans and rules of the
project, and before a file is edited the agent gets the decisions behind it. Without
--recall, hooks that answered before only report again.`,
		Example: "  memscribe hooks install claude_code --dry-run\n  memscribe hooks install --recall\n  memscribe hooks install",
		RunE:    func(_ *cobra.Command, tools []string) error { return install.Hooks(a, toInstall, tools) },
	}
	out := &cobra.Command{
		Use:   "uninstall [TOOL…]",
		Short: "Remove the hooks",
		Long: `Uninstall removes the hooks from the settings of the named tools, or of all. Settings that
have not been changed since are restored byte for byte; from others only the hooks are
removed.`,
		Example: "  memscribe hooks uninstall codex --dry-run\n  memscribe hooks uninstall",
		RunE:    func(_ *cobra.Command, tools []string) error { return install.RemoveHooks(a, toRemove, tools) },
	}
	show := &cobra.Command{
		Use:     "status [TOOL…]",
		Short:   "Show which tools have hooks",
		Example: "  memscribe hooks status\n  memscribe hooks status --json",
		RunE:    func(_ *cobra.Command, tools []string) error { return install.HookStatus(a, toShow, tools) },
	}
	for sub, o := range map[*cobra.Command]*hooksettings.Options{in: &toInstall, out: &toRemove, show: &toShow} { // in any order
		sub.Flags().StringVar(&o.Home, "home", "", "home folder of the tools (default: yours)")
		cli.AddStateDir(sub, &o.StateDir)
		if sub == show {
			sub.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
			continue
		}
		sub.Flags().BoolVar(&o.DryRun, "dry-run", false, "only show what would change")
	}
	for sub, o := range map[*cobra.Command]*hooksettings.Options{in: &toInstall, show: &toShow} { // in any order
		sub.Flags().StringVar(&o.Program, "program", "", "program for the hooks to run (default: this one)")
	}
	in.Flags().BoolVar(&toInstall.Recall, "recall", false, "have the hooks answer with what is in force, where the tool takes answers")
	cmd.AddCommand(in, out, show)
	return cmd
}
