package capture

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/hooks"
)

// NewHooks is the command hooks.
func NewHooks(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "hooks",
		Short: "Put hooks into the tools' settings, and take them out again",
		Long: `Hooks tell Memscribe of a session at once, wherever its transcript lies. Nothing
needs them: transcripts in their usual places are found without.`,
		Example: `  memscribe hooks status
  memscribe hooks install claude_code --dry-run
  memscribe hooks uninstall`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var install, uninstall, status hooks.Options
	in := &cobra.Command{
		Use:   "install [TOOL…]",
		Short: "Put hooks into the settings of tools",
		Long: `Install puts hooks into the settings of the tools that are named, or of all that are
used here. Whatever else is in the settings stays as it is, comments, order and
all, and they are kept aside as they were.

With --recall the hooks answer, too: a session begins with the project's bans and rules,
and before a file is edited the agent is given the decisions behind it. Without it, hooks
that answered only tell again.`,
		Example: "  memscribe hooks install claude_code --dry-run\n  memscribe hooks install --recall\n  memscribe hooks install",
		RunE:    func(_ *cobra.Command, tools []string) error { return hooks.Install(a, install, tools) },
	}
	out := &cobra.Command{
		Use:   "uninstall [TOOL…]",
		Short: "Take the hooks out again",
		Long: `Uninstall takes the hooks out of the settings of the tools that are named, or of all.
Settings that have not changed since become what they were, byte for byte; in
others, only the hooks go.`,
		Example: "  memscribe hooks uninstall codex --dry-run\n  memscribe hooks uninstall",
		RunE:    func(_ *cobra.Command, tools []string) error { return hooks.Uninstall(a, uninstall, tools) },
	}
	show := &cobra.Command{
		Use:     "status [TOOL…]",
		Short:   "Say which tools have hooks",
		Example: "  memscribe hooks status\n  memscribe hooks status --json",
		RunE:    func(_ *cobra.Command, tools []string) error { return hooks.Status(a, status, tools) },
	}
	for sub, o := range map[*cobra.Command]*hooks.Options{in: &install, out: &uninstall, show: &status} { // in any order
		sub.Flags().StringVar(&o.Home, "home", "", "home folder whose tools are meant (default: your own)")
		cli.AddStateDir(sub, &o.StateDir)
		if sub == show {
			sub.Flags().BoolVar(&o.JSON, "json", false, "print JSON")
			continue
		}
		sub.Flags().BoolVar(&o.DryRun, "dry-run", false, "only show what would change")
	}
	for sub, o := range map[*cobra.Command]*hooks.Options{in: &install, show: &status} { // in any order
		sub.Flags().StringVar(&o.Program, "program", "", "program that the hooks run (default: this one)")
	}
	in.Flags().BoolVar(&install.Recall, "recall", false, "have the hooks answer with what is in force, where the tool takes answers")
	cmd.AddCommand(in, out, show)
	return cmd
}
