package modelserver

import (
	"os"
	"regexp"
	"strings"

	"github.com/memscribe/memscribe/testkit/script"
)

// calls says an op in the words of Codex: files are changed by patches, looked at
// by commands.
func (d *responses) calls(v *vocabulary, op *script.Op) []call {
	c := call{kind: op.Kind}
	switch op.Kind {
	case script.Bash:
		c.name, c.item = v.shell(op.Command)
		c.shell, c.paths = true, looked(op)
	case script.Read:
		c.name, c.item = v.shell("sed -n '1,200p' '" + op.Path + "'")
	case script.Todo:
		c.name, c.item = v.plan(op)
	case script.Task:
		c.name, c.item = v.spawn(op)
	case script.Wait:
		c.name, c.item = v.wait()
	case script.Call:
		return nil
	case script.Search:
		c.name, c.item = v.searchByCodex(op)
	case script.Served:
		c.name, c.item = v.servedToCodex(op)
		c.paths = changedBy(op)
	default:
		var lines []string
		lines, c.paths = v.patch(op)
		patch := "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"
		if op.Wrap != "" {
			c.name, c.item = v.shell(strings.ReplaceAll(op.Wrap, "{patch}", within(patch, op.Dir)))
		} else {
			c.name, c.item = v.applyPatch(patch)
		}
	}
	if c.item == nil {
		return nil
	}
	return []call{c}
}

func (v *vocabulary) function(name string, args object) object {
	it := object{"type": "function_call", "name": name, "arguments": asText(args)}
	if ns := v.tools[name].namespace; ns != "" {
		it["namespace"] = ns
	}
	return it
}

func custom(name, input string) object {
	return object{"type": "custom_tool_call", "name": name, "input": input}
}

// shell is a command, by whichever of its tools the client has.
func (v *vocabulary) shell(command string) (string, object) {
	switch {
	case v.has("exec_command"):
		return "exec_command", v.function("exec_command", object{"cmd": command, "workdir": v.work, "yield_time_ms": 30000})
	case v.has("shell_command"):
		return "shell_command", v.function("shell_command", object{"command": command, "workdir": v.work, "timeout_ms": 60000})
	case v.has("shell"):
		return "shell", v.function("shell", object{"command": []string{"bash", "-lc", command}, "workdir": v.work, "timeout_ms": 60000})
	case v.has("exec"):
		return "exec", custom("exec", "const r = await tools.exec_command({cmd: "+quoted(command)+", workdir: "+quoted(v.work)+"});\ntext(r);\n")
	}
	return "", nil
}

func (v *vocabulary) hasShell() bool {
	return v.has("exec_command") || v.has("shell_command") || v.has("shell")
}

func (v *vocabulary) applyPatch(patch string) (string, object) {
	if t, ok := v.tools["apply_patch"]; ok {
		if t.kind == "custom" {
			return "apply_patch", custom("apply_patch", patch)
		}
		return "apply_patch", v.function("apply_patch", object{"input": patch})
	}
	if v.has("exec") && !v.hasShell() {
		return "exec", custom("exec", "const r = await tools.apply_patch("+quoted(patch)+");\ntext(r);\n")
	}
	if !v.has("exec_command") && !v.has("shell_command") && v.has("shell") {
		return "shell", v.function("shell", object{"command": []string{"apply_patch", patch}, "workdir": v.work})
	}
	return v.shell("apply_patch <<'EOF'\n" + patch + "EOF\n")
}

func (v *vocabulary) plan(op *script.Op) (string, object) {
	var steps []object
	for i, item := range op.Items {
		status := "pending"
		if i == 0 {
			status = "in_progress"
		}
		steps = append(steps, object{"step": item, "status": status})
	}
	args := object{"explanation": "Working through the steps", "plan": steps}
	switch {
	case v.has("update_plan"):
		return "update_plan", v.function("update_plan", args)
	case v.has("exec"):
		return "exec", custom("exec", "const r = await tools.update_plan("+asText(args)+");\ntext(r);\n")
	}
	return "", nil
}

// spawn sends a subagent. A client may have to be asked first whether it can.
func (v *vocabulary) spawn(op *script.Op) (string, object) {
	if v.has("spawn_agent") && (!op.Later || v.play.searched) {
		t, args := v.tools["spawn_agent"], object{}
		t.set(args, "survey_placeholders", "task_name")
		for _, name := range []string{"message", "prompt"} {
			if _, ok := t.properties[name]; ok {
				args[name] = op.Prompt
				return "spawn_agent", v.function("spawn_agent", args)
			}
		}
		args["items"] = []any{object{"type": "text", "text": op.Prompt}}
		return "spawn_agent", v.function("spawn_agent", args)
	}
	if v.has("tool_search") && !op.Later {
		v.play.searched = true
		return "tool_search", object{
			"type": "tool_search_call", "execution": "client",
			"arguments": object{"query": "spawn_agent wait_agent subagent", "limit": 8},
		}
	}
	return "", nil
}

func (v *vocabulary) wait() (string, object) {
	name := "wait_agent"
	if !v.has(name) {
		name = "wait"
		if _, ok := v.tools[name].properties["ids"]; !ok {
			return "", nil
		}
	}
	agent := "survey_placeholders"
	if m := regexp.MustCompile(`"agent_id":\s*"([^"]+)"`).FindStringSubmatch(v.play.spawned); m != nil {
		agent = m[1]
	}
	t, args := v.tools[name], object{}
	t.set(args, agent, "ids")
	t.set(args, agent, "targets")
	t.set(args, 20000, "timeout_ms")
	return name, v.function(name, args)
}

// patch is an op as the body of a patch, and the files that it changes.
func (v *vocabulary) patch(op *script.Op) (lines, paths []string) {
	update := func(name string) string { return "*** Update File: " + name }
	switch op.Kind {
	case script.Write:
		if old, err := os.ReadFile(v.full(op.Path)); err == nil {
			return append([]string{update(op.Path)}, hunk(string(old), op.Content)...), []string{op.Path}
		}
		lines = []string{"*** Add File: " + op.Path}
		for _, l := range contentLines(op.Content) {
			lines = append(lines, "+"+l)
		}
		return lines, []string{op.Path}
	case script.Rename:
		lines = append([]string{update(op.Path), "*** Move to: " + op.To}, hunk(op.Old, op.New)...)
		return lines, []string{op.Path, op.To}
	case script.Delete:
		return []string{"*** Delete File: " + op.Path}, []string{op.Path}
	case script.MultiEdit, script.Patch:
		return v.patchOf(op.Edits)
	case script.Edit:
		return v.patchOf([]script.Change{{Path: op.Path, Old: op.Old, New: op.New, All: op.All}})
	default:
		return append([]string{update(op.Path)}, hunk(op.Old, op.New)...), []string{op.Path}
	}
}

// within makes the paths of a patch relative to a folder.
func within(patch, dir string) string {
	if dir == "" {
		return patch
	}
	return regexp.MustCompile(`(?m)^(\*\*\* (?:Add File|Update File|Delete File|Move to): )`+regexp.QuoteMeta(dir)+"/").ReplaceAllString(patch, "$1")
}

// patchOf puts changes of several files into one patch, those of a file together.
func (v *vocabulary) patchOf(changes []script.Change) (lines, paths []string) {
	done := map[string]bool{}
	for _, first := range changes {
		if done[first.Path] {
			continue
		}
		done[first.Path] = true
		paths = append(paths, first.Path)
		lines = append(append(lines, "*** Update File: "+first.Path), v.hunks(first.Path, changes)...)
	}
	return lines, paths
}

// hunks are the changes of one file: one each, or one for all if they touch each
// other, or parts of lines.
func (v *vocabulary) hunks(name string, changes []script.Change) []string {
	var lines []string
	data, err := os.ReadFile(v.full(name))
	before, after, apart := string(data), string(data), true
	for _, c := range changes {
		if c.Path != name {
			continue
		}
		lines = append(lines, hunk(c.Old, c.New)...)
		apart = apart && !c.All && strings.HasSuffix(c.Old, "\n") && strings.Count(before, c.Old) == 1
		after, _ = c.Apply(after)
	}
	if apart || err != nil || after == before {
		return lines
	}
	return hunk(before, after)
}

// hunk is a change in the form of Codex's patches: the lines, without numbers.
func hunk(before, after string) []string {
	old, now := contentLines(before), contentLines(after)
	head := 0
	for head < len(old) && head < len(now) && old[head] == now[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(now)-head && old[len(old)-1-tail] == now[len(now)-1-tail] {
		tail++
	}
	lines := []string{"@@"}
	add := func(sign string, some []string) {
		for _, l := range some {
			lines = append(lines, sign+l)
		}
	}
	add(" ", old[:head])
	add("-", old[head:len(old)-tail])
	add("+", now[head:len(now)-tail])
	add(" ", old[len(old)-tail:])
	return lines
}

// contentLines cuts a content into lines; the end of the last one begins none.
func contentLines(text string) []string {
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
