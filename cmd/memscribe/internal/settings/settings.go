// Package settings implements the command config: it creates, shows and checks the settings
// file. The output of config show is itself a valid file:
//
//	[capture]
//	exclude = []                      # default
//	memory = "1GiB"                   # MEMSCRIBE_CAPTURE_MEMORY
//	tools = ["codex"]                 # /home/me/.config/memscribe/memscribe.toml:4:1
//
// Rules are only listed by id, in comments, since their text may have many lines.
package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/spf13/pflag"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/flagset"
	"github.com/memscribe/memscribe/internal/app/setup"
	"github.com/memscribe/memscribe/internal/atomicfile"
	"github.com/memscribe/memscribe/internal/config"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/internal/visible"
	"github.com/memscribe/memscribe/sink/postgres"
)

// Init writes a settings file in which every setting is commented out, with its purpose and its
// default; "-" is standard output. An existing file is replaced only with force.
func Init(a *cli.App, out string, force bool) error {
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
		return usage.Errorf("%s is there already; --force replaces it", out)
	}
	write := func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
	if err := atomicfile.Write(out, write); err != nil {
		return err
	}
	_, err := a.Stdout.Printf("wrote %s\n", out)
	return err
}

// Check reads the file and the environment, and returns all mistakes in them. Unknown variables
// that begin with MEMSCRIBE_ are reported on stderr, but are no error.
func Check(a *cli.App) error {
	if err := a.ReadConfig(); err != nil {
		return err
	}
	if _, err := resolve(a); err != nil {
		return err
	}
	for _, name := range a.StrayVariables() {
		a.Stderr.Printf("%s: no setting has this variable%s\n", name, a.NearVariable(name))
	}
	if a.Settings.File == nil {
		_, err := a.Stdout.Printf("no file of settings; the defaults hold\n")
		return err
	}
	_, err := a.Stdout.Printf("%s: nothing is wrong\n", a.Settings.File.Name)
	return err
}

// resolved is a setting with its value and the origin of that.
type resolved struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // as TOML
	Origin string `json:"origin"`
}

// resolve returns every setting of every command, sorted by key. The error has all values that
// cannot be used.
func resolve(a *cli.App) ([]resolved, error) {
	var all []resolved
	var found config.Problems
	for _, f := range cli.ConfigurableFlags(a.Commands()) {
		origin, problem := flagset.Set(&a.Settings, f)
		if problem != nil {
			found = append(found, problem)
			continue
		}
		all = append(all, resolved{Key: cli.KeyName(f), Value: shown(f), Origin: origin.String()})
	}
	return all, found.Err()
}

// shown returns the value of a setting as TOML. Of the URL of a database it leaves out the
// password.
func shown(f *pflag.Flag) string {
	if text := f.Value.String(); postgres.IsURL(text) {
		return config.TOML(postgres.Shown(text))
	}
	return flagset.ValueOf(f)
}

// Show prints every setting with the origin of its value, as a settings file or as a list in
// JSON.
func Show(a *cli.App, asJSON bool) error {
	if a.Misconfigured != nil {
		return a.Misconfigured
	}
	all, err := resolve(a)
	if err != nil {
		return err
	}
	if d := a.Settings.File; d != nil {
		for _, list := range []string{"gate.rules", "redact.rules", "redact.allow"} {
			for _, at := range d.Tables(list) {
				all = append(all, resolved{Key: at, Value: config.TOML(d.Text(at + ".id")), Origin: d.At(at).String()})
			}
		}
		for _, k := range setup.ToolKeys() {
			if d.Has(k.Name) {
				all = append(all, resolved{Key: k.Name, Value: config.TOML(d.Text(k.Name)), Origin: d.At(k.Name).String()})
			}
		}
		sort.SliceStable(all, func(i, j int) bool {
			x, y := &all[i], &all[j]
			return setup.CompareKeys(x.Key, y.Key) < 0
		})
	}
	if asJSON {
		return a.Stdout.JSON(all)
	}
	_, err = io.WriteString(a.Stdout.Text(), showSettings(all))
	return err
}

// showSettings formats settings as a settings file with the origins as comments, aligned up to
// column 60. Rules are only listed.
func showSettings(all []resolved) string {
	var b strings.Builder
	section, width := "", 0
	for _, r := range all {
		width = max(width, len(r.Key)+len(r.Value))
	}
	width = min(width, 60)
	for _, r := range all {
		if strings.HasSuffix(r.Key, "]") {
			visible.Fprintf(&b, "# %s = %s, %s\n", r.Key, r.Value, r.Origin)
			continue
		}
		at, name, _ := strings.Cut(r.Key, ".")
		if at != section {
			if section != "" {
				b.WriteByte('\n')
			}
			visible.Fprintf(&b, "[%s]\n", at)
			section = at
		}
		line := name + " = " + r.Value
		visible.Fprintf(&b, "%-*s  # %s\n", width, line, r.Origin)
	}
	return b.String()
}
