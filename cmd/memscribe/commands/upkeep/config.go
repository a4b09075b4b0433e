package upkeep

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/settings"
)

// NewConfig is the command config.
func NewConfig(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Write, show and check the file of settings",
		Long: `Settings come from flags, from the environment and from memscribe.toml, in that
order: what is said in one is not looked for in the next. The file is the one that
--config or MEMSCRIBE_CONFIG names, else memscribe.toml in the working folder,
else the one in your configuration folder; they are not mixed.`,
		Example: `  memscribe config init
  memscribe config show
  memscribe config check`,
		Args:        cobra.NoArgs,
		RunE:        func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		Annotations: map[string]string{cli.ConfigNote: cli.Lenient},
	}
	cmd.AddCommand(newConfigInit(a), newConfigShow(a), newConfigCheck(a))
	return cmd
}

// newConfigInit returns the command config init.
func newConfigInit(a *cli.App) *cobra.Command {
	var (
		out   string
		force bool
	)
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a file of settings to begin with",
		Long: `Init writes a memscribe.toml that has every setting, with what it is for and what
it is when nothing is said; all of it is commented out. A file that is there
already is left alone, unless --force is given.`,
		Example: `  memscribe config init
  memscribe config init --out -
  memscribe config init --out ./memscribe.toml`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return settings.Init(a, out, force) },
	}
	cmd.Flags().StringVar(&out, "out", "", "where to write; - is standard output (default: memscribe.toml in your configuration folder)")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	return cmd
}

// newConfigCheck returns the command config check.
func newConfigCheck(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Say what is wrong with the settings",
		Long: `Check reads FILE, or the file that would be used, and the environment, tries every
value and every rule, and names what is wrong with file, line and column. It
ends with 2 if something is.`,
		Example: `  memscribe config check
  memscribe config check ./memscribe.toml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				a.ConfigFile = args[0]
			}
			return settings.Check(a)
		},
	}
}

// newConfigShow returns the command config show.
func newConfigShow(a *cli.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show every setting and where its value is from",
		Long: `Show prints every setting as it holds for commands that are given no flags, and
who has set it: a variable of the environment, a line of the file, or none, then
it is the default. What it prints is itself a file of settings.`,
		Example: `  memscribe config show
  memscribe --config ./memscribe.toml config show
  memscribe config show --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return settings.Show(a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a list of objects with key, value (as TOML) and origin")
	return cmd
}
