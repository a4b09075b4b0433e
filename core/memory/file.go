package memory

import (
	"bytes"
	"path"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Files is the store of the files that agents are given.
const Files = "file"

// OfFile reports whether a file is one that agents are given as their memory.
// The case of a name does not matter, that of a folder does.
func OfFile(name string) bool {
	slashed := strings.ReplaceAll(name, `\`, "/")
	base := slashed[strings.LastIndexByte(slashed, '/')+1:]
	for _, known := range [...]string{
		"claude.md", "claude.local.md", "agents.md", "agents.override.md", "agent.md", "gemini.md", "qwen.md", "memory.md", "memories.md",
		".cursorrules", ".windsurfrules", ".clinerules", ".goosehints", "copilot-instructions.md", "global_rules.md",
	} {
		if len(base) == len(known) && strings.EqualFold(base, known) {
			return true
		}
	}
	if !strings.Contains(slashed, "/.") && slashed[:min(1, len(slashed))] != "." && !strings.Contains(slashed, "memory-bank/") {
		return false
	}
	for _, folder := range [...]string{ // hold memories, and nothing else
		"/.claude/memory/", "/.claude/agent-memory/", "/.claude/agent-memory-local/", "/.claude/rules/", "/.cursor/rules/", "/.windsurf/rules/",
		"/.clinerules/", "/.roo/rules/", "/memory-bank/", "/.serena/memories/", "/.codex/memories/", "/.github/instructions/", "/.gemini/memory/",
		"/.qwen/memories/", "/.codeium/windsurf/memories/",
	} {
		if strings.Contains(slashed, folder) || strings.HasPrefix(slashed, folder[1:]) {
			return true
		}
	}
	for _, projects := range [...]string{"/.claude/projects/", "/.gemini/tmp/", "/.qwen/projects/"} { // keep one folder of them for each
		if _, rest, ok := strings.Cut(slashed, projects); ok {
			_, rest, _ = strings.Cut(rest, "/")
			return strings.HasPrefix(rest, "memory/")
		}
	}
	return false
}

// OfEdit returns what an edit of a file does to a memory; ok is false if the file is
// none.
func OfEdit(file string, p *core.Project) (a core.MemoryAccess, ok bool) {
	if !OfFile(file) {
		return a, false
	}
	return core.MemoryAccess{Action: core.MemoryWrite, Store: Files, Key: fileKey(file, p)}, true
}

// fileKey returns the path of a file, whole as far as the project says where it is: it
// is the same for whoever reads or edits it.
func fileKey(file string, p *core.Project) string {
	slashed := strings.ReplaceAll(file, `\`, "/")
	absolute := strings.HasPrefix(slashed, "/") || strings.HasPrefix(slashed, "~") || len(slashed) > 1 && slashed[1] == ':'
	switch {
	case absolute && strings.Contains(slashed, "/."):
		clean := path.Clean(slashed)
		if !strings.Contains(file, "/") {
			clean = strings.ReplaceAll(clean, "/", `\`)
		}
		return cut(clean, maxKey)
	case absolute || p == nil || p.Cwd == "":
		return cut(file, maxKey)
	}
	if !strings.Contains(p.Cwd, "/") && strings.Contains(p.Cwd, `\`) {
		return cut(strings.TrimRight(p.Cwd, `\`)+`\`+strings.ReplaceAll(path.Clean(slashed), "/", `\`), maxKey)
	}
	return cut(path.Join(p.Cwd, slashed), maxKey)
}

// mayName reports whether arguments that are a string may name a file that is a
// memory: to read every string as JSON would cost more.
func mayName(body []byte) bool {
	for _, part := range [...]string{".md", ".MD", "rules", "hints", "memor"} {
		if bytes.Contains(body, []byte(part)) {
			return true
		}
	}
	return false
}

// isShell reports whether a tool runs commands, by its name.
func isShell(name string) bool {
	for _, part := range [...]string{"bash", "shell", "exec", "command", "terminal"} {
		if contains(name, part) {
			return true
		}
	}
	return false
}

// ofFileCall tells reads and edits of the files that are memories. What an edit
// says is left to the edit.
// A member that names another file is passed over.
func ofFileCall(name string, given *arguments, p *core.Project) []core.MemoryAccess {
	if isShell(name) {
		return ofShellCall(name, given, p)
	}
	for _, member := range [...]string{"file_path", "path", "filePath", "absolute_path", "filename", "target_file", "notebook_path"} {
		v := given.args.Get(member)
		if v.Kind() != jsondoc.String {
			continue
		}
		file := v.Str()
		if !OfFile(file) {
			continue
		}
		_, tool := split(name)
		a := core.MemoryAccess{Store: Files, Key: fileKey(file, p)}
		switch words := wordsOf(tool); {
		case has(words, "write", "edit", "multiedit", "replace", "create", "update", "insert", "apply", "patch"):
			a.Action = core.MemoryWrite
			if (strings.HasPrefix(name, "mcp_") || strings.HasPrefix(name, "mcp-")) && !given.tellOfEdit(tool) { // there is no other witness
				a.Text = given.whole(name)
			}
		case has(words, "read", "view", "open", "cat", "get"):
			a.Action, a.Text = core.MemoryRead, given.whole(name)
		default:
			return nil
		}
		return []core.MemoryAccess{a}
	}
	return nil
}

// tellOfEdit reports whether a call is one of a server for files, of whose edits
// adapters tell like of a client's own.
func (g *arguments) tellOfEdit(tool string) bool {
	switch {
	case strings.HasSuffix(tool, "edit_file"):
		for e := range g.args.Get("edits").Elems() {
			return e.Get("oldText").Kind() == jsondoc.String
		}
		return false
	case strings.HasSuffix(tool, "write_file"):
		return g.args.Get("content").Kind() == jsondoc.String
	}
	return strings.HasSuffix(tool, "edit_block")
}
