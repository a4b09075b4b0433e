package modelserver

import (
	"encoding/json"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// served finds a tool of a server, by the names that clients make of both.
func (v *vocabulary) served(op *script.Op) (string, bool) {
	for _, before := range []string{"mcp__" + op.Server + "__", "mcp_" + op.Server + "_", op.Server + "__", op.Server + "_", op.Server + "-", ""} {
		for _, name := range []string{before + op.Tool, before + strings.ReplaceAll(op.Tool, "-", "_")} {
			if v.has(name) || v.play.found[name] {
				return name, true
			}
		}
	}
	return "", false
}

// search looks for tools that the client describes by their names alone, where
// it has such.
func (v *vocabulary) search(op *script.Op) []call {
	asked, direct := "ToolSearch", true
	if !v.has(asked) {
		asked, direct = "tool_search", false // then called by way of another tool
	}
	if !v.has(asked) {
		return nil
	}
	var names []string
	for _, item := range op.Items {
		name := item
		if server, tool, ok := strings.Cut(item, "/"); ok {
			name = "mcp__" + server + "__" + tool
		}
		if !v.has(name) {
			names = append(names, name)
			v.play.found[name] = direct
		}
	}
	if len(names) == 0 {
		return nil
	}
	in := object{"query": "select:" + strings.Join(names, ","), "max_results": len(names)}
	return []call{{name: asked, input: in, kind: op.Kind}}
}

// searchByCodex does so in the words of Codex: it learns of the tools that were
// found.
func (v *vocabulary) searchByCodex(op *script.Op) (string, object) {
	if !v.has("tool_search") {
		return "", nil
	}
	query := strings.NewReplacer("/", " ", "_", " ").Replace(strings.Join(op.Items, " "))
	return "tool_search", object{"type": "tool_search_call", "execution": "client", "arguments": object{"query": query, "limit": 20}}
}

// servedToCodex is a call of a tool of a server.
func (v *vocabulary) servedToCodex(op *script.Op) (string, object) {
	var args object
	if json.Unmarshal(v.filled(op.Input), &args) != nil {
		return "", nil
	}
	if name, ok := v.served(op); ok {
		return name, v.function(name, args)
	}
	if v.has("exec") && !v.hasShell() {
		name := "mcp__" + op.Server + "__" + strings.ReplaceAll(op.Tool, "-", "_")
		return "exec", custom("exec", "const r = await tools."+name+"("+asText(args)+");\ntext(r);\n")
	}
	return "", nil
}

// throughAnother is a call of a tool that the client keeps from the model: it is
// made by way of one that takes its name.
func (v *vocabulary) throughAnother(name string, op *script.Op) []call {
	if direct, ok := v.play.found[name]; !ok || direct || !v.has("tool_call") {
		return nil
	}
	in := object{"name": name, "arguments": v.filled(op.Input)}
	return []call{{name: "tool_call", input: in, kind: op.Kind, paths: changedBy(op)}}
}

// filled is an input with the work tree in place of "{work}".
func (v *vocabulary) filled(input json.RawMessage) json.RawMessage {
	if len(input) == 0 {
		return json.RawMessage("{}")
	}
	return json.RawMessage(strings.ReplaceAll(string(input), "{work}", v.work))
}

// changedBy are the files that a call of a server's tool is to change.
func changedBy(op *script.Op) []string {
	var all []string
	for _, p := range []string{op.Path, op.To} {
		if p != "" {
			all = append(all, p)
		}
	}
	return all
}
