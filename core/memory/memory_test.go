package memory_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/core/memory"
)

func TestMark(t *testing.T) {
	write := func(store, key string) *core.MemoryAccess {
		return &core.MemoryAccess{Action: core.MemoryWrite, Store: store, Key: key}
	}
	read := func(store, key string) *core.MemoryAccess {
		return &core.MemoryAccess{Action: core.MemoryRead, Store: store, Key: key}
	}
	tests := []struct {
		name, args string
		want       *core.MemoryAccess
	}{
		// Servers that keep memories.
		{"mcp__memory__create_entities", `{"entities":[{"name":"Postgres","entityType":"db"}]}`, write("memory", "Postgres")},
		{"mcp__memory__open_nodes", `{"names":["Postgres"]}`, read("memory", "Postgres")},
		{"mcp__memory__read_graph", `{}`, read("memory", "")},
		{"mcp__kb__add_observations", `{"observations":[{"entityName":"Postgres","contents":["x"]}]}`, write("kb", "Postgres")},
		{"mcp__mem0__add_memory", `{"content":"x","user_id":"me"}`, write("mem0", "me")},
		{"openmemory.search_memory", `{"query":"x"}`, read("openmemory", "")},
		{"mcp__basic-memory__write_note", `{"title":"Plans"}`, write("basic-memory", "Plans")},
		{"mcp__serena__write_memory", `{"memory_file_name":"style.md"}`, write("serena", "style.md")},
		{"mcp__serena__read_memory", `{"memory_file_name":"style.md"}`, read("serena", "style.md")},
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
		{"read_file", `{"path":"GEMINI.md"}`, read("file", "GEMINI.md")},
		{"write_file", `{"absolute_path":"/r/.cursor/rules/a.mdc"}`, write("file", "/r/.cursor/rules/a.mdc")},
		// Calls that are about something else.
		{"Edit", `{"file_path":"/repo/memory.go"}`, nil},
		{"Read", `{"file_path":"/repo/README.md"}`, nil},
		{"Bash", `{"command":"cat CLAUDE.md"}`, nil},
		{"memory", `{}`, nil},
		{"get_memory_usage_of_process", `"no object"`, nil},
		{"free_memory", `{"bytes":3}`, nil},
		{"mcp__github__search_issues", `{"query":"memory"}`, nil},
		{"search", `{"path":"/repo/CLAUDE.md"}`, nil},
		{"", `{}`, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			var doc jsondoc.Doc
			if _, err := doc.Parse([]byte(tc.args)); err != nil {
				t.Fatal(err)
			}
			call := core.ToolCall{Name: tc.name, Args: core.RawValue(doc.Root())}
			memory.Mark(&call)
			if diff := cmp.Diff(tc.want, call.Memory); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.args, diff)
			}
		})
	}
	bare := core.ToolCall{Name: "save_memory"}
	memory.Mark(&bare)
	if diff := cmp.Diff(write("memory", ""), bare.Memory); diff != "" {
		t.Errorf("without arguments (-want +got):\n%s", diff)
	}
}
