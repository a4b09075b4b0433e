// Package mcpsettings has tools start the MCP server of this program: it edits the lists of
// servers in their settings.
//
// Each tool keeps its servers in another form:
//
//	{"mcpServers": {"memscribe": {"command": "…", "args": ["mcp"]}}}    most of them
//	{"servers": {"memscribe": {"type": "stdio", …}}}                    VS Code
//	{"mcp": {"memscribe": {"type": "local", "command": ["…", "mcp"]}}}  OpenCode
//	{"context_servers": {"memscribe": {…}}}                             Zed
//	[mcp_servers.memscribe]                                             Codex, in TOML
//
// An editor for each form finds the entry named memscribe, adds it or removes it, and leaves
// the rest of the file unchanged byte for byte. Package toolsettings keeps a copy of the file
// as it was.
package mcpsettings

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/app/host"
	"github.com/memscribe/memscribe/internal/app/toolsettings"
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

// File is a tool's settings with what they are to start.
type File struct {
	toolsettings.Settings

	folder string // by which one can tell that the tool is used
}

// Used reports whether the tool is used here.
func (f *File) Used() bool { return toolsettings.IsUsed(f.folder) }

// Files returns those of the tools that are named, or of all.
func Files(m host.Machine, o Options, named []string) (all []File, err error) {
	for _, n := range named {
		if !slices.Contains(Names(), n) {
			return nil, usage.Errorf("no settings for servers of %q are known; there are those of %s", n, strings.Join(Names(), ", "))
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
		f := File{Settings: toolsettings.Settings{Name: string(t.tool), Key: "mcp/" + string(t.tool), Note: t.note}}
		if f.Path, f.folder, err = t.place(m, o.Home); err != nil {
			return nil, err
		}
		if f.Edit, err = t.editor(run); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// command returns what a tool is to start.
func (o Options) command() ([]string, error) {
	program, err := toolsettings.ProgramPath(o.Program)
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

// Status is what is known of one tool's settings. Its JSON is what --json prints.
type Status struct {
	Tool  string `json:"tool"`
	File  string `json:"file"`
	State string `json:"state"`
}

// Statuses returns whether the named tools, or all, are set up to start the server. A tool
// whose settings cannot be read has a status too, and no error.
func Statuses(m host.Machine, o Options, named []string) ([]Status, error) {
	files, err := Files(m, o, named)
	if err != nil {
		return nil, err
	}
	var all []Status
	for i := range files {
		f := &files[i]
		all = append(all, Status{Tool: f.Name, File: f.Path, State: f.standing()})
	}
	return all, nil
}

// standing says in one word whether the server is installed, changed, absent, or the
// file unreadable.
func (f *File) standing() string {
	err := f.Read()
	some, all := false, false
	if err == nil {
		some, all, err = f.Has()
	}
	switch {
	case err != nil:
		return toolsettings.Unreadable
	case all:
		return toolsettings.Installed
	case some:
		return "installed for another program"
	case !f.Used():
		return "not used here"
	}
	return toolsettings.Missing
}

// Names lists the tools that can start the server.
func Names() (all []string) {
	for _, t := range tools() {
		all = append(all, string(t.tool))
	}
	return all
}

// tool is a tool that can start MCP servers: where its user keeps their list, and the form of
// an entry. The forms are those of docs/agents.md.
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
