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

// Configurable makes a flag a setting: with this key in the file, and with the environment
// variable that is derived from the key (sink.kind gives MEMSCRIBE_SINK_KIND). With choices,
// any other value is a mistake.
func Configurable(cmd *cobra.Command, flag, key string, choices ...string) {
	flagset.Bind(cmd.Flag(flag), key, choices...)
}

// ConfigurablePath is Configurable for a flag that names files or folders. In the settings file
// such a path may begin with ~/, and a relative one is relative to the folder of that file.
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
	// ConfigNote is the annotation of a command that treats the configuration in a special way,
	// as one of the values below. Without it, a mistake in the configuration ends the command.
	ConfigNote = "memscribe/config"
	// Unconfigured: the command does not read it, so a broken file cannot prevent it from
	// working.
	Unconfigured = "none"
	// Lenient: the command reads it, and ignores a file with mistakes; [App.Misconfigured] then
	// has them.
	Lenient = "lenient"
)

// configMode returns the value of ConfigNote for a command, from the nearest command above that has
// one; "" if none has. The root, help and completion never read the configuration.
func configMode(cmd *cobra.Command) string {
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

// Configure reads the configuration and sets the flags of a command that were not given on the
// command line. For a lenient command mistakes are stored in Misconfigured, and the result is
// nil.
func (a *App) Configure(cmd *cobra.Command, args []string) error {
	how := configMode(cmd)
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

// ReadConfig reads the settings file, if there is one, and checks it against the Schema of all
// commands. The error has all mistakes, each with file, line and column. Rules of redaction and
// of decisions in the file are compiled and tested here.
//
// A file that was named must exist; one that was not named may be missing.
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

// configPlaces returns where the settings file is looked for: in the working folder first, then
// in the user's configuration folder.
func (a *App) configPlaces() []string {
	places := []string{config.FileName}
	if dir, err := a.ConfigDir(); err == nil {
		places = append(places, filepath.Join(dir, config.FileName))
	}
	return places
}

// Schema returns all keys that the settings file may have: those of the flags of all commands,
// and those of rules. One file serves all commands, so each command must accept the keys of the
// others.
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

// Bare returns an App whose commands are only to be listed or parsed, not run.
func (a *App) Bare() *App {
	b := New(a.Env())
	b.Build = a.Build
	return b
}

// Commands returns the root of a fresh tree of commands, to look at. Parsing its flags does not
// change this App.
func (a *App) Commands() *cobra.Command { return a.Build(a.Bare()) }

// ConfigurableFlags returns the flags that have a key, of a command and of all commands below
// it, sorted by key. If several commands share a key, the first flag stands for all.
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

// SayConfig logs, with --verbose, which settings file was read: a file in the working folder
// may be there without the user's knowledge.
func (a *App) SayConfig() {
	if a.Settings.File != nil {
		a.Logger().Debug("read configuration", slog.String("file", a.Settings.File.Name))
	}
}
