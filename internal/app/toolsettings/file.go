// Package toolsettings changes the settings file of another tool, and puts it back to the
// byte.
//
// Before a file is changed, what it was is kept below the state folder. When the change
// is taken out again and the file was not changed by anyone else, it becomes what it was;
// otherwise only what was put in is taken out. Files are replaced whole.
//
//	          copy of the file, and of what was put in, in the state folder
//	           ▲                                        │
//	Install ───┘  Editor.Add ──▶ new file     Uninstall ┘ unchanged since: the copy
//	                                                      else: Editor.Remove
//
// Install twice changes nothing the second time. A dry run returns the change and writes
// nothing. A symbolic link is kept; the file that it leads to is replaced.
package toolsettings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memscribe/memscribe/internal/app/host"
)

// Editor puts something of ours into settings, and takes it out again.
type Editor interface {
	// Add puts it in where it is not.
	Add(text []byte) ([]byte, error)
	// Remove takes it out, and reports whether it was there.
	Remove(text []byte) (left []byte, removed bool, err error)
	// Has reports whether any of it is there, and whether all of it is as it is to be.
	Has(text []byte) (some, all bool, err error)
}

// Settings is a tool's file of settings, to be changed and to be put back to the byte. Read
// must be called first. Key is a slash-separated path: "hooks/codex" keeps hooks/codex.json and
// hooks/codex.before.
type Settings struct {
	Name  string // by which a person knows the tool
	Path  string
	Key   string // under which the file as it was is kept, below the state folder
	Empty string // what a new file begins with
	Note  string // what is left to the user
	Edit  Editor

	text    []byte
	missing bool // there is no such file
}

// Read reads the file. A link stays one: it is what it leads to that is changed.
func (f *Settings) Read() error {
	if target, failed := filepath.EvalSymlinks(f.Path); failed == nil {
		f.Path = target
	}
	var err error
	f.text, err = os.ReadFile(f.Path)
	f.missing = errors.Is(err, fs.ErrNotExist)
	if err != nil && !f.missing {
		return fmt.Errorf("read settings: %w", err)
	}
	return nil
}

// Has reports whether any of what is to be there is there, and whether all of it is.
func (f *Settings) Has() (some, all bool, err error) { return f.Edit.Has(f.text) }

// The states of what is put into settings that other parts depend on.
const (
	Installed  = "installed"
	Missing    = "not installed"
	Unreadable = "settings cannot be read"
)

// Text returns the file as [Settings.Read] found it.
func (f *Settings) Text() []byte { return f.text }

// IsUsed reports whether a tool is used here, by its folder.
func IsUsed(folder string) bool {
	_, err := os.Stat(folder)
	return err == nil
}

// Outcome is what became of a settings file.
type Outcome int

// The outcomes.
const (
	Already  Outcome = iota // what was to be put in is there
	Absent                  // what was to be taken out is not there
	PutIn                   // the file has it now
	TakenOut                // the file no longer has it
	Shown                   // nothing was changed: Diff has what would be
)

// Change is what an installation or its removal did.
type Change struct {
	Outcome Outcome
	Diff    string // of a dry run: lines that go and lines that come
}

// Install puts in what is not there, in place of what is there in another form.
// A dry run only returns what would change. [Settings.Read] comes first.
func (f *Settings) Install(m host.Machine, stateDir string, dryRun bool) (Change, error) {
	some, all, err := f.Edit.Has(f.text)
	if err != nil {
		return Change{}, err
	}
	if all {
		return Change{Outcome: Already}, nil
	}
	before := f.text
	if f.missing {
		before = []byte(f.Empty)
	} else if some {
		if before, _, err = f.Edit.Remove(before); err != nil {
			return Change{}, err
		}
	}
	after, err := f.Edit.Add(before)
	if err != nil {
		return Change{}, err
	}
	if dryRun {
		return Change{Outcome: Shown, Diff: difference(f.Path, f.text, after)}, nil
	}
	keep := installed{File: f.Path, Created: f.missing, After: digest(after)}
	if err := f.remember(m, stateDir, keep, some); err != nil {
		return Change{}, err
	}
	if err := replaceSettings(f.Path, after); err != nil {
		return Change{}, err
	}
	return Change{Outcome: PutIn}, nil
}

// Uninstall takes it out again. If the file was not changed since the installation, it becomes
// what it was before, byte for byte, or is removed if it did not exist; otherwise only what was
// put in is taken out.
func (f *Settings) Uninstall(m host.Machine, stateDir string, dryRun bool) (Change, error) {
	after, removed := f.text, false
	if !f.missing {
		var err error
		if after, removed, err = f.Edit.Remove(f.text); err != nil {
			return Change{}, err
		}
	}
	if !removed {
		return Change{Outcome: Absent}, nil
	}
	keep, original, err := f.recall(m, stateDir)
	if err != nil {
		return Change{}, err
	}
	asItWas := keep.File == f.Path && keep.After == digest(f.text)
	if asItWas {
		after = original
	}
	if dryRun {
		return Change{Outcome: Shown, Diff: difference(f.Path, f.text, after)}, nil
	}
	if asItWas && keep.Created {
		err = os.Remove(f.Path)
	} else {
		err = replaceSettings(f.Path, after)
	}
	if err == nil {
		err = f.forget(m, stateDir)
	}
	return Change{Outcome: TakenOut}, err
}

// installed is what is remembered of settings that were changed.
type installed struct {
	File    string `json:"file"`
	Created bool   `json:"created"` // it was not there before
	After   string `json:"after"`   // digest of what was written
}

// keptIn returns the files in which that is remembered, and the settings as they were.
func (f *Settings) keptIn(e host.Machine, stateDir string) (record, original string, err error) {
	dir, err := e.StateDir(stateDir)
	if err != nil {
		return "", "", fmt.Errorf("find state folder: %w", err)
	}
	base := filepath.Join(dir, filepath.FromSlash(f.Key))
	return base + ".json", base + ".before", nil
}

// remember keeps the file as it is before it is changed. If it was changed by an installation
// before, the kept original stays, unless someone else has edited the file since: then the
// original is the file as it is now, without what was put in.
func (f *Settings) remember(e host.Machine, stateDir string, keep installed, again bool) error {
	record, original, err := f.keptIn(e, stateDir)
	if err != nil {
		return err
	}
	before := f.text
	if again {
		var old installed
		if old, before, err = f.recall(e, stateDir); err != nil {
			return err
		}
		if old.File != f.Path || old.After != digest(f.text) {
			if before, _, err = f.Edit.Remove(f.text); err != nil {
				return err
			}
			old.Created = false
		}
		keep.Created = old.Created
	}
	text, err := json.Marshal(keep)
	if err != nil {
		return fmt.Errorf("remember settings: %w", err)
	}
	if err := replaceSettings(original, before); err != nil {
		return err
	}
	return replaceSettings(record, append(text, '\n'))
}

// recall returns what is remembered of a tool's settings; nothing if they were
// never changed.
func (f *Settings) recall(e host.Machine, stateDir string) (keep installed, before []byte, err error) {
	record, original, err := f.keptIn(e, stateDir)
	if err != nil {
		return keep, nil, err
	}
	text, err := os.ReadFile(record)
	if errors.Is(err, fs.ErrNotExist) {
		return keep, nil, nil
	}
	if err == nil {
		err = json.Unmarshal(bytes.TrimSpace(text), &keep)
	}
	if err == nil {
		before, err = os.ReadFile(original)
	}
	if err != nil {
		return installed{}, nil, fmt.Errorf("recall settings: %w", err)
	}
	return keep, before, nil
}

// forget deletes what was kept of the settings before hooks were installed.
func (f *Settings) forget(e host.Machine, stateDir string) error {
	record, original, err := f.keptIn(e, stateDir)
	if err != nil {
		return err
	}
	for _, name := range []string{record, original} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("forget settings: %w", err)
		}
	}
	return nil
}

// ProgramPath returns the program that a tool is to run: the one that is named, or this one.
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
