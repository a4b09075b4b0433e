// Package install puts hooks and the MCP server into the settings of tools for the
// commands hooks and mcp, and prints what became of each file.
package install

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/internal/app/hooksettings"
	"github.com/memscribe/memscribe/internal/app/mcpsettings"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/app/toolsettings"
)

// Hooks puts hooks into the settings of the tools that are named, or of all that are
// used.
func Hooks(a *cli.App, o hooksettings.Options, named []string) error {
	return eachHooked(a, o, named, func(f *hooksettings.File) (toolsettings.Change, error) {
		if o.Recall && !f.Answers() {
			a.Stdout.Printf("%s: takes no answers of hooks; they only tell\n", f.Tool)
		}
		return f.Install(a.Machine, o)
	})
}

// RemoveHooks takes the hooks out again.
func RemoveHooks(a *cli.App, o hooksettings.Options, named []string) error {
	return eachHooked(a, o, named, func(f *hooksettings.File) (toolsettings.Change, error) { return f.Uninstall(a.Machine, o) })
}

// eachHooked changes the settings of tools that have hooks.
func eachHooked(a *cli.App, o hooksettings.Options, named []string, do func(*hooksettings.File) (toolsettings.Change, error)) error {
	files, err := hooksettings.Files(a.Machine, o, named)
	if err != nil {
		return err
	}
	all := make([]edited, len(files))
	for i := range files {
		f := &files[i]
		all[i] = edited{&f.Settings, f.Used(), func() (toolsettings.Change, error) { return do(f) }}
	}
	return each(a, all, named, "none of the tools that have hooks is used here: "+hooksettings.Names())
}

// Servers has the tools that are named, or all that are used here, start the server.
func Servers(a *cli.App, o mcpsettings.Options, named []string) error {
	return eachServer(a, o, named, func(f *mcpsettings.File) (toolsettings.Change, error) {
		return f.Install(a.Machine, o.StateDir, o.DryRun)
	})
}

// RemoveServers takes it out again.
func RemoveServers(a *cli.App, o mcpsettings.Options, named []string) error {
	return eachServer(a, o, named, func(f *mcpsettings.File) (toolsettings.Change, error) {
		return f.Uninstall(a.Machine, o.StateDir, o.DryRun)
	})
}

// eachServer changes the settings of tools that start servers.
func eachServer(a *cli.App, o mcpsettings.Options, named []string, do func(*mcpsettings.File) (toolsettings.Change, error)) error {
	files, err := mcpsettings.Files(a.Machine, o, named)
	if err != nil {
		return err
	}
	all := make([]edited, len(files))
	for i := range files {
		f := &files[i]
		all[i] = edited{&f.Settings, f.Used(), func() (toolsettings.Change, error) {
			if err := f.Read(); err != nil {
				return toolsettings.Change{}, err
			}
			return do(f)
		}}
	}
	return each(a, all, named, "none of the tools that start servers is used here: "+strings.Join(mcpsettings.Names(), ", "))
}

// edited is a settings file and what is to be done with it.
type edited struct {
	*toolsettings.Settings

	used   bool
	change func() (toolsettings.Change, error)
}

// each changes settings, one file after the other, and says what became of it. One that
// cannot be changed does not keep the others from it. Without names only tools that are
// used here are meant; none says that there are none.
func each(a *cli.App, all []edited, named []string, none string) (err error) {
	any := false
	for _, f := range all {
		if len(named) == 0 && !f.used {
			continue
		}
		any = true
		c, failed := f.change()
		if failed == nil {
			failed = say(a, f.Settings, c)
		}
		if failed != nil {
			a.Stderr.Printf("%s: %v\n", f.Path, failed)
			err = report.ErrIncomplete
		}
	}
	if !any {
		a.Stderr.Printf("%s\n", none)
	}
	return err
}

// say prints what became of a file.
func say(a *cli.App, f *toolsettings.Settings, c toolsettings.Change) error {
	switch c.Outcome {
	case toolsettings.Already:
		a.Stdout.Printf("%s: already in %s\n", f.Name, f.Path)
	case toolsettings.Absent:
		a.Stdout.Printf("%s: not in %s\n", f.Name, f.Path)
	case toolsettings.TakenOut:
		a.Stdout.Printf("%s: taken out of %s\n", f.Name, f.Path)
	case toolsettings.Shown:
		_, err := io.WriteString(a.Stdout.Text(), c.Diff)
		return err
	case toolsettings.PutIn:
		a.Stdout.Printf("%s: put into %s\n", f.Name, f.Path)
		if f.Note != "" {
			a.Stdout.Printf("  %s.\n", f.Note)
		}
	}
	return nil
}

// HookStatus says which tools have hooks.
func HookStatus(a *cli.App, o hooksettings.Options, named []string) error {
	all, err := hooksettings.Statuses(a.Machine, o, named)
	if err != nil {
		return err
	}
	for _, s := range all {
		if err := printStatus(a, o.JSON, s, "%-12s %-34s %s\n", s.Tool, s.State, s.File); err != nil {
			return err
		}
	}
	return nil
}

// ServerStatus says which tools start the server.
func ServerStatus(a *cli.App, o mcpsettings.Options, named []string) error {
	all, err := mcpsettings.Statuses(a.Machine, o, named)
	if err != nil {
		return err
	}
	for _, s := range all {
		if err := printStatus(a, o.JSON, s, "%-12s %-30s %s\n", s.Tool, s.State, s.File); err != nil {
			return err
		}
	}
	return nil
}

// printStatus prints how one tool stands: an object of JSON, or a line.
func printStatus(a *cli.App, asJSON bool, status any, format string, args ...any) error {
	if !asJSON {
		a.Stdout.Printf(format, args...)
		return nil
	}
	line, err := json.Marshal(status)
	if err != nil {
		return fmt.Errorf("write status: %w", err)
	}
	_, err = a.Stdout.Text().Write(append(line, '\n'))
	return err
}
