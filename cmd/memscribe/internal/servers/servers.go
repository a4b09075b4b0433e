// Package servers implements the commands mcp install, mcp uninstall and mcp status,
// which edit the settings of tools.
package servers

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/cmd/memscribe/internal/cli"
	"github.com/memscribe/memscribe/cmd/memscribe/internal/hooks"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/report"
	"github.com/memscribe/memscribe/internal/usage"
)

// Options say whose settings are meant, and what they are to start.
type Options struct {
	Home     string
	StateDir string
	Program  string // that is started; "" is this one
	Database string // that it serves; "" is the one that watch keeps
	DryRun   bool   // only show what would change
	JSON     bool
}

// Install has the tools that are named, or all that are used here, start the server.
func Install(a *cli.App, o Options, named []string) error {
	return each(a, o, named, func(f *file) error { return f.Install(a, o.StateDir, o.DryRun) })
}

// Uninstall takes it out again.
func Uninstall(a *cli.App, o Options, named []string) error {
	return each(a, o, named, func(f *file) error { return f.Uninstall(a, o.StateDir, o.DryRun) })
}

// file is a tool's settings with what they are to start.
type file struct {
	hooks.Settings

	folder string // by which one can tell that the tool is used
}

// each goes through the settings of tools. One that cannot be changed does not keep the
// others from it.
func each(a *cli.App, o Options, named []string, do func(*file) error) error {
	files, err := files(a, o, named)
	if err != nil {
		return err
	}
	any := false
	for i := range files {
		f := &files[i]
		if len(named) == 0 && !hooks.IsUsed(f.folder) {
			continue
		}
		any = true
		failed := f.Read()
		if failed == nil {
			failed = do(f)
		}
		if failed != nil {
			a.Stderr.Printf("%s: %v\n", f.Path, failed)
			err = report.ErrIncomplete
		}
	}
	if !any {
		a.Stderr.Printf("none of the tools that start servers is used here: %s\n", strings.Join(names(), ", "))
	}
	return err
}

// files are those of the tools that are named, or of all.
func files(a *cli.App, o Options, named []string) (all []file, err error) {
	for _, n := range named {
		if !slices.Contains(names(), n) {
			return nil, usage.Errorf("no settings for servers of %q are known; there are those of %s", n, strings.Join(names(), ", "))
		}
	}
	run, err := o.command()
	if err != nil {
		return nil, err
	}
	for _, t := range tools() {
		if len(named) > 0 && !slices.Contains(named, string(t.tool)) {
			continue
		}
		f := file{Settings: hooks.Settings{Name: string(t.tool), Key: "mcp/" + string(t.tool), Note: t.note}}
		if f.Path, f.folder, err = t.place(a.Machine, o.Home); err != nil {
			return nil, err
		}
		if f.Edit, err = t.editor(run); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// command is what a tool is to start.
func (o Options) command() ([]string, error) {
	program, err := hooks.ProgramPath(o.Program)
	if err != nil {
		return nil, err
	}
	run := []string{program, "mcp"}
	if o.Database != "" {
		path, err := filepath.Abs(o.Database)
		if err != nil {
			return nil, fmt.Errorf("find database: %w", err)
		}
		run = append(run, "--db", path)
	}
	return run, nil
}

// standing is what is known of one tool's settings.
type standing struct {
	Tool  string `json:"tool"`
	File  string `json:"file"`
	State string `json:"state"`
}

// Status says which tools start the server.
func Status(a *cli.App, o Options, named []string) error {
	files, err := files(a, o, named)
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		s := standing{Tool: f.Name, File: f.Path, State: f.standing()}
		if !o.JSON {
			a.Stdout.Printf("%-12s %-30s %s\n", s.Tool, s.State, s.File)
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

// standing says in one word whether the server is installed, changed, absent, or the
// file unreadable.
func (f *file) standing() string {
	err := f.Read()
	some, all := false, false
	if err == nil {
		some, all, err = f.Has()
	}
	switch {
	case err != nil:
		return hooks.Unreadable
	case all:
		return hooks.Installed
	case some:
		return "installed for another program"
	case !hooks.IsUsed(f.folder):
		return "not used here"
	}
	return hooks.Missing
}

// names lists the tools that can start the server.
func names() (all []string) {
	for _, t := range tools() {
		all = append(all, string(t.tool))
	}
	return all
}

// tool is one that starts servers: where its user keeps which, and what that looks like.
// The forms are those of docs/agents.md.
type tool struct {
	tool  core.Tool
	place func(e host.Machine, home string) (file, folder string, err error)
	names []string // of the members that lead to ours, in JSON; none is TOML
	value func(run []string) any
	note  string
}

// started is a server in the form that most tools have.
type started struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"`
}

// plain returns a server entry of a command and arguments.
func plain(run []string) any { return started{Command: run[0], Args: run[1:]} }

// ofType returns a maker of server entries with a type and, where the tool asks for
// it, the tools that are allowed.
func ofType(kind string, tools ...string) func([]string) any {
	return func(run []string) any { return started{Type: kind, Command: run[0], Args: run[1:], Tools: tools} }
}

// tools lists the tools whose settings can start the server, with place and form.
func tools() []tool {
	usual := []string{"mcpServers", Name}
	return []tool{
		{
			tool: core.ClaudeCode, place: claudes, names: usual, value: ofType("stdio"),
			note: "Claude Code writes this file too: do it while it is not running",
		},
		{tool: core.Codex, place: below("CODEX_HOME", ".codex", "config.toml")},
		{tool: core.Gemini, place: below("", ".gemini", "settings.json"), names: usual, value: plain},
		{tool: core.Qwen, place: below("", ".qwen", "settings.json"), names: usual, value: plain},
		{tool: core.OpenCode, place: opencodes, names: []string{"mcp", Name}, value: func(run []string) any {
			return struct {
				Type    string   `json:"type"`
				Command []string `json:"command"`
				Enabled bool     `json:"enabled"`
			}{"local", run, true}
		}},
		{tool: core.Copilot, place: below("COPILOT_HOME", ".copilot", "mcp-config.json"), names: usual, value: ofType("local", "*")},
		{tool: core.Cursor, place: below("", ".cursor", "mcp.json"), names: usual, value: plain},
		{tool: core.VSCode, place: vscodes, names: []string{"servers", Name}, value: ofType("stdio")},
		{tool: core.Windsurf, place: below("", ".codeium/windsurf", "mcp_config.json"), names: usual, value: plain},
		{tool: core.Zed, place: zeds, names: []string{"context_servers", Name}, value: ofType("")},
	}
}

// Name is what the tools call the server.
const Name = "memscribe"
