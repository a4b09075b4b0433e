package memory

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// split takes apart the name that a client gives to a tool of a server:
// mcp__server__tool (Claude Code, Codex, Qwen Code), mcp_server_tool (Gemini CLI,
// whose servers have no "_" in their names), mcp-server-tool (Cursor), server_tool
// (OpenCode), server-tool (Copilot), server__tool, server.tool, server/tool. The
// server is "" where the name does not say which it is.
func split(name string) (server, tool string) {
	if rest, ok := strings.CutPrefix(name, "mcp__"); ok {
		if server, tool, ok = strings.Cut(rest, "__"); ok {
			return server, tool
		}
		return "", rest
	}
	for _, between := range [...]string{"__", ".", "/", ":"} {
		if server, tool, ok := strings.Cut(name, between); ok && server != "" && tool != "" {
			return server, tool
		}
	}
	if rest, ok := strings.CutPrefix(name, "mcp_"); ok {
		return cutServer(rest, strings.IndexByte(rest, '_'))
	}
	if rest, ok := strings.CutPrefix(name, "mcp-"); ok {
		return cutServer(rest, strings.LastIndexByte(rest, '-'))
	}
	if server, tool := cutServer(name, -1); server != "" {
		return server, tool
	}
	for _, at := range [...]int{strings.LastIndexByte(name, '-'), strings.IndexByte(name, '_')} {
		if at > 0 && isMemory(name[:at]) && !strings.EqualFold(name[:at], "memory") {
			return name[:at], name[at+1:]
		}
	}
	return "", name
}

// cutServer cuts a name before one of the tools that are known, or else at a
// place.
func cutServer(name string, at int) (server, tool string) {
	for _, known := range knownTools() {
		if before, ok := strings.CutSuffix(name, known.name); ok && len(before) > 1 && strings.IndexByte("_-", before[len(before)-1]) >= 0 {
			return before[:len(before)-1], known.name
		}
	}
	if at <= 0 || at+1 == len(name) {
		return "", name
	}
	return name[:at], name[at+1:]
}

// inner returns the call that a call asks its client to make: of a tool of a server, or
// of one that the client keeps from the model until it is needed. Without such, it
// is the call itself.
func inner(name string, given *arguments) string {
	server, tool := "", ""
	switch name {
	case "tool_call": // Qwen Code
		tool = given.member("name")
	case "use_mcp_tool": // Cline
		server, tool = given.member("server_name"), given.member("tool_name")
	case "call_mcp_tool", "CallMcpTool": // Cursor
		server, tool = given.member("server"), given.member("toolName")
	}
	if tool == "" || !given.enter("arguments") {
		return name
	}
	if server != "" {
		return "mcp__" + server + "__" + tool
	}
	return tool
}

// isWrapper reports whether a tool is one by which others are called.
func isWrapper(name string) bool {
	return name == "tool_call" || name == "use_mcp_tool" || name == "call_mcp_tool" || name == "CallMcpTool"
}

// member returns an argument that is text; "" if there is none.
func (g *arguments) member(name string) string { return g.args.Get(name).Str() }

// enter continues with one member of the arguments: an object, or a string with
// JSON in it.
func (g *arguments) enter(name string) bool {
	v := g.args.Get(name)
	if v.Kind() != jsondoc.String {
		if g.quoted != "" {
			g.quoted = string(v.Raw())
		}
		g.args = v
		return v.Kind() == jsondoc.Object
	}
	g.args = v
	return g.open()
}

// storeName returns the name of a store, in the form that all clients' names of its
// server have in common: they write the same one as memory-bank, memory_bank and
// MemoryBank.
func storeName(server string) string {
	var b strings.Builder
	for _, c := range []byte(snake(server)) {
		if c < 0x80 && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
			continue
		}
		b.WriteByte(c)
	}
	return cut(strings.TrimRight(b.String(), "-"), maxKey)
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

// wordsOf takes the name of a tool apart.
func wordsOf(tool string) []string {
	return strings.FieldsFunc(snake(tool), func(r rune) bool { return r == '_' })
}

// has reports whether one of some words is in a list.
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

// isRAM reports whether a tool is about the memory of a machine.
func isRAM(words []string) bool {
	return has(words, "usage", "leak", "leaks", "heap", "process", "limit", "limits", "profile", "dump", "snapshot", "bytes", "address")
}

// isMemory reports whether a server keeps memories, by its name.
func isMemory(server string) bool {
	words := strings.FieldsFunc(snake(server), func(r rune) bool { return r == '_' || r == '.' })
	return has(words, "memory", "memories", "mem0", "openmemory", "supermemory", "memorybank", "memento", "zep", "letta")
}

// keepsKnowledge reports whether a server may keep what an agent learns, by its
// name.
func keepsKnowledge(server string) bool {
	words := strings.FieldsFunc(snake(server), func(r rune) bool { return r == '_' || r == '.' })
	return isMemory(server) || has(words, "knowledge", "kg", "kb", "brain", "notes")
}
