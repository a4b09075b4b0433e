package upkeep

import (
	"encoding/json"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/release"
	"github.com/memscribe/memscribe/internal/usage"
)

// NewUpdate returns the command update, which asks whether there is a newer release. It
// is the only command that asks a server of the project anything, it sends nothing
// about the machine, and it installs nothing.
func NewUpdate(a *cli.App) *cobra.Command {
	var check, asJSON bool
	q := release.Question{}
	cmd := &cobra.Command{
		Use:   "update --check --key KEY",
		Short: "Check for a newer release",
		Long: `Update --check asks which release is the newest, with one request that does not identify
you, and accepts only an answer signed with the key. It installs nothing. No other command
asks.`,
		Example:     `  memscribe update --check --key memscribe.pub`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{cli.ConfigNote: cli.Unconfigured},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !check || q.Key == "" {
				return usage.Errorf("update needs --check and --key; to install a release, do as when you installed this one")
			}
			if q.URL == "" {
				q.URL = release.LatestURL
			}
			if info, ok := debug.ReadBuildInfo(); ok {
				q.Current = info.Main.Version
			}
			n, err := release.Latest(cmd.Context(), q)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.Stdout.Data()).Encode(n)
			}
			return sayNewest(a, n)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "ask; nothing is installed")
	cmd.Flags().StringVar(&q.Key, "key", "", "the `KEY` that signs releases, or a file with it")
	cmd.Flags().StringVar(&q.URL, "url", "", "the `ADDRESS` to ask (default: that of the newest release)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// sayNewest prints whether a newer release exists.
func sayNewest(a *cli.App, n release.Newest) (err error) {
	if n.IsNewer {
		_, err = a.Stdout.Printf("memscribe %s of %s is newer than this one, %s\n", n.Version, n.Date, n.Current)
		return err
	}
	_, err = a.Stdout.Printf("the newest release is %s of %s; this one is %s\n", n.Version, n.Date, n.Current)
	return err
}
