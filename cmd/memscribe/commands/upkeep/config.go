package upkeep

import (
	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/settings"
)

// NewConfig returns the command config with init, show and check. It must work with a
// settings file that is wrong: the note [cli.Lenient] makes errors in it a warning
// here.
func NewConfig(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Create, show and check the settings file",
		Long: `Settings come from flags, from the environment and from memscribe.toml, in this order:
the first one that sets a value wins. The file is the one named by --config or
MEMSCRIBE_CONFIG, else memscribe.toml in the current folder, else the one in your
configuration folder. Only one file is read.`,
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
		Short: "Create a settings file",
		Long: `Init writes a memscribe.toml with every setting, its purpose and its default, all
commented out. An existing file is not replaced unless --force is given.`,
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
		Short: "Check the settings",
		Long: `Check reads FILE, or the file that would be used, and the environment, and tries every
value and every rule. It names each mistake with file, line and column, and exits with 2
if there is one.`,
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
		Short: "Show every setting and the origin of its value",
		Long: `Show prints every setting as it applies to commands without flags, and where its value
comes from: an environment variable, a line of the file, or the default. The output is
itself a valid settings file.`,
		Example: `  memscribe config show
  memscribe --config ./memscribe.toml config show
  memscribe config show --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return settings.Show(a, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a list of objects with key, value (as TOML) and origin")
	return cmd
}
