package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/config"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/console"
)

func (a *app) newConfig() *cobra.Command {
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
	cmd.AddCommand(a.newConfigInit(), a.newConfigShow(), a.newConfigCheck())
	return cmd
}

func (a *app) newConfigInit() *cobra.Command {
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
		RunE: func(*cobra.Command, []string) error { return a.configInit(out, force) },
	}
	cmd.Flags().StringVar(&out, "out", "", "where to write; - is standard output (default: memscribe.toml in your configuration folder)")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	return cmd
}

func (a *app) configInit(out string, force bool) error {
	text := a.Schema().Example()
	if out == "-" {
		_, err := io.WriteString(a.Stdout.Data(), text)
		return err
	}
	if out == "" {
		dir, err := a.ConfigDir()
		if err != nil {
			return fmt.Errorf("find configuration folder: %w", err)
		}
		out = filepath.Join(dir, config.FileName)
	}
	if _, err := os.Lstat(out); !force && !errors.Is(err, fs.ErrNotExist) {
		return cli.Usagef("%s is there already; --force replaces it", out)
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
	if err := cli.ReplaceFile(out, write); err != nil {
		return err
	}
	_, err := a.Stdout.Printf("wrote %s\n", out)
	return err
}

func (a *app) newConfigCheck() *cobra.Command {
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
			return a.configCheck()
		},
	}
}

func (a *app) configCheck() error {
	if err := a.ReadConfig(); err != nil {
		return err
	}
	if _, err := a.resolve(); err != nil {
		return err
	}
	for _, name := range a.strayVariables() {
		a.Stderr.Printf("%s: no setting has this variable%s\n", name, a.nearVariable(name))
	}
	if a.Settings.File == nil {
		_, err := a.Stdout.Printf("no file of settings; the defaults hold\n")
		return err
	}
	_, err := a.Stdout.Printf("%s: nothing is wrong\n", a.Settings.File.Name)
	return err
}

// resolved is a setting with its value.
type resolved struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // as TOML
	Origin string `json:"origin"`
}

// resolve works out every setting of every command.
func (a *app) resolve() ([]resolved, error) {
	var all []resolved
	var found config.Problems
	for _, f := range cli.ConfigurableFlags(a.Commands()) {
		origin, problem := a.Settings.Set(f)
		if problem != nil {
			found = append(found, problem)
			continue
		}
		all = append(all, resolved{Key: cli.KeyName(f), Value: config.ValueOf(f), Origin: origin.String()})
	}
	return all, found.Err()
}

func (a *app) newConfigShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show every setting and where its value is from",
		Long: `Show prints every setting as it holds for commands that are given no flags, and
who has set it: a variable of the environment, a line of the file, or nobody, then
it is the default. What it prints is itself a file of settings.`,
		Example: `  memscribe config show
  memscribe --config ./memscribe.toml config show
  memscribe config show --json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.configShow(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a list of objects with key, value (as TOML) and origin")
	return cmd
}

func (a *app) configShow(asJSON bool) error {
	if a.Misconfigured != nil {
		return a.Misconfigured
	}
	all, err := a.resolve()
	if err != nil {
		return err
	}
	if d := a.Settings.File; d != nil {
		for _, list := range []string{"gate.rules", "redact.rules", "redact.allow"} {
			for _, at := range d.Tables(list) {
				all = append(all, resolved{Key: at, Value: config.TOML(d.Text(at + ".id")), Origin: d.At(at).String()})
			}
		}
		for _, k := range cli.ToolKeys() {
			if d.Has(k.Name) {
				all = append(all, resolved{Key: k.Name, Value: config.TOML(d.Text(k.Name)), Origin: d.At(k.Name).String()})
			}
		}
		slices.SortStableFunc(all, func(x, y resolved) int { return cli.CompareKeys(x.Key, y.Key) })
	}
	if asJSON {
		e := json.NewEncoder(a.Stdout.Text())
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	_, err = io.WriteString(a.Stdout.Text(), showSettings(all))
	return err
}

// showSettings writes settings as a file of settings, each with its origin. Rules
// are only counted up: they are text of many lines.
func showSettings(all []resolved) string {
	var b strings.Builder
	section, width := "", 0
	for _, r := range all {
		width = max(width, len(r.Key)+len(r.Value))
	}
	width = min(width, 60)
	for _, r := range all {
		if strings.HasSuffix(r.Key, "]") {
			console.Fprintf(&b, "# %s = %s, %s\n", r.Key, r.Value, r.Origin)
			continue
		}
		at, name, _ := strings.Cut(r.Key, ".")
		if at != section {
			if section != "" {
				b.WriteByte('\n')
			}
			console.Fprintf(&b, "[%s]\n", at)
			section = at
		}
		line := name + " = " + r.Value
		console.Fprintf(&b, "%-*s  # %s\n", width, line, r.Origin)
	}
	return b.String()
}

// strayVariables are those of the environment that begin as ours do and mean
// nothing.
func (a *app) strayVariables() []string {
	known := a.variables()
	var stray []string
	for _, entry := range a.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "MEMSCRIBE_") && !known[name] {
			stray = append(stray, name)
		}
	}
	return stray
}

func (a *app) variables() map[string]bool {
	known := map[string]bool{"MEMSCRIBE_CONFIG": true}
	for _, k := range a.Schema().Keys() {
		if k.Variable != "" {
			known[k.Variable] = true
		}
	}
	return known
}

func (a *app) nearVariable(name string) string {
	var names []string
	for v := range a.variables() {
		names = append(names, v)
	}
	if near := config.Nearest(name, names); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}
