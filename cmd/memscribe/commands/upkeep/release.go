package upkeep

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/man"
	"github.com/memscribe/memscribe/internal/buildinfo"
	"github.com/memscribe/memscribe/internal/release"
)

// NewVersion returns the command version.
func NewVersion(a *cli.App) *cobra.Command {
	sbom, sums, key := false, "", ""
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Version prints the version, the commit and the toolchain of this program. --sbom lists its
modules as a CycloneDX document. --verify checks that this program is one whose checksum
is in FILE and signed with the key; the signature is in the file of the same name with
.minisig appended.`,
		Example: `  memscribe version
  memscribe version --sbom > memscribe.cdx.json
  memscribe version --verify SHA256SUMS --key memscribe.pub`,
		Args: cobra.NoArgs,

		Annotations: map[string]string{cli.ConfigNote: cli.Unconfigured},
		RunE: func(*cobra.Command, []string) error {
			if sbom {
				return release.WriteSBOM(a.Stdout.Data())
			}
			if sums != "" {
				return verifyProgram(a, sums, key)
			}
			_, err := a.Stdout.Printf("memscribe %s\n", buildinfo.Version())
			return err
		},
	}
	cmd.Flags().BoolVar(&sbom, "sbom", false, "list the modules of the program")
	cmd.Flags().StringVar(&sums, "verify", "", "check this program against signed checksums in `FILE`")
	cmd.Flags().StringVar(&key, "key", "", "the `KEY` that signed them, or a file with it")
	cmd.MarkFlagsRequiredTogether("verify", "key")
	cmd.MarkFlagsMutuallyExclusive("verify", "sbom")
	return cmd
}

// verifyProgram checks the program that runs against signed checksums.
//
// It proves that the file which runs is one that the key has signed; it does not prove
// that the key is the right one, which the user brings.
func verifyProgram(a *cli.App, sums, key string) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find program: %w", err)
	}
	name, err := release.Verify(program, sums, key)
	if err != nil {
		return err
	}
	_, err = a.Stdout.Printf("memscribe %s is %s, and its sum is signed\n", buildinfo.Version(), name)
	return err
}

// NewMan returns the command that writes manual pages, for packages. Their date is
// SOURCE_DATE_EPOCH, if that is set, so that the same commit gives the same pages.
func NewMan(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "man DIR", Short: "Write manual pages", Hidden: true, Args: cobra.ExactArgs(1),
		Example:     `  memscribe man ./man`,
		Annotations: map[string]string{cli.ConfigNote: cli.Unconfigured},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return fmt.Errorf("create folder of pages: %w", err)
			}
			at := a.Now().UTC()
			if seconds, err := strconv.ParseInt(a.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
				at = time.Unix(seconds, 0).UTC()
			}
			root := cmd.Root()
			root.InitDefaultCompletionCmd()
			return man.WritePages(root, args[0], at)
		},
	}
}
