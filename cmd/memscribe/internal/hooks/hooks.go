// Package hooks implements the command hooks: it installs hooks in the settings of
// tools, lists them and removes them.
package hooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/usage"
	"github.com/memscribe/memscribe/io/hookconfig"
)

// Options say whose hooks are meant.
type Options struct {
	Home     string
	StateDir string
	Program  string // that the hooks run; "" is this one
	DryRun   bool   // only show what would change
	Recall   bool   // hooks answer with what is in force, too
	JSON     bool
}

// File is one tool's file of hooks.
type File struct {
	Hooked
	Settings

	State  string // folder that the hooks are told, absolute; "" is by convention
	folder string
}

// Files are those of the tools that are named, or of all.
func Files(a *cli.App, o Options, named []string) ([]File, error) {
	state := o.StateDir
	if state != "" {
		var err error
		if state, err = filepath.Abs(state); err != nil {
			return nil, fmt.Errorf("find state folder: %w", err)
		}
	}
	var files []File
	wanted := map[string]bool{}
	for _, n := range named {
		wanted[n] = true
	}
	for _, h := range Tools() {
		if len(named) > 0 && !wanted[string(h.Tool)] {
			continue
		}
		delete(wanted, string(h.Tool))
		f := File{Hooked: h, State: state, Settings: Settings{Name: string(h.Tool), Key: "hooks/" + string(h.Tool), Empty: h.empty, Note: h.note}}
		var err error
		if f.Path, f.folder, err = h.path(a.Machine, o.Home); err != nil {
			return nil, err
		}
		if err = f.Read(); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	for _, n := range named {
		if wanted[n] {
			return nil, usage.Errorf("no hooks for %q; there are for %s", n, hookedNames())
		}
	}
	return files, nil
}

// hookedNames lists the tools that have hooks, for messages.
func hookedNames() string {
	var names []string
	for _, h := range Tools() {
		names = append(names, string(h.Tool))
	}
	return strings.Join(names, ", ")
}

// Used reports whether the tool is used here.
func (f *File) Used() bool { return IsUsed(f.folder) }

// Install puts hooks into the settings of the tools that are named, or of all that are
// used.
func Install(a *cli.App, o Options, named []string) error {
	return change(a, o, named, install)
}

// Uninstall takes the hooks out again.
func Uninstall(a *cli.App, o Options, named []string) error {
	return change(a, o, named, uninstall)
}

// change changes the settings of tools, one after the other. One that cannot
// be changed does not keep the others from it.
func change(a *cli.App, o Options, named []string, do func(*cli.App, Options, *File) error) error {
	files, err := Files(a, o, named)
	if err != nil {
		return err
	}
	any := false
	for i := range files {
		f := &files[i]
		if len(named) == 0 && !f.Used() {
			continue
		}
		any = true
		if failed := do(a, o, f); failed != nil {
			a.Stderr.Printf("%s: %v\n", f.Path, failed)
			err = report.ErrIncomplete
		}
	}
	if !any {
		a.Stderr.Printf("none of the tools that have hooks is used here: %s\n", hookedNames())
	}
	return err
}

// install adds the hooks to one tool's settings and says what changed.
func install(a *cli.App, o Options, f *File) error {
	program, err := ProgramPath(o.Program)
	if err != nil {
		return err
	}
	if o.Recall && len(f.answered) == 0 {
		a.Stdout.Printf("%s: takes no answers of hooks; they only tell\n", f.Tool)
	}
	entries, err := f.Entries(program, f.State, o.Recall)
	if err != nil {
		return err
	}
	f.Edit = entered{f.mark(), entries}
	return f.Install(a, o.StateDir, o.DryRun)
}

// uninstall removes the hooks from one tool's settings.
func uninstall(a *cli.App, o Options, f *File) error {
	f.Edit = entered{mark: f.mark()}
	return f.Uninstall(a, o.StateDir, o.DryRun)
}

// entered edits lists of hooks.
type entered struct {
	mark    string
	entries []hookconfig.Entry
}

// Add puts the entries in.
func (e entered) Add(text []byte) ([]byte, error) { return hookconfig.Add(text, e.mark, e.entries) }

// Remove takes out what has the mark.
func (e entered) Remove(text []byte) ([]byte, bool, error) { return hookconfig.Remove(text, e.mark) }

// Has reports whether the settings have entries, and those alone.
func (e entered) Has(text []byte) (some, all bool, err error) {
	n, same, err := hookconfig.Has(text, e.mark, e.entries)
	count := hookconfig.Count(text, e.mark)
	return count > 0, same && n == len(e.entries) && n == count, err
}

// hookStatus is what is known of one tool's hooks.
type hookStatus struct {
	Tool  string `json:"tool"`
	File  string `json:"file"`
	State string `json:"state"`

	Recall bool `json:"recall,omitempty"` // its hooks answer
}

// Status says which tools have hooks.
func Status(a *cli.App, o Options, named []string) error {
	files, err := Files(a, o, named)
	if err != nil {
		return err
	}
	program, err := ProgramPath(o.Program)
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		entries, err := f.Entries(program, f.State, f.Answering())
		if err != nil {
			return err
		}
		s := hookStatus{Tool: string(f.Tool), File: f.Path, State: f.Standing(entries), Recall: f.Answering()}
		if !o.JSON {
			a.Stdout.Printf("%-12s %-34s %s\n", s.Tool, s.State, s.File)
			continue
		}
		line, err := json.Marshal(s)
		if err != nil {
			return fmt.Errorf("write status: %w", err)
		}
		if _, err := a.Stdout.Text().Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// Answering reports whether the hooks that are there answer.
func (f *File) Answering() bool {
	return bytes.Contains(f.text, []byte(f.mark())) && bytes.Contains(f.text, []byte(recallFlag))
}

// The states of hooks that something else depends on.
const (
	Installed  = "installed"
	Missing    = "not installed"
	Unreadable = "settings cannot be read"
)

// Standing says how the hooks of the tool are: one of the states, or another text.
func (f *File) Standing(entries []hookconfig.Entry) string {
	n, same, err := hookconfig.Has(f.text, f.mark(), entries)
	switch {
	case err != nil:
		return Unreadable
	case n == 0 && !f.Used():
		return "not used here"
	case n == 0:
		return Missing
	case !same:
		return "installed for another program or state folder"
	case n < len(entries):
		return "installed in part"
	}
	return Installed
}

// ProgramPath is the program that a tool is to run: the one that is named, or this one.
func ProgramPath(named string) (string, error) {
	if named != "" {
		return named, nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return program, nil
}
