package doctor

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/memscribe/memscribe/io/discover"
)

// foreign is a store of a tool that no adapter reads. A pattern is as [fs.Glob] takes it; *
// stands for one path element.
type foreign struct {
	tool    string
	pattern string // of its session files, below the home folder
}

// foreigners returns the stores with a known place and an unknown form, from the documentation of
// other readers.
//
// They are reported so that a user knows what is missing. A store of JSON lines, or a database, can
// be described in the settings.
func foreigners() []foreign {
	return []foreign{
		{"Kiro CLI before its logs", ".local/share/kiro-cli/data.sqlite3"},
		{"MiMo Code", ".local/share/mimocode/mimocode.db"},
		{"CodeBuddy", ".codebuddy/projects/*/*.jsonl"},
		{"ZCode", ".zcode/projects/*/*.jsonl"},
	}
}

// checkForeign reports the stores that cannot be read, unless the settings describe them.
func (e *examination) checkForeign(roots []discover.Root) error {
	if len(e.Places.Roots) > 0 || len(e.Places.Tools) > 0 {
		return nil // the user has named other folders or tools
	}
	home, err := e.Places.Home, error(nil)
	if home == "" {
		home, err = e.setup.Home()
	}
	if err == nil {
		home, err = filepath.Abs(home)
	}
	if err != nil {
		return err
	}
	for _, f := range foreigners() {
		found, err := fs.Glob(os.DirFS(home), f.pattern)
		if err != nil {
			return err
		}
		for i, name := range found {
			found[i] = filepath.Join(home, filepath.FromSlash(name))
		}
		found = slices.DeleteFunc(found, func(file string) bool { return isHeld(roots, file) })
		if len(found) > 0 {
			e.add("stores", Note, "if they are lines of JSON or a database, [[tools]] in memscribe.toml can describe them",
				"%s: %d sessions or stores are not read, since no adapter knows their form, such as %s", f.tool, len(found), found[0])
		}
	}
	return nil
}

// isHeld reports whether a file is a transcript of one of the roots.
func isHeld(roots []discover.Root, file string) bool {
	return slices.ContainsFunc(roots, func(r discover.Root) bool {
		rel, err := filepath.Rel(r.Dir, file)
		return err == nil && filepath.IsLocal(rel) && r.Holds(filepath.ToSlash(rel))
	})
}
