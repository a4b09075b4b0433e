package memory_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/memory"
)

func TestOfCall(t *testing.T) {
	of := func(done core.MemoryAction, store string, keys []string) (all []core.MemoryAccess) {
		for _, key := range keys {
			all = append(all, core.MemoryAccess{Action: done, Store: store, Key: key})
		}
		return all
	}
	write := func(store string, keys ...string) []core.MemoryAccess { return of(core.MemoryWrite, store, keys) }
	read := func(store string, keys ...string) []core.MemoryAccess { return of(core.MemoryRead, store, keys) }
	tests := []struct {
		name, args string
		want       []core.MemoryAccess
	}{
		// Servers that keep memories.
		{"mcp__memory__create_entities", `{"entities":[{"name":"Postgres","entityType":"db"}]}`, write("memory", "Postgres")},
		{"mcp__memory__create_entities", `{"entities":[{"name":"Postgres"},{"name":"Redis"}]}`, write("memory", "Postgres", "Redis")},
		{"mcp__memory__create_relations", `{"relations":[{"from":"Postgres","to":"Redis","relationType":"before"}]}`, write("memory", "Postgres", "Redis")},
		{"mcp__memory__delete_observations", `{"deletions":[{"entityName":"Redis","observations":["x"]}]}`, write("memory", "Redis")},
		{"memory_search_nodes", `{"query":"Postgres"}`, read("memory", "")},
		{"mcp__memory__open_nodes", `{"names":["Postgres"]}`, read("memory", "Postgres")},
		{"mcp__memory__open_nodes", `{"names":["Postgres","Redis"]}`, read("memory", "Postgres", "Redis")},
		{"mcp__memory__read_graph", `{}`, read("memory", "")},
		{"mcp__kb__add_observations", `{"observations":[{"entityName":"Postgres","contents":["x"]}]}`, write("kb", "Postgres")},
		{"mcp__mem0__add_memory", `{"content":"x","user_id":"me"}`, write("mem0", "me")},
		{"openmemory.search_memory", `{"query":"x"}`, read("openmemory", "")},
		{"mcp__basic-memory__write_note", `{"title":"Plans"}`, write("basic-memory", "Plans")},
		{"mcp__serena__write_memory", `{"memory_file_name":"style.md"}`, write("serena", "style.md")},
		{"mcp__serena__read_memory", `{"memory_file_name":"style.md"}`, read("serena", "style.md")},
		// The same servers, as clients write the names of their tools (recorded).
		{"mcp_memory_create_entities", `{"entities":[{"name":"Postgres","entityType":"db"}]}`, write("memory", "Postgres")},
		{"mcp_memory-bank_memory_bank_write", `{"projectName":"orders","fileName":"db.md","content":"x"}`, write("memory-bank", "orders/db.md")},
		{"mcp_memory-bank_list_projects", `{}`, read("memory-bank", "")},
		{"mcp__memory_bank__memory_bank_read", `"{\"fileName\":\"db.md\",\"projectName\":\"orders\"}"`, read("memory-bank", "orders/db.md")},
		{"mcp__memory-bank__list_projects", `{}`, read("memory-bank", "")},
		{"memory-bank_memory_bank_read", `{"projectName":"orders","fileName":"db.md"}`, read("memory-bank", "orders/db.md")},
		{"memory-bank_list_projects", `{}`, read("memory-bank", "")},
		{"memory-create_entities", `{"entities":[{"name":"Postgres","entityType":"db"}]}`, write("memory", "Postgres")},
		{"mcp-memory-bank-memory_bank_read", `{"projectName":"orders","fileName":"db.md"}`, read("memory-bank", "orders/db.md")},
		{"memory_bank_update", `{"projectName":"orders","fileName":"db.md","content":"x"}`, write("memory-bank", "orders/db.md")},
		{"create_entities", `{"entities":[{"name":"Postgres","entityType":"db","observations":[]}]}`, write("memory", "Postgres")},
		{"read_graph", `{}`, read("memory", "")},
		{"tool_call", `{"name":"mcp__memory__open_nodes","arguments":{"names":["Postgres"]}}`, read("memory", "Postgres")},
		{"tool_call", `{"arguments":{"projectName":"orders","fileName":"db.md","content":"x"},"name":"mcp__memory-bank__memory_bank_write"}`, write("memory-bank", "orders/db.md")},
		{"tool_call", `{"arguments":{"path":"CLAUDE.md"},"name":"read_file"}`, read("file", "/repo/CLAUDE.md")},
		{"use_mcp_tool", `{"server_name":"memory","tool_name":"open_nodes","arguments":"{\"names\":[\"Postgres\"]}"}`, read("memory", "Postgres")},
		{"CallMcpTool", `{"server":"memory","toolName":"read_graph","arguments":{}}`, read("memory", "")},
		{"basic-memory_write_note", `{"title":"Plans"}`, write("basic-memory", "Plans")},
		{"mcp__BasicMemory__write_note", `{"title":"Plans"}`, write("basic-memory", "Plans")},
		{"mcp__knowledge-graph__search_nodes", `{"query":"x"}`, read("knowledge-graph", "")},
		// Tools of clients.
		{"save_memory", `{"fact":"likes tabs"}`, write("memory", "")},
		{"saveMemory", `{"key":"tabs"}`, write("memory", "tabs")},
		{"memory", `{"command":"view","path":"/memories/a.md"}`, read("memory", "/memories/a.md")},
		{"memory", `{"command":"str_replace","path":"/memories/a.md"}`, write("memory", "/memories/a.md")},
		{"memory", `{"action":"add","target":"user"}`, write("memory", "")},
		{"update_memory", `{"title":"x"}`, write("memory", "x")},
		{"recall", `{"query":"x"}`, read("memory", "")},
		{"memory", `"{\"command\":\"create\",\"path\":\"/memories/b.md\"}"`, write("memory", "/memories/b.md")},
		// Files that agents are given.
		{"Edit", `{"file_path":"/repo/CLAUDE.md","old_string":"a"}`, write("file", "/repo/CLAUDE.md")},
		{"Write", `{"file_path":"C:\\repo\\AGENTS.md"}`, write("file", `C:\repo\AGENTS.md`)},
		{"Read", `{"file_path":"/home/me/.claude/memory/notes.txt"}`, read("file", "/home/me/.claude/memory/notes.txt")},
		{"read_file", `{"path":"GEMINI.md"}`, read("file", "/repo/GEMINI.md")},
		{"write_file", `{"absolute_path":"/r/.cursor/rules/a.mdc"}`, write("file", "/r/.cursor/rules/a.mdc")},
		{"Write", `{"file_path":"/home/dev/.claude/projects/-home-dev-work-orders/memory/database.md"}`, write("file", "/home/dev/.claude/projects/-home-dev-work-orders/memory/database.md")},
		{"read_file", `{"file_path":"/home/dev/.gemini/tmp/orders/memory/db.md"}`, read("file", "/home/dev/.gemini/tmp/orders/memory/db.md")},
		{"read_file", `{"file_path":"/home/dev/.qwen/projects/-home-dev-work-orders/memory/user.md"}`, read("file", "/home/dev/.qwen/projects/-home-dev-work-orders/memory/user.md")},
		{"Read", `{"file_path":"/home/dev/work/orders/../../.claude/projects/-home-dev-work-orders/memory/db.md"}`, read("file", "/home/dev/.claude/projects/-home-dev-work-orders/memory/db.md")},
		{"Read", `{"file_path":"C:\\repo\\web\\..\\AGENTS.md"}`, read("file", `C:\repo\AGENTS.md`)},
		{"Read", `{"file_path":"/home/dev/.claude/projects/-home-dev-memory/a.txt"}`, nil},
		{"Read", `{"file_path":"/home/dev/.claude/projects/-home/x/memory/a.txt"}`, nil},
		{"Read", `{"file_path":"./docs/../CLAUDE.md"}`, read("file", "/repo/CLAUDE.md")},
		// The same by a shell.
		{"Bash", `{"command":"cat CLAUDE.md"}`, read("file", "/repo/CLAUDE.md")},
		{"Bash", `{"command":"cd web && head -50 AGENTS.md | grep -n 'x > y'"}`, read("file", "/repo/web/AGENTS.md")},
		{"shell", `{"command":["bash","-lc","sed -n '1,200p' AGENTS.md"],"workdir":"/repo/api"}`, read("file", "/repo/api/AGENTS.md")},
		{"exec_command", `"{\"cmd\":\"cat AGENTS.md\"}"`, read("file", "/repo/AGENTS.md")},
		{"shell", `{"command":["cat","AGENTS.md"]}`, read("file", "/repo/AGENTS.md")},
		{"Bash", `{"command":"cat >> CLAUDE.md <<'EOF'\ncat AGENTS.md\nEOF"}`, write("file", "/repo/CLAUDE.md")},
		{"run_shell_command", `{"command":"echo \"use tabs\" | tee -a GEMINI.md"}`, write("file", "/repo/GEMINI.md")},
		{"Bash", `{"command":"sed -i s/a/b/ CLAUDE.md AGENTS.md"}`, write("file", "/repo/CLAUDE.md", "/repo/AGENTS.md")},
		// Calls that are about something else.
		{"Bash", `{"command":"git add CLAUDE.md"}`, nil},
		{"Bash", `{"command":"git commit -m 'docs; cat CLAUDE.md'"}`, nil},
		{"Bash", `{"command":"cat README.md"}`, nil},
		{"Bash", `{"command":"echo CLAUDE.md > list.txt"}`, nil},
		{"Edit", `{"file_path":"/repo/memory.go"}`, nil},
		{"Read", `{"file_path":"/repo/README.md"}`, nil},
		{"memory", `{}`, nil},
		{"get_memory_usage_of_process", `"no object"`, nil},
		{"get_memory_usage", `{"pid":3}`, nil},
		{"free_memory", `{"bytes":3}`, nil},
		{"mcp__github__search_issues", `{"query":"memory"}`, nil},
		{"search", `{"path":"/repo/CLAUDE.md"}`, nil},
		{"mcp__charts__read_graph", `{"id":"sales"}`, nil},
		{"mcp__charts__read_graph", `{}`, nil},
		{"mcp__charts__create_entities", `{"entities":[{"name":"bar","color":"red"}]}`, nil},
		{"mcp__charts__create_entities", `{"entities":["bar"]}`, nil},
		{"mcp__charts__create_relations", `{"relations":[]}`, nil},
		{"mcp__n8n__search_nodes", `{"query":"slack"}`, nil},
		{"n8n_search_nodes", `{"query":"slack"}`, nil},
		{"read_graph", `{"file":"sales.dot"}`, nil},
		{"memory_profile", `{"pid":3}`, nil},
		{"mcp__profiler__memory_profile", `{"pid":3}`, nil},
		{"tool_call", `{"arguments":{"query":"slack"},"name":"mcp__n8n__search_nodes"}`, nil},
		{"tool_call", `{"arguments":7,"name":"mcp__memory__read_graph"}`, nil},
		{"use_mcp_tool", `{"server_name":"memory","tool_name":"open_nodes","arguments":"{"}`, nil},
		{"mcp_", `{}`, nil},
		{"mcp-", `{}`, nil},
		{"_read_graph", `{}`, nil},
		{"", `{}`, nil},
	}
	repo := &core.Project{Cwd: "/repo"}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var doc jsondoc.Doc
			if _, err := doc.Parse([]byte(tc.args)); err != nil {
				t.Fatal(err)
			}
			got := memory.OfCall(&core.ToolCall{Name: tc.name, Args: core.RawValue(doc.Root())}, repo)
			for i := range got {
				if isEdit := got[i].Action == core.MemoryWrite && strings.Contains(tc.args, `_path"`); (got[i].Text == "") != isEdit {
					t.Errorf("%s: text %q", tc.args, got[i].Text)
				}
				got[i].Text = ""
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.args, diff)
			}
		})
	}
	if diff := cmp.Diff([]core.MemoryAccess{{Action: core.MemoryWrite, Store: "memory", Text: "save_memory"}}, memory.OfCall(&core.ToolCall{Name: "save_memory"}, nil)); diff != "" {
		t.Errorf("without arguments (-want +got):\n%s", diff)
	}
}

// TestText wants the words of the call, each memory with its own.
func TestText(t *testing.T) {
	long := strings.Repeat("é", 20_000)
	for _, tc := range []struct {
		name, args string
		want       []string
	}{
		{"save_memory", `{"fact": "likes tabs"}`, []string{`{"fact":"likes tabs"}`}},
		{"save_memory", `"{\"fact\": \"likes tabs\"}"`, []string{`{"fact": "likes tabs"}`}},
		{"create_entities", `{"entities":[{"name":"A","entityType":"a"}, {"name": "B", "entityType":"b"}]}`, []string{`{"name":"A","entityType":"a"}`, `{"name":"B","entityType":"b"}`}},
		{"Read", `{"file_path":"/a/CLAUDE.md"}`, []string{`{"file_path":"/a/CLAUDE.md"}`}},
		{"Write", `{"file_path":"/a/CLAUDE.md"}`, []string{""}},
		{"mcp__files__write_file", `{"path":"/a/CLAUDE.md"}`, []string{`{"path":"/a/CLAUDE.md"}`}},
		{"mcp__files__write_file", `{"path":"/a/CLAUDE.md","content":"x"}`, []string{""}},
		{"mcp__files__edit_file", `{"path":"/a/CLAUDE.md","edits":[{"oldText":"a","newText":"b"}]}`, []string{""}},
		{"mcp__desk__edit_block", `{"path":"/a/CLAUDE.md"}`, []string{""}},
		{"mcp_files_edit_file", `{"path":"/a/CLAUDE.md"}`, []string{`{"path":"/a/CLAUDE.md"}`}},
		{"save_memory", `{"fact":"` + long + `"}`, []string{(`{"fact":"` + long)[:16<<10-1]}},
	} {
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(tc.args)); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range memory.OfCall(&core.ToolCall{Name: tc.name, Args: core.RawValue(doc.Root())}, nil) {
			got = append(got, a.Text)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.args, diff)
		}
	}
}

// TestOfEdit wants an edit and a read of the same file to have the same key.
func TestOfEdit(t *testing.T) {
	for _, tc := range []struct{ file, cwd, want string }{
		{"CLAUDE.md", "/repo", "/repo/CLAUDE.md"},
		{"/repo/CLAUDE.md", "/other", "/repo/CLAUDE.md"},
		{"../AGENTS.md", "/repo/api", "/repo/AGENTS.md"},
		{"AGENTS.md", `C:\repo`, `C:\repo\AGENTS.md`},
		{`C:\repo\AGENTS.md`, `C:\repo`, `C:\repo\AGENTS.md`},
		{"~/.claude/CLAUDE.md", "/repo", "~/.claude/CLAUDE.md"},
		{"AGENTS.md", "", "AGENTS.md"},
		{"main.go", "/repo", ""},
	} {
		got, ok := memory.OfEdit(tc.file, &core.Project{Cwd: tc.cwd})
		if ok != (tc.want != "") || got.Key != tc.want || ok && (got.Store != memory.Files || got.Action != core.MemoryWrite) {
			t.Errorf("%s in %s: %+v, %t, want %s", tc.file, tc.cwd, got, ok, tc.want)
		}
	}
}

// BenchmarkOfCall is what it costs to see that a call is about something else.
func BenchmarkOfCall(b *testing.B) {
	for _, tc := range []struct{ name, args string }{
		{"Edit", `{"file_path":"/home/dev/project/internal/store/open.go","old_string":"a","new_string":"b"}`},
		{"Bash", `{"command":"go test ./... 2>&1 | tail -20","description":"Run the tests"}`},
		{"Bash", `{"command":"sed -n '1,80p' docs/design.md | head -20","description":"Read"}`},
		{"exec_command", `"{\"cmd\":\"go test ./... 2>&1 | tail -20\"}"`},
	} {
		b.Run(tc.name, func(b *testing.B) {
			var doc jsondoc.Doc
			if _, err := doc.Parse([]byte(tc.args)); err != nil {
				b.Fatal(err)
			}
			call := core.ToolCall{Name: tc.name, Args: core.RawValue(doc.Root())}
			b.ReportAllocs()
			for b.Loop() {
				if memory.OfCall(&call, nil) != nil {
					b.Fatal("it is about a memory")
				}
			}
		})
	}
}
