package vscode_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/io/discover"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestFinds: every store is found on every system, of every build, with the
// variables that move it.
func TestFinds(t *testing.T) {
	home := filepath.FromSlash("/home/dev")
	stores := []string{
		"workspaceStorage/ab/chatSessions/s.json", "workspaceStorage/ab/chatSessions/s.jsonl", "workspaceStorage/no-workspace/chatSessions/s.json",
		"globalStorage/emptyWindowChatSessions/s.json", "globalStorage/emptyWindowChatSessions/s.jsonl",
		"globalStorage/transferredChatSessions/s.json", "globalStorage/transferredChatSessions/s.jsonl",
		"workspaceStorage/ab/chatEditingSessions/s/state.json", "workspaceStorage/ab/state.vscdb",
		"workspaceStorage/ab/GitHub.copilot-chat/transcripts/s.jsonl",
	}
	folders := func(below string) []string {
		var all []string
		for _, build := range []string{"Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Code - OSS"} {
			all = append(all, below+"/"+build+"/User")
		}
		return all
	}
	remote := []string{
		"/home/dev/.vscode-server/data/User", "/home/dev/.vscode-server-insiders/data/User", "/home/dev/.vscodium-server/data/User",
		"/home/dev/.vscode-remote/data/User",
	}
	for _, tt := range []struct {
		os   string
		vars map[string]string
		want []string
	}{
		{"linux", nil, append(folders("/home/dev/.config"), remote...)},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/cfg"}, append(folders("/cfg"), remote...)},
		{"linux", nil, []string{"/home/dev/.local/share/code-server/User"}},
		{"linux", map[string]string{"XDG_DATA_HOME": "/data"}, []string{"/data/code-server/User"}},
		{"linux", map[string]string{"VSCODE_PORTABLE": "/stick/data"}, []string{"/stick/data/user-data/User"}},
		{"darwin", nil, append(folders("/home/dev/Library/Application Support"), remote...)},
		{"windows", map[string]string{"APPDATA": "/home/dev/Roaming"}, folders("/home/dev/Roaming")},
		{"windows", nil, folders("/home/dev/AppData/Roaming")},
	} {
		env := discover.Env{OS: tt.os, Home: home, Getenv: func(name string) string { return filepath.FromSlash(tt.vars[name]) }}
		roots := discover.Roots([]core.Adapter{vscode.Adapter{}}, env)
		for _, dir := range tt.want {
			for _, store := range stores {
				if !found(roots, filepath.FromSlash(dir), store) {
					t.Errorf("%s %v: %s/%s is not found", tt.os, tt.vars, dir, store)
				}
			}
			for _, other := range []string{"workspaceStorage/ab/workspace.json", "globalStorage/state.vscdb", "settings.json", "workspaceStorage/ab/state.vscdb.backup"} {
				if found(roots, filepath.FromSlash(dir), other) {
					t.Errorf("%s: %s/%s is found", tt.os, dir, other)
				}
			}
		}
	}
}

func found(roots []discover.Root, dir, store string) bool {
	for _, r := range roots {
		if r.Dir == dir && r.Holds(store) {
			return true
		}
	}
	return false
}

const itemTable = `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('secret://{"extensionId":"vscode.github-authentication"}', 'secret');
INSERT INTO ItemTable VALUES ('chat.ChatSessionStore.index', '{"version":1,"entries":{"s1":{"sessionId":"s1","title":"T"}}}');
`

// TestDatabase reads the sessions that lie in a workspace's database, and nothing
// else of it; a session that was moved to a file is the same one.
func TestDatabase(t *testing.T) {
	session := obj{"sessionId": "s1", "creationDate": 1700000000000, "requests": list{
		request("r1", "Use the first way.", list{obj{"value": "Fine."}}, obj{"message": "Use the first way.", "result": obj{"timings": obj{}}}),
	}}
	stored := marshal(t, list{session, obj{"sessionId": "s2", "requests": list{}}, obj{"requests": list{}}, 7})
	got := adaptertest.Database(t, vscode.Adapter{}, "state.vscdb", itemTable+"INSERT INTO ItemTable VALUES ('interactive.sessions', '"+stored+"');")
	want := "# s1\nstart s1  m1\nuser \"Use the first way.\"\nsays \"Fine.\" thinking \"\"\n# s2\nstart s2  \n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got = adaptertest.Database(t, vscode.Adapter{}, "state.vscdb", itemTable+"INSERT INTO ItemTable VALUES ('interactive.sessions', 'no json');"); !strings.HasPrefix(got, "database is incomplete") {
		t.Errorf("of nonsense came %q", got)
	}
}

// TestLayout: whose database it is, of the editors that share a source, its path
// says.
func TestLayout(t *testing.T) {
	items := core.Schema{"ItemTable": {"key", "value"}}
	for path, want := range map[string]core.Tool{
		"/home/dev/.config/Code/User/workspaceStorage/a/state.vscdb":     core.VSCode,
		"/home/dev/.config/VSCodium/User/workspaceStorage/a/state.vscdb": core.VSCode,
		"/stick/data/user-data/User/workspaceStorage/a/state.vscdb":      core.VSCode,
		"/tmp/state.vscdb": core.VSCode,
		"/home/dev/.config/Cursor/User/workspaceStorage/a/state.vscdb": core.Cursor,
	} {
		if a, _ := adapters.Layout(path, items); a == nil || a.Tool() != want {
			t.Errorf("%s: %v, want %s", path, a, want)
		}
	}
	if a, _ := adapters.Layout("/tmp/state.vscdb", core.Schema{"ItemTable": {"key", "value"}, "cursorDiskKV": {"key", "value"}}); a.Tool() != core.Cursor {
		t.Errorf("a database of Cursor's is %s's", a.Tool())
	}
	if a, _ := adapters.Layout("/tmp/other.db", items); a != nil {
		t.Errorf("any table of items is %s's", a.Tool())
	}
}
