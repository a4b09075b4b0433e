package mcpedits

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// tool is a tool of a server for files, whatever the server is called.
type tool uint8

const (
	none   tool = iota
	edits       // edit_file of the reference server
	writes      // write_file of the reference server, and of Desktop Commander
	blocks      // edit_block of Desktop Commander
	moves       // move_file of both
	reads       // read_text_file and read_file of the reference server
	lists       // those that are about folders
)

// toolOf knows a tool by its name, as clients write it: mcp__files__edit_file (Claude Code, Codex,
// Qwen Code), mcp_files_edit_file (Gemini CLI, VS Code), files_edit_file (OpenCode),
// files-edit_file (Copilot), edit_file (Gemini CLI 0.11). Of the names that clients have for tools
// of their own, which they tell of themselves, it knows only those with a server's name.
func toolOf(name string) tool {
	if len(name) < len("edit_file") || name[len(name)-1] != 'e' && name[len(name)-1] != 'k' && name[len(name)-1] != 'y' {
		return none // almost every call
	}
	for _, known := range [...]struct {
		name string
		tool tool
	}{
		{"edit_file", edits},
		{"write_file", writes},
		{"edit_block", blocks},
		{"move_file", moves},
		{"read_text_file", reads},
		{"read_file", reads},
		{"create_directory", lists},
		{"list_directory", lists},
	} {
		before, ok := strings.CutSuffix(name, known.name)
		if !ok {
			continue
		}
		if before == "" && known.name != "write_file" && known.name != "read_file" || isServer(before) {
			return known.tool
		}
	}
	return none
}

// Follows reports whether a tool is one of a server for files: what its calls do to
// files is followed, and casts no doubt on others.
func Follows(name string) bool { return toolOf(name) != none }

// isServer reports whether the beginning of a tool's name is that of a server which
// may write to the work tree.
func isServer(before string) bool {
	return before != "" && strings.IndexByte("_-./:", before[len(before)-1]) >= 0 && !isElsewhere(before)
}

// isElsewhere reports whether a server has its files on another machine, by its
// name: an edit there is none of the work tree.
func isElsewhere(server string) bool {
	words := strings.FieldsFunc(strings.ToLower(server), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "sandbox", "remote", "ssh", "sftp", "ftp", "e2b", "daytona", "container", "docker", "kubernetes", "k8s", "vm", "s3", "drive", "github", "gitlab":
			return true
		}
		return false
	})
}

// direct is the call of a server's tool that a call is: itself, or the one that
// it asks its client to make. Its arguments may be JSON in a string.
func direct(c *core.ToolCall, doc *jsondoc.Doc) (name string, args jsondoc.Value, ok bool) {
	by := ""
	switch c.Name {
	case "tool_call": // Qwen Code
		by = "name"
	case "use_mcp_tool": // Cline
		by = "tool_name"
	case "call_mcp_tool", "CallMcpTool": // Cursor
		by = "toolName"
	default:
		if toolOf(c.Name) == none {
			return "", args, false
		}
	}
	args, ok = opened(c.Args.Value(), doc)
	if by == "" || !ok {
		return c.Name, args, ok
	}
	name = args.Get(by).Str()
	for _, server := range [...]string{"server_name", "server"} {
		if s := args.Get(server).Str(); s != "" {
			name = s + "__" + name
		}
	}
	if toolOf(name) == none {
		return "", args, false
	}
	args, ok = opened(args.Get("arguments"), doc)
	return name, args, ok
}

// opened is an object, or the one in a string.
func opened(v jsondoc.Value, doc *jsondoc.Doc) (jsondoc.Value, bool) {
	if v.Kind() != jsondoc.String {
		return v, v.Kind() == jsondoc.Object
	}
	text := v.AppendStr(nil)
	n, err := doc.Parse(text)
	return doc.Root(), err == nil && n == len(text) && doc.Root().Kind() == jsondoc.Object
}
