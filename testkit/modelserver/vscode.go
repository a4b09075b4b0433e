package modelserver

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// inEditor says an op in words that only Copilot Chat has; false is one for which it
// has the same as others.
func (v *vocabulary) inEditor(op *script.Op) ([]call, bool) {
	switch {
	case v.has("apply_patch") && changesFiles(op.Kind):
		return v.patchInEditor(op), true
	case v.has("multi_replace_string_in_file") && (op.Kind == script.MultiEdit || op.Kind == script.Patch):
		return v.replacements(op), true
	case v.has("manage_todo_list") && op.Kind == script.Todo:
		return v.list(op), true
	case v.has("create_file") && op.Kind == script.Write:
		was, err := os.ReadFile(v.full(op.Path))
		if err != nil || v.has("create") {
			return nil, false
		}
		return v.plain(&script.Op{Kind: script.Edit, Path: op.Path, Old: string(was), New: op.Content}), true // it creates only
	}
	return nil, false
}

// patchInEditor is a patch, whose files have their full paths.
func (v *vocabulary) patchInEditor(op *script.Op) []call {
	lines, paths := v.patch(op)
	for i, l := range lines {
		for _, mark := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "} {
			if name, ok := strings.CutPrefix(l, mark); ok {
				lines[i] = mark + v.full(name)
			}
		}
	}
	in := object{"input": "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch", "explanation": "Update"}
	return []call{{name: "apply_patch", input: in, kind: op.Kind, paths: paths}}
}

// replacements are changes of several files in one call.
func (v *vocabulary) replacements(op *script.Op) []call {
	var all []object
	var paths []string
	for _, c := range op.Edits {
		file := cmp.Or(c.Path, op.Path)
		all = append(all, object{"filePath": v.full(file), "oldString": c.Old, "newString": c.New})
		if !slices.Contains(paths, file) {
			paths = append(paths, file)
		}
	}
	in := object{"explanation": "Update", "replacements": all}
	return []call{{name: "multi_replace_string_in_file", input: in, kind: op.Kind, paths: paths}}
}

func (v *vocabulary) list(op *script.Op) []call {
	var items []object
	for i, item := range op.Items {
		state := "not-started"
		if i == 0 {
			state = "in-progress"
		}
		items = append(items, object{"id": i + 1, "title": item, "status": state})
	}
	return []call{{name: "manage_todo_list", input: object{"todoList": items}, kind: op.Kind}}
}
