package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/flagset"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/config"
)

// Configurable says that a flag can also be set by the configuration: by key in
// the file, and by the variable that is named after it. Of a flag with choices
// every value must be one of them.
func Configurable(cmd *cobra.Command, flag, key string, choices ...string) {
	flagset.Bind(cmd.Flag(flag), key, choices...)
}

// ConfigurablePath is configurable for a flag that names files or folders.
func ConfigurablePath(cmd *cobra.Command, flag, key string) {
	Configurable(cmd, flag, key)
	flagset.IsPath(cmd.Flag(flag))
}

// AddStateDir adds the flag that names the state folder.
func AddStateDir(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "state-dir", "", "folder for internal state (default: by the system's convention)")
	ConfigurablePath(cmd, "state-dir", "state.dir")
}

// Annotations of a command.
const (
	// ConfigNote says how a command stands to the configuration.
	ConfigNote = "memscribe/config"
	// it reads none, so that a broken file cannot keep it from working
	Unconfigured = "none"
	// a wrong file is left out; [App.Misconfigured] says what is wrong
	Lenient = "lenient"
)

// stance says how a command stands to the configuration: unconfigured, lenient,
// or "", which is that nothing is done with a wrong one.
func stance(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return Unconfigured // it prints its help
	}
	for c := cmd; c != nil; c = c.Parent() {
		if s := c.Annotations[ConfigNote]; s != "" {
			return s
		}
		if c.HasParent() && !c.Parent().HasParent() && (c.Name() == "completion" || c.Name() == "help") {
			return Unconfigured
		}
	}
	if cmd.Name() == cobra.ShellCompRequestCmd || cmd.Name() == cobra.ShellCompNoDescRequestCmd {
		return Unconfigured
	}
	return ""
}

// Configure reads the configuration and sets the flags of a command by it.
func (a *App) Configure(cmd *cobra.Command, args []string) error {
	how := stance(cmd)
	if how == Unconfigured {
		return nil
	}
	err := a.ReadConfig()
	if err == nil {
		err = flagset.Apply(&a.Settings, cmd.Flags(), args)
	}
	if f := cmd.Flag("state-dir"); f != nil {
		a.StateFolder = f.Value.String()
	} else if a.Settings.File != nil {
		a.StateFolder = a.Settings.File.Text("state.dir")
	}
	if how == Lenient {
		a.Misconfigured = err
		return nil
	}
	return err
}

// ReadConfig reads the file of settings, if there is one, and holds it to the Schema of
// all commands. Problems name file, line and column, all of one run at once; the rules
// in it are compiled and tried.
//
// A file that was named and is not there is an error; one that was not named may be
// missing.
func (a *App) ReadConfig() error {
	a.Settings = config.Settings{Getenv: a.Getenv, Home: a.Home}
	named := a.ConfigFile
	if named == "" && a.Getenv != nil {
		named = a.Getenv("MEMSCRIBE_CONFIG")
	}
	file, err := config.Find(named, a.configPlaces()...)
	if err != nil {
		return configError(named, err)
	}
	if file == nil {
		return nil
	}
	if err := a.Schema().Check(file).Err(); err != nil {
		return err
	}
	return a.Read(file).Err()
}

// configError adds the name of the settings file to an error of reading it. Problems
// in the file already carry file, line and column and are returned unchanged.
func configError(named string, err error) error {
	if _, ok := errors.AsType[config.Problems](err); ok {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read configuration %s: no such file; 'memscribe config init' writes one", named)
	}
	return fmt.Errorf("read configuration: %w", err)
}

// configPlaces returns where the file is looked for: in the working folder, then in
// the user's own.
func (a *App) configPlaces() []string {
	places := []string{config.FileName}
	if dir, err := a.ConfigDir(); err == nil {
		places = append(places, filepath.Join(dir, config.FileName))
	}
	return places
}

// Schema is everything that the file may hold: what a flag of some command is for, and
// rules. One file serves all commands, so that each must know the keys of the others.
func (a *App) Schema() *config.Schema {
	var s config.Schema
	for _, f := range ConfigurableFlags(a.Commands()) {
		if k, ok := flagset.KeyOf(f); ok {
			s.Add(k)
		}
	}
	s.Add(setup.Keys()...)
	return &s
}

// Bare returns an app whose commands can be listed, and not run.
func (a *App) Bare() *App {
	b := New(a.Env())
	b.Build = a.Build
	return b
}

// Commands returns the root of commands that can be looked at.
func (a *App) Commands() *cobra.Command { return a.Build(a.Bare()) }

// ConfigurableFlags returns the flags of a command and of those below it that have a
// key, in the order of the keys.
func ConfigurableFlags(root *cobra.Command) []*pflag.Flag {
	var flags []*pflag.Flag
	seen := map[string]bool{}
	add := func(f *pflag.Flag) {
		if k, ok := flagset.KeyOf(f); ok && !seen[k.Name] {
			seen[k.Name] = true
			flags = append(flags, f)
		}
	}
	var visit func(*cobra.Command)
	visit = func(c *cobra.Command) {
		c.PersistentFlags().VisitAll(add)
		c.Flags().VisitAll(add)
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(root)
	slices.SortFunc(flags, func(x, y *pflag.Flag) int { return setup.CompareKeys(KeyName(x), KeyName(y)) })
	return flags
}

// KeyName returns the key by which a flag is set; "" if there is none.
func KeyName(f *pflag.Flag) string {
	k, _ := flagset.KeyOf(f)
	return k.Name
}

// SayConfig says, to who wants to know, which file was read: one in the working
// folder may be there without the user's knowing.
func (a *App) SayConfig() {
	if a.Settings.File != nil {
		a.Logger().Debug("read configuration", slog.String("file", a.Settings.File.Name))
	}
}
