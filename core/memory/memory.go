// Package memory tells the calls by which an agent writes to a memory of its own
// or reads from one.
//
// Such a call is known by its name and its arguments: those of the memory servers
// that are common, of the tools that clients have for it, and of any tool that
// reads or edits a file which agents are given at the start of a session, a
// shell among them. Store and key are the same for a read and for the write that
// planted what is read.
package memory

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// OfCall is what a call does to a memory; nothing, if it is about something else.
// A file that it names is looked for in the project's working folder.
func OfCall(call *core.ToolCall, p *core.Project) []core.MemoryAccess {
	given := arguments{args: call.Args.Value()}
	named := isNamed(call.Name)
	if given.args.Kind() == jsondoc.String {
		if !named && !mayName(given.args.Body()) || !given.open() {
			return nil
		}
	}
	if named {
		if all := ofMemoryCall(call.Name, &given); all != nil {
			return all
		}
	}
	return ofFileCall(call.Name, &given, p)
}

// isNamed reports whether a name may be one of a tool that is about memories.
func isNamed(name string) bool {
	for _, part := range [...]string{"mem", "recall", "forget", "zep", "letta", "_entities", "_relations", "_observations", "_graph", "_nodes"} {
		if contains(name, part) {
			return true
		}
	}
	return false
}

// contains is [strings.Contains] whatever the case of s is.
func contains(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

func ofMemoryCall(name string, given *arguments) []core.MemoryAccess {
	server, tool := split(name)
	words := wordsOf(tool)
	a := core.MemoryAccess{Action: graphAction(tool), Store: storeName(server, "memory")}
	if a.Action == "" {
		if !isMemory(server) && !has(words, "memory", "memories") && !alone(words) || isRAM(words) {
			return nil
		}
		if a.Action = action(words, given.args); a.Action == "" {
			return nil
		}
	}
	return given.accesses(a, name)
}

// wordsOf takes the name of a tool apart.
func wordsOf(tool string) []string {
	return strings.FieldsFunc(snake(tool), func(r rune) bool { return r == '_' })
}

// arguments are those of a call.
type arguments struct {
	args   jsondoc.Value
	doc    jsondoc.Doc // of arguments that are JSON in a string
	quoted string      // that string
}

// open reads arguments that are JSON in a string, and reports whether they are.
func (g *arguments) open() bool {
	text := g.args.AppendStr(nil)
	n, err := g.doc.Parse(text)
	g.args, g.quoted = g.doc.Root(), string(text)
	return err == nil && n == len(text)
}

// maxText is how much is kept of what a call says of a memory, and maxKey how
// long a key may be.
const (
	maxText = 16 << 10
	maxKey  = 1024
)

// verbatim is a value as the events of the call have it.
func (g *arguments) verbatim(v jsondoc.Value) string {
	if g.quoted != "" {
		return cut(string(v.Raw()), maxText)
	}
	return cut(string(v.AppendCompact(nil)), maxText)
}

// whole is all of them, or, without any, the name of the call.
func (g *arguments) whole(name string) string {
	switch {
	case g.quoted != "":
		return cut(g.quoted, maxText)
	case g.args.Exists():
		return g.verbatim(g.args)
	}
	return name
}

// accesses are an access for each memory that the arguments name; one to the
// whole store, if they name none.
func (g *arguments) accesses(a core.MemoryAccess, name string) []core.MemoryAccess {
	for _, member := range [...]string{
		"key", "id", "memory_id", "memoryId", "name", "title", "memory_file_name", "memory_name", "path", "old_path", "file_path",
		"identifier", "topic", "entityName", "user_id",
	} {
		if key := g.args.Get(member).Str(); key != "" {
			a.Key, a.Text = cut(key, maxKey), g.whole(name)
			return []core.MemoryAccess{a}
		}
	}
	var all []core.MemoryAccess
	for _, list := range [...]string{"names", "entities", "entityNames", "observations", "deletions", "relations"} {
		for e := range g.args.Get(list).Elems() {
			for _, key := range [...]string{e.Str(), e.Get("name").Str(), e.Get("entityName").Str(), e.Get("from").Str()} {
				if key != "" {
					a.Key, a.Text = cut(key, maxKey), g.verbatim(e)
					all = append(all, a)
					break
				}
			}
		}
	}
	if all == nil {
		a.Text = g.whole(name)
		all = []core.MemoryAccess{a}
	}
	return all
}

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
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

// isRAM reports whether a tool is about the memory of a machine.
func isRAM(words []string) bool {
	return has(words, "usage", "leak", "leaks", "heap", "process", "limit", "limits", "profile", "dump", "snapshot", "bytes", "address")
}

// isMemory reports whether a server keeps memories, by its name.
func isMemory(server string) bool {
	words := strings.FieldsFunc(snake(server), func(r rune) bool { return r == '_' || r == '.' })
	return has(words, "memory", "memories", "mem0", "openmemory", "supermemory", "memorybank", "memento", "zep", "letta")
}

// graphAction knows the tools of the reference server for memories, whatever it is
// called.
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
func action(words []string, args jsondoc.Value) core.MemoryAction {
	for _, list := range [][]string{words, wordsOf(args.Get("command").Str()), wordsOf(args.Get("action").Str())} {
		for _, w := range list {
			for _, v := range verbs() {
				if w == v.word || w == "str" && v.word == "edit" || w == "memorize" && v.word == "save" {
					return v.kind
				}
			}
		}
	}
	return ""
}

func storeName(server, otherwise string) string {
	if server == "" {
		return otherwise
	}
	return server
}
