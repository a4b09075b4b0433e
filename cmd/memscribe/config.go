package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/config"
)

// configurable says that a flag can also be set by the configuration: by key in
// the file, and by the variable that is named after it. Of a flag with choices
// every value must be one of them.
func configurable(cmd *cobra.Command, flag, key string, choices ...string) {
	config.Bind(cmd.Flag(flag), key, choices...)
}

// configurablePath is configurable for a flag that names files or folders.
func configurablePath(cmd *cobra.Command, flag, key string) {
	configurable(cmd, flag, key)
	config.IsPath(cmd.Flag(flag))
}

// Annotations of a command.
const (
	// configNote says how a command stands to the configuration.
	configNote = "memscribe/config"
	// unconfigured: it reads none.
	unconfigured = "none"
	// lenient: it goes on without one that is wrong; a.misconfigured says what is.
	lenient = "lenient"
)

// stance says how a command stands to the configuration: unconfigured, lenient,
// or "", which is that nothing is done with a wrong one.
func stance(cmd *cobra.Command) string {
	for c := cmd; c != nil; c = c.Parent() {
		if s := c.Annotations[configNote]; s != "" {
			return s
		}
		if c.HasParent() && !c.Parent().HasParent() && (c.Name() == "completion" || c.Name() == "help") {
			return unconfigured
		}
	}
	if cmd.Name() == cobra.ShellCompRequestCmd || cmd.Name() == cobra.ShellCompNoDescRequestCmd {
		return unconfigured
	}
	return ""
}

// configure reads the configuration and sets the flags of a command by it.
func (a *app) configure(cmd *cobra.Command, args []string) error {
	how := stance(cmd)
	if how == unconfigured {
		return nil
	}
	err := a.readConfig()
	if err == nil {
		err = a.settings.Apply(cmd.Flags(), args)
	}
	if f := cmd.Flag("state-dir"); f != nil {
		a.stateFolder = f.Value.String()
	} else if a.settings.File != nil {
		a.stateFolder = a.settings.File.Text("state.dir")
	}
	if how == lenient {
		a.misconfigured = err
		return nil
	}
	return err
}

// readConfig reads the file of settings, if there is one, and holds it to the
// schema of all commands.
func (a *app) readConfig() error {
	a.settings = config.Settings{Getenv: a.getenv, Home: a.home}
	named := a.configFile
	if named == "" && a.getenv != nil {
		named = a.getenv("MEMSCRIBE_CONFIG")
	}
	file, err := config.Find(named, a.configPlaces()...)
	if err != nil {
		return configError(named, err)
	}
	if file == nil {
		return nil
	}
	if err := a.schema().Check(file).Err(); err != nil {
		return err
	}
	a.settings.File = file
	a.getenv = a.withFile(a.getenv)
	return a.readRules(file).Err()
}

func configError(named string, err error) error {
	if _, ok := errors.AsType[config.Problems](err); ok {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read configuration %s: no such file; 'memscribe config init' writes one", named)
	}
	return fmt.Errorf("read configuration: %w", err)
}

// configPlaces are where the file is looked for: in the working folder, then in
// the user's own.
func (a *app) configPlaces() []string {
	places := []string{config.FileName}
	if dir, err := a.configDir(); err == nil {
		places = append(places, filepath.Join(dir, config.FileName))
	}
	return places
}

// configDir is the folder for what a user sets of a program, as the system wants
// it.
func (a *app) configDir() (string, error) {
	switch a.os {
	case "darwin":
		return a.userDir("", filepath.Join("Library", "Application Support"))
	case "windows":
		return a.userDir("APPDATA", filepath.Join("AppData", "Roaming"))
	default:
		return a.userDir("XDG_CONFIG_HOME", ".config")
	}
}

// userDir is the program's own folder below the one that a variable names, or
// else below a folder of the user's home.
func (a *app) userDir(variable, below string) (string, error) {
	if variable != "" && a.getenv != nil {
		if dir := a.getenv(variable); filepath.IsAbs(dir) {
			return filepath.Join(dir, "memscribe"), nil
		}
	}
	if a.home == nil {
		return "", errors.New("no home folder is known")
	}
	home, err := a.home()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, below, "memscribe"), nil
}

// schema is everything that the file may hold: what a flag of some command is
// for, and rules.
func (a *app) schema() *config.Schema {
	var s config.Schema
	for _, f := range configurableFlags(a.bare().newRoot()) {
		if k, ok := config.KeyOf(f); ok {
			s.Add(k)
		}
	}
	s.Add(toolKeys()...)
	s.Add(redactKeys()...)
	s.Add(gateKeys()...)
	return &s
}

// bare is an app of which the commands can be looked at.
func (a *app) bare() *app { return newApp(a.env) }

// configurableFlags are the flags of a command and of those below it that have a
// key, in the order of the keys.
func configurableFlags(root *cobra.Command) []*pflag.Flag {
	var flags []*pflag.Flag
	seen := map[string]bool{}
	add := func(f *pflag.Flag) {
		if k, ok := config.KeyOf(f); ok && !seen[k.Name] {
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
	slices.SortFunc(flags, func(x, y *pflag.Flag) int { return compareKeys(keyName(x), keyName(y)) })
	return flags
}

func keyName(f *pflag.Flag) string {
	k, _ := config.KeyOf(f)
	return k.Name
}

// sayConfig says, to who wants to know, which file was read: one in the working
// folder may be there without the user's knowing.
func (a *app) sayConfig() {
	if a.settings.File != nil {
		a.logger().Debug("read configuration", slog.String("file", a.settings.File.Name))
	}
}
