package adapters_test

import (
	"path"
	"path/filepath"
	"testing"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
)

// TestPlaces: the stores of the tools that nobody has recorded, and of Cline and its
// kin, are found on every system, with the variables that move them.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct {
		tool core.Tool
		os   string
		vars map[string]string
		file string
	}{
		{core.Cursor, "linux", nil, "/home/dev/.config/Cursor/User/globalStorage/state.vscdb"},
		{core.Cursor, "linux", map[string]string{"XDG_CONFIG_HOME": "/cfg"}, "/cfg/Cursor/User/workspaceStorage/a/state.vscdb"},
		{core.Cursor, "darwin", nil, "/home/dev/Library/Application Support/Cursor/User/globalStorage/state.vscdb"},
		{core.Cursor, "windows", map[string]string{"APPDATA": "/roaming"}, "/roaming/Cursor/User/globalStorage/state.vscdb"},
		{core.Cursor, "windows", nil, "/home/dev/AppData/Roaming/Cursor/User/globalStorage/state.vscdb"},
		{core.Cursor, "linux", nil, "/home/dev/.cursor/chats/0123/a/store.db"},
		{core.Cursor, "darwin", map[string]string{"CURSOR_CONFIG_DIR": "/agent"}, "/agent/acp-sessions/a/store.db"},
		{core.Zed, "linux", nil, "/home/dev/.local/share/zed/threads/threads.db"},
		{core.Zed, "linux", map[string]string{"XDG_DATA_HOME": "/data"}, "/data/zed/threads/threads.db"},
		{core.Zed, "linux", map[string]string{"FLATPAK_XDG_DATA_HOME": "/flat", "XDG_DATA_HOME": "/data"}, "/flat/zed/conversations/x - 1.zed.json"},
		{core.Zed, "darwin", nil, "/home/dev/Library/Application Support/Zed/threads/threads.db"},
		{core.Zed, "darwin", nil, "/home/dev/.config/zed/conversations/x - 1.zed.json"},
		{core.Zed, "windows", map[string]string{"LOCALAPPDATA": "/local"}, "/local/Zed/threads/threads.db"},
		{core.Zed, "windows", nil, "/home/dev/AppData/Local/Zed/threads/threads.db"},
		{core.Hermes, "linux", nil, "/home/dev/.hermes/state.db"},
		{core.Hermes, "darwin", nil, "/home/dev/.hermes/profiles/work/state.db"},
		{core.Hermes, "linux", map[string]string{"HERMES_HOME": "/h"}, "/h/profiles/work/state.db"},
		{core.Hermes, "windows", map[string]string{"LOCALAPPDATA": "/local"}, "/local/hermes/state.db"},
		{core.Hermes, "windows", nil, "/home/dev/AppData/Local/hermes/profiles/work/state.db"},
		{core.Windsurf, "linux", nil, "/home/dev/.windsurf/transcripts/a.jsonl"},
		{core.Windsurf, "darwin", nil, "/home/dev/.codeium/windsurf/cascade/a.pb"},
		{core.Windsurf, "windows", nil, "/home/dev/.codeium/windsurf-next/cascade/implicit/a.pb"},
		{core.Cline, "linux", nil, "/home/dev/.cline/data/sessions/a/a.messages.json"},
		{core.Cline, "linux", map[string]string{"CLINE_DIR": "/c"}, "/c/data/tasks/1/api_conversation_history.json"},
		{core.Cline, "linux", map[string]string{"CLINE_DATA_DIR": "/d", "CLINE_DIR": "/c"}, "/d/tasks/1/ui_messages.json"},
		{core.Cline, "linux", map[string]string{"CLINE_SESSION_DATA_DIR": "/s"}, "/s/a/a.messages.json"},
		{core.Cline, "linux", nil, "/home/dev/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/ui_messages.json"},
		{core.Cline, "darwin", nil, "/home/dev/Library/Application Support/VSCodium/User/globalStorage/rooveterinaryinc.roo-cline/tasks/0-1/api_conversation_history.json"},
		{core.Cline, "windows", nil, "/home/dev/AppData/Roaming/Code - Insiders/User/globalStorage/kilocode.kilo-code/tasks/1/api_conversation_history.json"},
		{core.Cline, "linux", nil, "/home/dev/.vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks/1/api_conversation_history.json"},
	} {
		a, ok := adapters.ByTool(tt.tool)
		if !ok {
			t.Fatalf("no adapter for %s", tt.tool)
		}
		env := discover.Env{OS: tt.os, Home: filepath.FromSlash("/home/dev"), Getenv: func(name string) string { return filepath.FromSlash(tt.vars[name]) }}
		if !finds(discover.Roots([]core.Adapter{a}, env), tt.file) {
			t.Errorf("%s on %s, %v: %s is not found", tt.tool, tt.os, tt.vars, tt.file)
		}
	}
}

func finds(roots []discover.Root, file string) bool {
	for _, r := range roots {
		rel, err := filepath.Rel(r.Dir, filepath.FromSlash(file))
		if err == nil && filepath.IsLocal(rel) && r.Holds(path.Clean(filepath.ToSlash(rel))) {
			return true
		}
	}
	return false
}
