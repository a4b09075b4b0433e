package modelserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// vocabulary says ops in the words of the tools that a request offers.
type vocabulary struct {
	tools map[string]tool
	work  string
	play  *play
}

type property struct {
	Type       any                 `json:"type"`
	Enum       []string            `json:"enum"`
	Const      any                 `json:"const"`
	AnyOf      []property          `json:"anyOf"`
	Properties map[string]property `json:"properties"`
	Items      *property           `json:"items"`
}

// properties reads the schema of a tool's input; of several forms, the first.
func properties(schema json.RawMessage) map[string]property {
	var p property
	if err := json.Unmarshal(schema, &p); err != nil {
		return nil
	}
	if len(p.Properties) == 0 && len(p.AnyOf) > 0 {
		return p.AnyOf[0].Properties
	}
	return p.Properties
}

// toolNames are the names that agents have for the tools of a kind.
func toolNames(k script.Kind) []string {
	switch k {
	case script.Read:
		return []string{"Read", "read_file", "read", "view", "read_files", "file_editor", "ReadFile"}
	case script.Write:
		return []string{"Write", "write_file", "write", "create", "create_file", "editor", "file_editor", "WriteFile"}
	case script.Edit:
		return []string{"Edit", "edit", "replace", "str_replace", "search_replace", "replace_string_in_file", "patch", "editor", "file_editor", "StrReplaceFile"}
	case script.MultiEdit:
		return []string{"MultiEdit"}
	case script.Bash:
		return []string{"Bash", "run_shell_command", "bash", "terminal", "run_commands", "run_in_terminal", "run_terminal_command", "Shell"}
	case script.Task:
		return []string{"Agent", "Task", "agent", "task", "invoke_agent", "delegate_to_agent", "delegate_task", "generalist", "codebase_investigator", "runSubagent", "spawn_subagent"}
	case script.Notebook:
		return []string{"NotebookEdit"}
	default:
		return nil
	}
}

// find returns the tool of a kind that is offered.
func (v *vocabulary) find(k script.Kind) (string, tool, bool) {
	for _, name := range toolNames(k) {
		if t, ok := v.tools[name]; ok {
			return name, t, true
		}
	}
	return "", tool{}, false
}

// set puts a value under the first of several names that the tool has.
func (t tool) set(in object, value any, names ...string) {
	for _, name := range names {
		p, ok := t.properties[name]
		if !ok {
			continue
		}
		if p.Type == "array" {
			value = []any{value}
		}
		in[name] = value
		return
	}
}

// full is the path of a file as it is handed over: the way to it stays as the
// script has it.
func (v *vocabulary) full(name string) string { return v.work + "/" + name }

// calls says an op as calls of functions that take objects.
func (v *vocabulary) calls(op *script.Op) []call {
	if v.asksForPatch(op.Kind) {
		lines, paths := v.patch(op)
		in := object{"patchText": "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch"}
		return []call{{name: "apply_patch", input: in, kind: op.Kind, paths: paths}}
	}
	if v.has("run_in_terminal") {
		if calls, ok := v.inEditor(op); ok {
			return calls
		}
	}
	switch op.Kind {
	case script.MultiEdit:
		if _, _, ok := v.find(script.MultiEdit); ok {
			return v.one(op, object{"file_path": v.full(op.Path), "edits": oldAndNew(op.Edits)}, op.Path)
		}
		return v.each(op.Edits)
	case script.Patch, script.Rename, script.Delete:
		if t := v.tools["patch"]; t.properties["patch"].Type != nil {
			return v.asPatch(op)
		}
		return v.changed(op)
	case script.Todo:
		return v.todo(op)
	case script.Task:
		return v.task(op)
	case script.Notebook:
		if _, _, ok := v.find(script.Notebook); !ok {
			return v.each([]script.Change{{Path: op.Path, Old: op.Old, New: op.New}})
		}
		mode := cmp.Or(op.Mode, "replace")
		in := object{"notebook_path": v.full(op.Path), "cell_id": op.Cell, "new_source": op.Source, "cell_type": "code", "edit_mode": mode}
		return v.one(op, in, op.Path)
	case script.Call:
		if !v.has(op.Tool) && !v.play.found[op.Tool] {
			return v.throughAnother(op.Tool, op)
		}
		return []call{{name: op.Tool, input: v.filled(op.Input), kind: op.Kind}}
	case script.Search:
		return v.search(op)
	case script.Served:
		name, ok := v.served(op)
		if !ok {
			return v.throughAnother("mcp__"+op.Server+"__"+op.Tool, op)
		}
		return []call{{name: name, input: v.filled(op.Input), kind: op.Kind, paths: changedBy(op)}}
	default:
		return v.plain(op)
	}
}

// asksForPatch reports whether an op is one that a patch is to make: where there
// are other tools besides, one that these cannot.
func (v *vocabulary) asksForPatch(k script.Kind) bool {
	if v.tools["apply_patch"].properties["patchText"].Type == nil {
		return false
	}
	if v.has("edit") && v.has("write") {
		return slices.Contains([]script.Kind{script.Patch, script.Rename, script.Delete}, k)
	}
	return changesFiles(k)
}

// changesFiles reports whether an op is one that a patch can make.
func changesFiles(k script.Kind) bool {
	return slices.Contains([]script.Kind{script.Write, script.Edit, script.MultiEdit, script.Patch, script.Rename, script.Delete, script.Notebook}, k)
}

// changed makes a change of several files, where there is no tool for it.
func (v *vocabulary) changed(op *script.Op) []call {
	switch op.Kind {
	case script.Rename:
		last := strings.TrimSpace(op.New)
		command := fmt.Sprintf("git mv %s %s && sed -i 's/module.exports = .*/%s/' %s", op.Path, op.To, last, op.To)
		return v.byShell(op, command, op.Path, op.To)
	case script.Delete:
		return v.byShell(op, "rm "+op.Path, op.Path)
	default:
		return v.each(op.Edits)
	}
}

// asPatch makes it by one patch.
func (v *vocabulary) asPatch(op *script.Op) []call {
	var b strings.Builder
	var paths []string
	update := func(path, before, after string) {
		fmt.Fprintf(&b, "*** Update File: %s\n@@ @@\n", v.full(path))
		for line := range strings.Lines(before) {
			b.WriteString("-" + strings.TrimSuffix(line, "\n") + "\n")
		}
		for line := range strings.Lines(after) {
			b.WriteString("+" + strings.TrimSuffix(line, "\n") + "\n")
		}
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	b.WriteString("*** Begin Patch\n")
	switch op.Kind {
	case script.Rename:
		update(op.Path, op.Old, op.New)
		fmt.Fprintf(&b, "*** Move File: %s -> %s\n", v.full(op.Path), v.full(op.To))
		paths = []string{op.Path, op.To}
	case script.Delete:
		fmt.Fprintf(&b, "*** Delete File: %s\n", v.full(op.Path))
		paths = []string{op.Path}
	default:
		for _, c := range op.Edits {
			update(c.Path, c.Old, c.New)
		}
	}
	b.WriteString("*** End Patch")
	return []call{{name: "patch", input: object{"mode": "patch", "patch": b.String()}, kind: op.Kind, paths: paths}}
}

// one is a call of the tool of the op's kind.
func (v *vocabulary) one(op *script.Op, in object, paths ...string) []call {
	name, _, ok := v.find(op.Kind)
	if !ok {
		return nil
	}
	return []call{{name: name, input: in, kind: op.Kind, paths: paths, shell: op.Kind == script.Bash}}
}

// each makes an edit of every change.
func (v *vocabulary) each(changes []script.Change) []call {
	var all []call
	for _, c := range changes {
		all = append(all, v.plain(&script.Op{Kind: script.Edit, Path: c.Path, Old: c.Old, New: c.New, All: c.All})...)
	}
	return all
}

func oldAndNew(changes []script.Change) []object {
	var all []object
	for _, c := range changes {
		one := object{"old_string": c.Old, "new_string": c.New}
		if c.All {
			one["replace_all"] = true
		}
		all = append(all, one)
	}
	return all
}

// plain says what every agent has one tool for.
func (v *vocabulary) plain(op *script.Op) []call {
	name, t, ok := v.find(op.Kind)
	if !ok {
		return nil
	}
	in := object{}
	if name == "file_editor" { // which does what its command says
		in["command"] = map[script.Kind]string{script.Read: "view", script.Write: "create", script.Edit: "str_replace"}[op.Kind]
	}
	t.set(in, "LOW", "security_risk") // how OpenHands has calls judged
	if op.Path != "" && op.Kind != script.Bash {
		t.set(in, v.full(op.Path), "file_path", "filePath", "filepath", "absolute_path", "path", "target_file")
	}
	switch op.Kind {
	case script.Read:
		t.set(in, object{"path": v.full(op.Path)}, "files")
		if _, ok := t.properties["startLine"]; ok {
			in["startLine"], in["endLine"] = 1, 2000
		}
		return v.one(op, in)
	case script.Write:
		t.set(in, op.Content, "content", "file_text", "new_text")
		return v.one(op, in, op.Path)
	case script.Edit:
		t.edit(in, op)
		return v.one(op, in, op.Path)
	case script.Bash:
		t.set(in, op.Command, "command", "cmd", "commands")
		t.set(in, op.Title, "description")
		t.set(in, cmp.Or(op.Title, "Run it"), "explanation")
		t.set(in, cmp.Or(op.Title, "Run it"), "goal")
		if p, ok := t.properties["mode"]; ok && p.Type == "string" {
			in["mode"] = oneOf(p.Enum, map[bool]string{false: "sync", true: "async"}[op.Background])
		}
		if _, ok := t.properties["isBackground"]; ok {
			in["isBackground"] = op.Background
		}
		if _, ok := t.properties["is_background"]; ok {
			in["is_background"] = op.Background
		} else if op.Background {
			t.set(in, true, "run_in_background")
		}
		return v.one(op, in, looked(op)...)
	default:
		return nil
	}
}

// looked are the files that are looked at after a command.
func looked(op *script.Op) []string {
	if op.Path == "" {
		return nil
	}
	return []string{op.Path}
}

func (t tool) edit(in object, op *script.Op) {
	if edits, ok := t.properties["edits"]; ok && edits.Items != nil {
		item, one := tool{properties: edits.Items.Properties}, object{}
		item.set(one, op.Old, "oldText", "old_string")
		item.set(one, op.New, "newText", "new_string")
		in["edits"] = []any{one}
		return
	}
	if _, ok := t.properties["edit"]; ok { // of the Kimi CLI
		in["edit"] = object{"old": op.Old, "new": op.New, "replace_all": op.All}
		return
	}
	t.set(in, "replace", "mode")
	t.set(in, op.Old, "old_string", "oldString", "old_str", "oldText", "old_text")
	t.set(in, op.New, "new_string", "newString", "new_str", "newText", "new_text")
	t.set(in, "Update "+op.Path, "instruction")
	if op.All {
		t.set(in, true, "replace_all", "replaceAll", "allow_multiple")
		t.set(in, 2, "expected_replacements")
	}
}

// byShell does by a command what agents have no tool for.
func (v *vocabulary) byShell(op *script.Op, command string, paths ...string) []call {
	all := v.plain(&script.Op{Kind: script.Bash, Command: command, Title: "Change files"})
	for i := range all {
		all[i].kind, all[i].paths = op.Kind, paths
	}
	return all
}

func (v *vocabulary) todo(op *script.Op) []call {
	status := func(i int) string {
		if i == 0 {
			return "in_progress"
		}
		return "pending"
	}
	var list []object
	add := func(name string, entry func(i int, item string) object) []call {
		for i, item := range op.Items {
			e := entry(i, item)
			e["status"] = status(i)
			list = append(list, e)
		}
		return []call{{name: name, input: object{"todos": list}, kind: op.Kind}}
	}
	switch {
	case v.has("TodoWrite"):
		return add("TodoWrite", func(_ int, item string) object { return object{"content": item, "activeForm": item} })
	case v.has("TaskCreate"):
		var all []call
		for _, item := range op.Items[:min(2, len(op.Items))] {
			in := object{"subject": item, "description": item, "activeForm": item}
			all = append(all, call{name: "TaskCreate", input: in, kind: op.Kind})
		}
		return all
	case v.has("todo_write"):
		return add("todo_write", func(i int, item string) object { return object{"id": fmt.Sprint(i + 1), "content": item} })
	case v.has("todo"):
		return add("todo", func(i int, item string) object { return object{"id": fmt.Sprint(i + 1), "content": item} })
	case v.has("write_todos"):
		return add("write_todos", func(_ int, item string) object { return object{"description": item} })
	}
	return nil
}

func (v *vocabulary) has(name string) bool {
	_, ok := v.tools[name]
	return ok
}

func (v *vocabulary) task(op *script.Op) []call {
	if op.Later {
		return nil
	}
	name, t, ok := v.find(script.Task)
	if !ok {
		return nil
	}
	in := object{}
	t.set(in, op.Title, "description")
	t.set(in, op.Prompt, "prompt", "request")
	t.set(in, op.Prompt, "objective", "goal")
	if p, ok := t.properties["subagent_type"]; ok {
		in["subagent_type"] = oneOf(p.Enum, "general-purpose", "general")
		if len(p.Enum) == 0 && name == "task" { // OpenCode names none, and refuses what it has not
			in["subagent_type"] = "general"
		}
		if v.has("AgentSwarm") || v.has("StrReplaceFile") { // nor do Kimi Code and the Kimi CLI
			in["subagent_type"] = "coder"
		}
	}
	if p, ok := t.properties["agent_name"]; ok {
		in["agent_name"] = oneOf(p.Enum, "generalist")
		if p.Const != nil { // Gemini CLI before 0.36 has an input for each subagent
			in["agent_name"] = p.Const
		}
	}
	if p, ok := t.properties["agent_type"]; ok { // Copilot CLI
		in["agent_type"] = oneOf(p.Enum, "general-purpose")
		t.set(in, "helper", "name")
		t.set(in, "sync", "mode")
	}
	t.set(in, op.Background, "run_in_background", "background")
	return []call{{name: name, input: in, kind: op.Kind}}
}

// oneOf is the first of the wanted values that is allowed. Where nothing is
// said, all are.
func oneOf(allowed []string, wanted ...string) string {
	for _, w := range wanted {
		if len(allowed) == 0 || slices.Contains(allowed, w) {
			return w
		}
	}
	return allowed[0]
}

// asText is an input as an API hands it over.
func asText(input any) string {
	if s, ok := input.(string); ok {
		return s
	}
	data, err := json.Marshal(input)
	if err != nil {
		return "{}"
	}
	return string(data)
}

// quoted is a text as a literal of JavaScript.
func quoted(text string) string {
	data, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(data)
}
