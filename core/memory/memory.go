// Package memory tells the calls by which an agent writes to a memory of its own
// or reads from one.
//
// Such a call is known by its name and its arguments: those of the memory servers
// that are common, of the tools that clients have for it, and of any tool that
// reads or edits a file which agents are given at the start of a session. Store
// and key are the same for a read and for the write that planted what is read.
package memory

import (
	"path"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Files is the store of the files that agents are given.
const Files = "file"

// OfFile reports whether a file is one that agents are given as their memory. Its
// key is its path.
func OfFile(name string) (key string, ok bool) {
	slashed := strings.ReplaceAll(name, `\`, "/")
	base := path.Base(slashed)
	switch strings.ToLower(base) {
	case "claude.md", "claude.local.md", "agents.md", "agents.override.md", "agent.md", "gemini.md", "qwen.md", "memory.md", "memories.md",
		".cursorrules", ".windsurfrules", ".clinerules", ".goosehints", "copilot-instructions.md", "global_rules.md":
		return name, true
	}
	for _, folder := range folders() {
		if strings.Contains("/"+slashed, folder) {
			return name, true
		}
	}
	return "", false
}

// folders hold memories, and nothing else.
func folders() []string {
	return []string{
		"/.claude/memory/", "/.claude/agent-memory/", "/.claude/agent-memory-local/", "/.claude/rules/", "/.cursor/rules/", "/.windsurf/rules/",
		"/.clinerules/", "/.roo/rules/", "/memory-bank/", "/.serena/memories/", "/.codex/memories/", "/.github/instructions/", "/.gemini/memory/",
	}
}

// verb is what a name says is done.
type verb struct {
	word string
	kind core.MemoryAction
}

func verbs() []verb {
	w, r := core.MemoryWrite, core.MemoryRead
	return []verb{
		{"save", w},
		{"store", w},
		{"write", w},
		{"add", w},
		{"create", w},
		{"update", w},
		{"remember", w},
		{"delete", w},
		{"forget", w},
		{"edit", w},
		{"insert", w},
		{"upsert", w},
		{"put", w},
		{"append", w},
		{"set", w},
		{"rename", w},
		{"import", w},
		{"clear", w},
		{"read", r},
		{"get", r},
		{"search", r},
		{"recall", r},
		{"retrieve", r},
		{"list", r},
		{"query", r},
		{"find", r},
		{"load", r},
		{"open", r},
		{"view", r},
		{"fetch", r},
		{"show", r},
	}
}

// OfCall tells what a call does to a memory; ok is false if it is about something
// else. args are its arguments, an object.
func OfCall(name string, args jsondoc.Value) (a core.MemoryAccess, ok bool) {
	server, tool := split(name)
	words := strings.FieldsFunc(snake(tool), func(r rune) bool { return r == '_' })
	switch {
	case isGraph(tool):
		a = core.MemoryAccess{Action: graphAction(tool), Store: storeName(server, "memory"), Key: keyOf(args)}
	case isMemory(server) || has(words, "memory", "memories") || alone(words):
		kind, known := action(words, args)
		if !known {
			return core.MemoryAccess{}, false
		}
		a = core.MemoryAccess{Action: kind, Store: storeName(server, "memory"), Key: keyOf(args)}
	default:
		return ofFileCall(words, args)
	}
	return a, true
}

// Mark says on a call what it does to a memory.
func Mark(call *core.ToolCall) {
	var doc jsondoc.Doc // of arguments that are JSON in a string
	args := call.Args.Value()
	if args.Kind() == jsondoc.String {
		text := args.AppendStr(nil)
		if n, err := doc.Parse(text); err != nil || n != len(text) {
			return
		}
		args = doc.Root()
	}
	if a, ok := OfCall(call.Name, args); ok {
		call.Memory = &a
	}
}

// split takes apart the name of a tool of a server: mcp__server__tool, as most
// clients write it, server.tool, server/tool.
func split(name string) (server, tool string) {
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if server, tool, ok = strings.Cut(rest, "__"); ok {
			return server, tool
		}
		return "", rest
	}
	for _, between := range []string{"__", ".", "/", ":"} {
		if server, tool, ok := strings.Cut(name, between); ok && server != "" && tool != "" {
			return server, tool
		}
	}
	return "", name
}

// snake writes saveMemory and save-memory as save_memory.
func snake(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				b.WriteByte('_')
			}
			b.WriteByte(c + 'a' - 'A')
		case c == '-' || c == ' ':
			b.WriteByte('_')
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func has(words []string, any ...string) bool {
	for _, w := range words {
		if slices.Contains(any, w) {
			return true
		}
	}
	return false
}

// alone reports whether a tool has no other name than what one does to a memory.
func alone(words []string) bool {
	return len(words) == 1 && (words[0] == "remember" || words[0] == "recall" || words[0] == "forget" || words[0] == "memorize")
}

// isMemory reports whether a server keeps memories, by its name.
func isMemory(server string) bool {
	words := strings.FieldsFunc(snake(server), func(r rune) bool { return r == '_' || r == '.' })
	return has(words, "memory", "memories", "mem0", "openmemory", "supermemory", "basic-memory", "memorybank", "memento", "zep", "letta")
}

// isGraph knows the tools of the reference server for memories, whatever it is
// called.
func isGraph(tool string) bool { return graphAction(tool) != "" }

func graphAction(tool string) core.MemoryAction {
	switch tool {
	case "create_entities", "create_relations", "add_observations", "delete_entities", "delete_observations", "delete_relations":
		return core.MemoryWrite
	case "read_graph", "search_nodes", "open_nodes":
		return core.MemoryRead
	}
	return ""
}

// action is what the words of a name, or a command among the arguments, say.
func action(words []string, args jsondoc.Value) (core.MemoryAction, bool) {
	for _, list := range [][]string{words, strings.Split(snake(args.Get("command").Str()), "_"), strings.Split(snake(args.Get("action").Str()), "_")} {
		for _, w := range list {
			for _, v := range verbs() {
				if w == v.word || w == "str" && v.word == "edit" || w == "memorize" && v.word == "save" {
					return v.kind, true
				}
			}
		}
	}
	return "", false
}

func storeName(server, otherwise string) string {
	if server == "" {
		return otherwise
	}
	return server
}

// keyOf is the argument that says which memory is meant; "" is all of them.
func keyOf(args jsondoc.Value) string {
	for _, name := range []string{"key", "id", "memory_id", "memoryId", "name", "title", "memory_file_name", "memory_name", "path", "old_path", "file_path", "identifier", "topic", "entityName", "user_id"} {
		if key := args.Get(name).Str(); key != "" {
			return cut(key)
		}
	}
	for _, list := range []string{"names", "entities", "entityNames", "observations"} {
		for e := range args.Get(list).Elems() {
			for _, key := range []string{e.Str(), e.Get("name").Str(), e.Get("entityName").Str()} {
				if key != "" {
					return cut(key)
				}
			}
		}
	}
	return ""
}

// maxKey is how long a key may be.
const maxKey = 1024

func cut(key string) string {
	if len(key) > maxKey {
		return strings.ToValidUTF8(key[:maxKey], "")
	}
	return key
}

// ofFileCall tells reads and edits of the files that are memories.
func ofFileCall(words []string, args jsondoc.Value) (core.MemoryAccess, bool) {
	var kind core.MemoryAction
	switch {
	case has(words, "write", "edit", "multiedit", "replace", "create", "update", "insert", "apply", "patch"):
		kind = core.MemoryWrite
	case has(words, "read", "view", "open", "cat", "get"):
		kind = core.MemoryRead
	default:
		return core.MemoryAccess{}, false
	}
	for _, name := range []string{"file_path", "path", "filePath", "absolute_path", "filename", "target_file", "notebook_path"} {
		if key, ok := OfFile(args.Get(name).Str()); ok {
			return core.MemoryAccess{Action: kind, Store: Files, Key: cut(key)}, true
		}
	}
	return core.MemoryAccess{}, false
}
