// Package install adds hooks and the MCP server to the settings of tools, and removes them, for
// the commands hooks and mcp. It prints what happened to each file:
//
//	claude_code: put into /home/me/.claude/settings.json
//	codex: already in /home/me/.codex/config.toml
//
// A file that cannot be changed is reported on stderr, the others are still changed, and the
// result is [report.ErrIncomplete]. The formats of the settings are known by
// internal/app/hooksettings and mcpsettings.
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

// Hooks adds hooks to the settings of the named tools; without names, of all tools that are
// used on this machine.
func Hooks(a *cli.App, o hooksettings.Options, named []string) error {
	return eachHooked(a, o, named, func(f *hooksettings.File) (toolsettings.Change, error) {
		if o.Recall && !f.Answers() {
			a.Stdout.Printf("%s: takes no answers of hooks; they only tell\n", f.Tool)
		}
		return f.Install(a.Machine, o)
	})
}

// RemoveHooks removes the hooks.
func RemoveHooks(a *cli.App, o hooksettings.Options, named []string) error {
	return eachHooked(a, o, named, func(f *hooksettings.File) (toolsettings.Change, error) { return f.Uninstall(a.Machine, o) })
}

// eachHooked calls do for the settings of tools that can have hooks.
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

// Servers adds the MCP server to the settings of the named tools; without names, of all tools
// that are used on this machine.
func Servers(a *cli.App, o mcpsettings.Options, named []string) error {
	return eachServer(a, o, named, func(f *mcpsettings.File) (toolsettings.Change, error) {
		return f.Install(a.Machine, o.StateDir, o.DryRun)
	})
}

// RemoveServers removes the MCP server.
func RemoveServers(a *cli.App, o mcpsettings.Options, named []string) error {
	return eachServer(a, o, named, func(f *mcpsettings.File) (toolsettings.Change, error) {
		return f.Uninstall(a.Machine, o.StateDir, o.DryRun)
	})
}

// eachServer calls do for the settings of tools that can start MCP servers.
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

// edited is a settings file and the change to be made.
type edited struct {
	*toolsettings.Settings

	used   bool
	change func() (toolsettings.Change, error)
}

// each changes settings, one file after the other, and prints the result of each. An error does
// not prevent the others. Without names it skips tools that are not used on this machine; if
// none is left, it prints none on stderr.
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

// say prints the result for one file. With --dry-run that is a diff.
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

// HookStatus prints for each tool whether it has hooks, and in which file.
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

// ServerStatus prints for each tool whether it starts the MCP server, and in which file.
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

// printStatus prints the status of one tool, as a line or as a JSON object.
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
