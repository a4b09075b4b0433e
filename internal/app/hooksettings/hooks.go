// Package hooksettings puts hooks of this program into the settings of tools, and says how they
// stand.
//
// A hook is a command that a tool runs on an event, with a JSON payload on standard input. An
// entry of Claude Code's settings, as it is written here:
//
//	{"hooks": {"PostToolUse": [{"hooks": [{"type": "command",
//	  "command": "/usr/bin/memscribe hook --tool claude_code", "timeout": 10}]}]}}
//
// [Tools] lists the tools that have hooks, with the place and the form of each. Our hooks are
// recognised by the command that they run (see Hooked.mark), so a user's own hooks stay as they
// are. With --recall, hooks also answer with what is in force in the project.
package hooksettings

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/toolsettings"
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

// File is one tool's file of hooks, read and not changed yet.
type File struct {
	Hooked
	toolsettings.Settings

	State  string // folder that the hooks are told, absolute; "" is by convention
	folder string
}

// Files returns those of the tools that are named, or of all.
func Files(m host.Machine, o Options, named []string) ([]File, error) {
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
		f := File{Hooked: h, State: state, Settings: toolsettings.Settings{Name: string(h.Tool), Key: "hooks/" + string(h.Tool), Empty: h.empty, Note: h.note}}
		var err error
		if f.Path, f.folder, err = h.path(m, o.Home); err != nil {
			return nil, err
		}
		if err = f.Read(); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	for _, n := range named {
		if wanted[n] {
			return nil, usage.Errorf("no hooks for %q; there are for %s", n, Names())
		}
	}
	return files, nil
}

// Names lists the tools that have hooks, for messages.
func Names() string {
	var names []string
	for _, h := range Tools() {
		names = append(names, string(h.Tool))
	}
	return strings.Join(names, ", ")
}

// Used reports whether the tool is used here.
func (f *File) Used() bool { return toolsettings.IsUsed(f.folder) }

// Install adds the hooks to the tool's settings.
func (f *File) Install(m host.Machine, o Options) (toolsettings.Change, error) {
	program, err := toolsettings.ProgramPath(o.Program)
	if err != nil {
		return toolsettings.Change{}, err
	}
	entries, err := f.Entries(program, f.State, o.Recall)
	if err != nil {
		return toolsettings.Change{}, err
	}
	f.Edit = entered{f.mark(), entries}
	return f.Settings.Install(m, o.StateDir, o.DryRun)
}

// Uninstall removes the hooks from the tool's settings.
func (f *File) Uninstall(m host.Machine, o Options) (toolsettings.Change, error) {
	f.Edit = entered{mark: f.mark()}
	return f.Settings.Uninstall(m, o.StateDir, o.DryRun)
}

// Answers reports whether hooks of the tool can answer, and not only tell.
func (f *File) Answers() bool { return len(f.answered) > 0 }

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

// Status is what is known of one tool's hooks. Its JSON is what --json prints.
type Status struct {
	Tool  string `json:"tool"`
	File  string `json:"file"`
	State string `json:"state"` // as [File.Standing] says it

	Recall bool `json:"recall,omitempty"` // its hooks answer
}

// Statuses says of the tools that are named, or of all, how their hooks stand.
func Statuses(m host.Machine, o Options, named []string) ([]Status, error) {
	files, err := Files(m, o, named)
	if err != nil {
		return nil, err
	}
	program, err := toolsettings.ProgramPath(o.Program)
	if err != nil {
		return nil, err
	}
	var all []Status
	for i := range files {
		f := &files[i]
		entries, err := f.Entries(program, f.State, f.Answering())
		if err != nil {
			return nil, err
		}
		all = append(all, Status{Tool: string(f.Tool), File: f.Path, State: f.Standing(entries), Recall: f.Answering()})
	}
	return all, nil
}

// Answering reports whether the hooks that are there answer.
func (f *File) Answering() bool {
	return bytes.Contains(f.Text(), []byte(f.mark())) && bytes.Contains(f.Text(), []byte(recallFlag))
}

// Standing says how the hooks of the tool are: one of the states, or another text.
func (f *File) Standing(entries []hookconfig.Entry) string {
	n, same, err := hookconfig.Has(f.Text(), f.mark(), entries)
	switch {
	case err != nil:
		return toolsettings.Unreadable
	case n == 0 && !f.Used():
		return "not used here"
	case n == 0:
		return toolsettings.Missing
	case !same:
		return "installed for another program or state folder"
	case n < len(entries):
		return "installed in part"
	}
	return toolsettings.Installed
}
