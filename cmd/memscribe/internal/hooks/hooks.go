// Package hooks is the command hooks: it puts hooks into the settings of the tools,
// says which have some, and takes them out again.
package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/io/settings"
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

	State   string // folder that the hooks are told, absolute; "" is by convention
	Path    string
	folder  string
	text    []byte
	missing bool // there is no such file
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
		f := File{Hooked: h, State: state}
		var err error
		if f.Path, f.folder, err = h.path(a.Env, o.Home); err != nil {
			return nil, err
		}
		if target, failed := filepath.EvalSymlinks(f.Path); failed == nil {
			f.Path = target // a link stays one
		}
		f.text, err = os.ReadFile(f.Path)
		f.missing = errors.Is(err, fs.ErrNotExist)
		if err != nil && !f.missing {
			return nil, fmt.Errorf("read settings: %w", err)
		}
		files = append(files, f)
	}
	for _, n := range named {
		if wanted[n] {
			return nil, cli.Usagef("no hooks for %q; there are for %s", n, hookedNames())
		}
	}
	return files, nil
}

func hookedNames() string {
	var names []string
	for _, h := range Tools() {
		names = append(names, string(h.Tool))
	}
	return strings.Join(names, ", ")
}

// Used reports whether the tool is used here.
func (f *File) Used() bool {
	_, err := os.Stat(f.folder)
	return err == nil
}

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
			err = cli.ErrIncomplete
		}
	}
	if !any {
		a.Stderr.Printf("none of the tools that have hooks is used here: %s\n", hookedNames())
	}
	return err
}

func install(a *cli.App, o Options, f *File) error {
	program, err := o.programPath()
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
	n, same, err := settings.Has(f.text, f.mark(), entries)
	if err != nil {
		return err
	}
	if n == len(entries) && same && settings.Count(f.text, f.mark()) == n {
		a.Stdout.Printf("%s: already in %s\n", f.Tool, f.Path)
		return nil
	}
	before := f.text
	if f.missing {
		before = []byte(f.empty)
	} else if n > 0 { // hooks of another program, or not all of them
		if before, _, err = settings.Remove(before, f.mark()); err != nil {
			return err
		}
	}
	after, err := settings.Add(before, f.mark(), entries)
	if err != nil {
		return err
	}
	if o.DryRun {
		_, err := io.WriteString(a.Stdout.Text(), difference(f.Path, f.text, after))
		return err
	}
	keep := installed{File: f.Path, Created: f.missing, After: digest(after)}
	if err := f.remember(a.Env, o.StateDir, keep, n > 0); err != nil {
		return err
	}
	if err := replaceSettings(f.Path, after); err != nil {
		return err
	}
	a.Stdout.Printf("%s: put into %s\n", f.Tool, f.Path)
	if f.note != "" {
		a.Stdout.Printf("  %s.\n", f.note)
	}
	return nil
}

func uninstall(a *cli.App, o Options, f *File) error {
	after, removed := f.text, false
	if !f.missing {
		var err error
		if after, removed, err = settings.Remove(f.text, f.mark()); err != nil {
			return err
		}
	}
	if !removed {
		a.Stdout.Printf("%s: not in %s\n", f.Tool, f.Path)
		return nil
	}
	keep, original, err := f.recall(a.Env, o.StateDir)
	if err != nil {
		return err
	}
	asItWas := keep.File == f.Path && keep.After == digest(f.text)
	if asItWas {
		after = original
	}
	if o.DryRun {
		_, err = io.WriteString(a.Stdout.Text(), difference(f.Path, f.text, after))
		return err
	}
	if asItWas && keep.Created {
		err = os.Remove(f.Path)
	} else {
		err = replaceSettings(f.Path, after)
	}
	if err == nil {
		err = f.forget(a.Env, o.StateDir)
	}
	if err != nil {
		return err
	}
	a.Stdout.Printf("%s: taken out of %s\n", f.Tool, f.Path)
	return nil
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
	program, err := o.programPath()
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
func (f *File) Standing(entries []settings.Entry) string {
	n, same, err := settings.Has(f.text, f.mark(), entries)
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

func (o Options) programPath() (string, error) {
	if o.Program != "" {
		return o.Program, nil
	}
	program, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return program, nil
}
