package claudecode

import (
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
)

// Adapter knows Claude Code.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.ClaudeCode }

// Places are the folders of the command line tool and of the desktop
// application, which runs the same client in a home folder of its own.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{
			Roots:    []core.Root{{Env: "CLAUDE_CONFIG_DIR"}, {Path: ".claude"}},
			Patterns: transcripts(""),
		},
		// Older clients followed the XDG rules; known from other readers only.
		{
			Roots:    []core.Root{{Env: "XDG_CONFIG_HOME", Path: "claude"}, {Path: ".config/claude"}},
			Patterns: transcripts(""),
		},
		{
			Roots: []core.Root{
				{OS: "darwin", Path: "Library/Application Support/Claude/" + desktop},
				{OS: "windows", Env: "APPDATA", Path: "Claude/" + desktop},
				{OS: "linux", Env: "XDG_CONFIG_HOME", Path: "Claude/" + desktop},
				{OS: "linux", Path: ".config/Claude/" + desktop},
			},
			Patterns: transcripts("**/"),
		},
		// The desktop application out of the Microsoft store.
		{
			Roots:    []core.Root{{OS: "windows", Env: "LOCALAPPDATA", Path: "Packages"}},
			Patterns: transcripts("Claude_*/LocalCache/Roaming/Claude/" + desktop + "/**/"),
		},
	}
}

const desktop = "local-agent-mode-sessions"

// transcripts are the patterns below a folder that holds "projects". The first
// takes in the subagents of 2.0.x too, whose files lie beside their session's.
func transcripts(folder string) []string {
	return []string{
		folder + "projects/*/*.jsonl",
		folder + "projects/**/subagents/**/agent-*.jsonl",
	}
}

// NewParser returns a parser for one transcript.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := newParser(info)
	return mcpedits.Edits(p, &p.files)
}
