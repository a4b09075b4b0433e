// Package memory recognises the tool calls with which an agent reads or writes its
// own memory.
//
// Such a call is known by its name and its arguments: those of the memory servers
// that are common, of the tools that clients have for it, and of any tool that
// reads or edits a file which agents are given at the start of a session, a
// shell among them. Store and key are the same for a read and for the write that
// planted what is read.
//
// Examples, as name and arguments of the call, and what they are found to do:
//
//	mcp__memory__create_entities {"entities":[{"name":"db",…}]}   write memory  db
//	mcp_mem0_search {"query":"db"}                                read  mem0    (all of it)
//	Read {"file_path":"/w/app/CLAUDE.md"}                         read  file    /w/app/CLAUDE.md
//	Bash {"command":"echo 'Use UTC' >> AGENTS.md"}                write file    /w/app/AGENTS.md
//	get_memory_usage {}                                           nothing: a machine's memory
//
// What is found is evidence of how a memory came to an agent, so that a call that is
// missed loses a link, and one that is found wrongly claims a memory that there is not.
// Where a name is not clear, nothing is found: a tool named "save" alone, a server
// named "graph", words such as heap or usage beside "memory". A server is known by its
// name; one that is named after nothing in the lists is missed.
//
// The cost is bounded: texts by maxText, keys by maxKey; arguments that are a string
// are only parsed where a name or a file in them may be a memory's.
//
// Names of the tool "search" of a server mem0, as clients write them:
//
//	mcp__mem0__search    Claude Code, Codex, Qwen Code
//	mcp_mem0_search      Gemini CLI
//	mcp-mem0-search      Cursor
//	mem0_search          OpenCode
//	mem0-search          Copilot
//
// The store has one name for all of them, so that a read by one client finds the write by
// another; memory-bank, memory_bank and MemoryBank are one store.
package memory

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// OfCall returns what a call does to a memory; nothing, if it is about something else.
// A file that it names is looked for in the project's working folder.
// The order is that of the arguments. Text is what the call says, cut at maxText bytes.
func OfCall(call *core.ToolCall, p *core.Project) []core.MemoryAccess {
	given := arguments{args: call.Args.Value()}
	wraps := isWrapper(call.Name)
	if given.args.Kind() == jsondoc.String {
		if !wraps && !isNamed(call.Name) && !mayName(given.args.Body()) || !given.open() {
			return nil
		}
	}
	name := call.Name
	if wraps {
		name = inner(name, &given)
	}
	if isNamed(name) {
		if all := ofMemoryCall(name, &given); all != nil {
			return all
		}
	}
	return ofFileCall(name, &given, p)
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

// ofMemoryCall returns what a call to a memory server or tool reads or writes; nil
// if it is no such call.
func ofMemoryCall(name string, given *arguments) []core.MemoryAccess {
	server, tool := split(name)
	words := wordsOf(tool)
	k, ok := known(server, tool, given.args)
	a := core.MemoryAccess{Action: k.action, Store: cmp.Or(storeName(server), k.store, "memory")}
	if ok {
		return given.accesses(a, name)
	}
	if !isMemory(server) && !has(words, "memory", "memories") && !alone(words) || isRAM(words) {
		return nil
	}
	if a.Action = action(words, given.args); a.Action == "" {
		return nil
	}
	return given.accesses(a, name)
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

// verbatim returns a value as the events of the call have it.
func (g *arguments) verbatim(v jsondoc.Value) string {
	if g.quoted != "" {
		return cut(string(v.Raw()), maxText)
	}
	return cut(string(v.AppendCompact(nil)), maxText)
}

// whole returns all of them, or, without any, the name of the call.
func (g *arguments) whole(name string) string {
	switch {
	case g.quoted != "":
		return cut(g.quoted, maxText)
	case g.args.Exists():
		return g.verbatim(g.args)
	}
	return name
}

// accesses returns an access for each memory that the arguments name; one to the
// whole store, if they name none.
func (g *arguments) accesses(a core.MemoryAccess, name string) []core.MemoryAccess {
	if file := g.member("fileName"); file != "" && g.member("projectName") != "" { // of a memory bank
		a.Key, a.Text = cut(g.member("projectName")+"/"+file, maxKey), g.whole(name)
		return []core.MemoryAccess{a}
	}
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
			a.Text = g.verbatim(e)
			for _, key := range keysOf(e) {
				a.Key = cut(key, maxKey)
				all = append(all, a)
			}
		}
	}
	if all == nil {
		a.Text = g.whole(name)
		all = []core.MemoryAccess{a}
	}
	return all
}

// keysOf returns the memories that one of a list is about: a relation is about both
// that it ties.
func keysOf(e jsondoc.Value) []string {
	if from, to := e.Get("from").Str(), e.Get("to").Str(); from != "" && to != "" && from != to {
		return []string{from, to}
	}
	if key := cmp.Or(e.Str(), e.Get("name").Str(), e.Get("entityName").Str(), e.Get("from").Str()); key != "" {
		return []string{key}
	}
	return nil
}

// cut returns s up to most bytes, at a border between characters.
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

// verbs lists the verbs in names of tools and what they do to a memory. What deletes is
// a write: it changes what is read later.
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

// action returns what the words of a name, or a command among the arguments, say.
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
