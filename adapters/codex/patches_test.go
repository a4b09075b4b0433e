package codex_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

const (
	patchText = "*** Begin Patch\n*** Update File: a.go\n@@\n-old\n+new\n*** End Patch"
	success   = "Success. Updated the following files:\nM a.go\n"
	wrapped   = `{"output":"Success. Updated the following files:\nM a.go\n","metadata":{"exit_code":0,"duration_seconds":0.1}}`
)

// A patch is recognised in every guise, and only when the answer says that it
// was applied.
func TestPatchGuises(t *testing.T) {
	const edited = "edit c apply_patch modify /w/a.go +1 -1\n"
	const byShell = "edit c shell modify /w/a.go +1 -1\n"
	heredoc := "apply_patch <<'EOF'\n" + patchText + "\nEOF\n"
	tests := []struct {
		name string
		r    *rollout
		want string // after the call and its result
	}{
		{"custom tool", started(oldThread).custom("c", "apply_patch", patchText).output("c", wrapped), edited},
		{"custom tool, plain words", started(oldThread).custom("c", "apply_patch", patchText).output("c", "Exit code: 0\nWall time: 0 seconds\nOutput:\n"+success), edited},
		{"function", started(oldThread).call("c", "apply_patch", obj{"input": patchText}).output("c", success), edited},
		{"shell, without a shell", started(oldThread).call("c", "shell", obj{"command": []string{"apply_patch", patchText}}).output("c", wrapped), byShell},
		{"shell, in a heredoc", started(oldThread).call("c", "shell", obj{"command": []string{"bash", "-lc", heredoc}}).output("c", wrapped), byShell},
		{"shell, a heredoc for no shell", started(oldThread).call("c", "shell", obj{"command": []string{"apply_patch", "<<'EOF'\n" + patchText + "\nEOF\n"}}).output("c", wrapped), byShell},
		{"elsewhere", started(oldThread).call("c", "shell", obj{"command": []string{"bash", "-lc", "cd sub && " + heredoc}, "workdir": "/v"}).output("c", wrapped), "edit c shell modify /v/sub/a.go +1 -1\n"},
		{"Windows", started(oldThread).call("c", "shell", obj{"command": []string{"powershell.exe", "-Command", heredoc}, "workdir": `C:\w`}).output("c", wrapped), `edit c shell modify C:\w\a.go +1 -1` + "\n"},
		{"exec_command", started(oldThread).call("c", "exec_command", obj{"cmd": heredoc}).output("c", "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"+success), "edit c exec_command modify /w/a.go +1 -1\n"},
		{"exec_command, which did it itself", started(oldThread).call("c", "exec_command", obj{"cmd": heredoc}).output("c", "Wall time: 0.0000 seconds\nOutput:\n"+wrapped), "edit c exec_command modify /w/a.go +1 -1\n"},
		{
			"exec_command, which failed at it", started(oldThread).call("c", "exec_command", obj{"cmd": heredoc}).
				output("c", "Wall time: 0.0000 seconds\nOutput:\n"+`{"output":"no such file\n","metadata":{"exit_code":1,"duration_seconds":0.1}}`), "",
		},
		{
			"exec_command, answered with the command", started(oldThread).call("c", "exec_command", obj{"cmd": heredoc}).
				output("c", "Command: /bin/bash -lc \""+heredoc+"\"\nChunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"+success),
			"edit c exec_command modify /w/a.go +1 -1\n",
		},
		{
			"exec_command that failed, answered with the command", started(oldThread).call("c", "exec_command", obj{"cmd": heredoc}).
				output("c", "Command: /bin/bash -lc \""+heredoc+"\"\nChunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nno such file"), "",
		},
		{"shell_command", started(oldThread).call("c", "shell_command", obj{"command": heredoc}).output("c", "Exit code: 0\nWall time: 1 seconds\nOutput:\n"+success), "edit c shell_command modify /w/a.go +1 -1\n"},
		{
			"local_shell",
			started(oldThread).item(obj{"type": "local_shell_call", "call_id": "c", "status": "completed", "action": obj{"type": "exec", "command": []string{"bash", "-lc", heredoc}}}).output("c", wrapped),
			"edit c local_shell modify /w/a.go +1 -1\n",
		},
		{
			"two patches in a script, one of them applied, and a command that fails",
			started(oldThread).call("c", "shell", obj{"command": []string{"bash", "-lc", heredoc + "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: b\n*** End Patch\nEOF\nfalse"}}).
				output("c", `{"output":"Success. Updated the following files:\nM a.go\nerror","metadata":{"exit_code":1}}`),
			byShell,
		},
		// 0.4x and 0.140: the tool says that it updated the file, in which nothing changed.
		{"a patch of what is there already", started(oldThread).call("c", "shell", obj{"command": []string{"bash", "-lc", "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.go\n@@\n one\n two\n*** End Patch\nEOF\n"}}).output("c", wrapped), ""},
		{"not applied", started(oldThread).custom("c", "apply_patch", patchText).output("c", "apply_patch verification failed: Failed to find expected lines in /w/a.go:\nold"), ""},
		{"failed in the shell", started(oldThread).call("c", "shell", obj{"command": []string{"bash", "-lc", heredoc}}).output("c", "failed in sandbox LinuxSeccomp with execution error: sandbox denied exec error"), ""},
		{"rejected", started(oldThread).custom("c", "apply_patch", patchText).output("c", "patch rejected by user"), ""},
		{"aborted", started(oldThread).custom("c", "apply_patch", patchText).output("c", "aborted by user after 1.2s"), ""},
		{"no answer", started(oldThread).custom("c", "apply_patch", patchText), ""},
		{"no patch", started(oldThread).custom("c", "apply_patch", "hello").output("c", wrapped), ""},
		{
			"script of code mode",
			started(oldThread).custom("c", "exec", `const r = await tools.apply_patch("*** Begin Patch\n*** Update File: a.go\n@@\n-say \"old\"\n+say \"new\"\n*** End Patch\n"); text(r);`).
				output("c", []obj{{"type": "input_text", "text": "Script completed\nWall time 0.0 seconds\nOutput:\n"}, {"type": "input_text", "text": "{}"}}),
			"edit c exec modify /w/a.go +1 -1\n",
		},
		{
			"script of code mode that fails",
			started(oldThread).custom("c", "exec", `await tools.apply_patch("*** Begin Patch\n*** Update File: a.go\n@@\n-a\n+b\n*** End Patch\n")`).
				output("c", []obj{{"type": "input_text", "text": "Script failed\nWall time 0.0 seconds\nOutput:\n"}, {"type": "input_text", "text": "Script error:\napply_patch verification failed"}}),
			"",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			one(t, "x.jsonl", test.r.String(), func(ev *core.Event) {
				if _, ok := ev.Body.(*core.FileEdit); ok {
					got += describe(ev) + "\n"
				}
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

// Events tell exactly what was patched; the answer to the call adds nothing.
func TestPatchEvents(t *testing.T) {
	changes := obj{
		"/w/a.go": obj{"type": "update", "unified_diff": "@@ -7 +7 @@\n-old\n+new\n", "move_path": nil},
	}
	all := obj{
		"/w/b": obj{"type": "add", "content": "1\n2\n"},
		"/w/c": obj{"type": "delete", "content": "1\n"},
		"/w/d": obj{"type": "update", "unified_diff": "@@ -1 +1 @@\n-1\n+2\n", "move_path": "/w/e"},
		"/w/f": obj{"type": "update", "unified_diff": "", "move_path": "/w/g"},
		"/w/h": obj{"type": "delete"},
	}
	end := func(id, status string, changes any) obj {
		return obj{"type": "patch_apply_end", "call_id": id, "success": status == "completed", "status": status, "changes": changes}
	}
	inner := func(id, status string, changes any) obj {
		return obj{"type": "item_completed", "item": obj{"type": "FileChange", "id": id, "status": status, "changes": changes}}
	}
	tests := []struct {
		name string
		r    *rollout
		want string
	}{
		{"before the answer", started(oldThread).custom("c", "apply_patch", patchText).event(end("c", "completed", changes)).output("c", wrapped), "edit c apply_patch modify /w/a.go +1 -1\n"},
		{"after the answer", started(oldThread).custom("c", "apply_patch", patchText).output("c", wrapped).event(end("c", "completed", changes)), "edit c apply_patch modify /w/a.go +1 -1\n"},
		{"failed", started(oldThread).custom("c", "apply_patch", patchText).event(end("c", "failed", changes)).output("c", "Exit code: 1\nOutput:\n"), ""},
		{"declined", started(oldThread).custom("c", "apply_patch", patchText).event(end("c", "declined", changes)).output("c", "patch rejected by user"), ""},
		{"without changes", started(oldThread).custom("c", "apply_patch", patchText).event(obj{"type": "patch_apply_end", "call_id": "c", "success": true}).output("c", wrapped), "edit c apply_patch modify /w/a.go +1 -1\n"},
		{
			"all kinds", started(oldThread).custom("c", "apply_patch", patchText).event(end("c", "completed", all)),
			"edit c apply_patch write /w/b +2 -0\nedit c apply_patch delete /w/c +0 -1\nedit c apply_patch rename /w/d/w/e +1 -1\n" +
				"edit c apply_patch rename /w/f/w/g +0 -0\nedit c apply_patch delete /w/h +0 -0\n",
		},
		{"a call that is not there", started(oldThread).event(end("c", "completed", changes)), "edit c apply_patch modify /w/a.go +1 -1\n"},
		{
			"a file added that was there", started(oldThread).call("r", "exec_command", obj{"cmd": "cat b"}).output("r", "Process exited with code 0\nOutput:\n1\n0\n").
				custom("c", "apply_patch", patchText).event(end("c", "completed", obj{"/w/b": obj{"type": "add", "content": "1\n2\n"}})).output("c", wrapped),
			"edit c apply_patch modify /w/b +1 -1\n",
		},
		{
			"the same in code mode", started(oldThread).custom("r", "exec", "tools.exec_command({})").
				event(obj{"type": "item_completed", "item": obj{"type": "CommandExecution", "id": "exec-0", "command": []string{"/bin/bash", "-lc", "cat b"}, "cwd": "file:///w", "status": "completed", "exit_code": 0, "aggregated_output": "1\n0\n"}}).
				event(inner("exec-1", "completed", obj{"/w/b": obj{"type": "add", "content": "1\n2\n"}})),
			"edit r exec modify /w/b +1 -1\n",
		},
		{
			"in code mode, by a command", started(oldThread).custom("c1", "exec", `tools.exec_command({cmd: "(cd in && apply_patch <<EOF *** Begin Patch a.go)"})`).
				event(obj{"type": "item_completed", "item": obj{"type": "CommandExecution", "id": "exec-1", "command": []string{"/bin/bash", "-lc", "(cd in && apply_patch <<'EOF'\n" + patchText + "\nEOF\n)"}, "cwd": "file:///w", "status": "completed", "exit_code": 0, "aggregated_output": "Success. Updated the following files:\nM a.go\n"}}),
			"edit c1 exec modify /w/in/a.go +1 -1\n",
		},
		{
			"in code mode, by a command that fails", started(oldThread).custom("c1", "exec", `tools.exec_command({cmd: "apply_patch"})`).
				event(obj{"type": "item_completed", "item": obj{"type": "CommandExecution", "id": "exec-1", "command": []string{"/bin/bash", "-lc", "true; apply_patch <<'EOF'\n" + patchText + "\nEOF\n"}, "cwd": "file:///w", "status": "failed", "exit_code": 127, "aggregated_output": "apply_patch: command not found\n"}}),
			"",
		},
		{
			"in code mode, of two scripts the one that names the file",
			started(oldThread).custom("c1", "exec", `tools.apply_patch("*** Begin Patch b.go")`).custom("c2", "exec", `tools.apply_patch("*** Begin Patch a.go")`).
				event(inner("exec-1", "completed", changes)).output("c1", "Script completed\n").output("c2", "Script completed\n"),
			"edit c2 exec modify /w/a.go +1 -1\n",
		},
		{
			"in code mode, twice the same file by two scripts",
			started(oldThread).custom("c1", "exec", `tools.apply_patch("*** Begin Patch a.go")`).custom("c2", "exec", `tools.apply_patch("*** Begin Patch a.go")`).
				event(inner("exec-1", "completed", changes)).event(inner("exec-2", "completed", changes)),
			"edit c1 exec modify /w/a.go +1 -1\nedit c2 exec modify /w/a.go +1 -1\n",
		},
		{
			"in code mode, one that fails and one that does not in one script",
			started(oldThread).custom("c1", "exec", `tools.apply_patch("*** Begin Patch a.go")`).
				event(inner("exec-1", "failed", changes)).event(inner("exec-2", "completed", changes)).output("c1", "Script completed\n"),
			"edit c1 exec modify /w/a.go +1 -1\n",
		},
		{
			"in code mode, while the script is waited for",
			started(oldThread).custom("c1", "exec", `tools.apply_patch("*** Begin Patch a.go")`).output("c1", "Script running with cell ID 7\n").
				call("w", "wait", obj{"cell_id": "7"}).event(inner("exec-1", "completed", changes)).output("w", "Script completed\n").
				event(inner("exec-2", "completed", changes)),
			"edit c1 exec modify /w/a.go +1 -1\nedit exec-2 apply_patch modify /w/a.go +1 -1\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			one(t, "x.jsonl", test.r.String(), func(ev *core.Event) {
				if e, ok := ev.Body.(*core.FileEdit); ok {
					got += describe(ev) + "\n"
					checkDiff(t, test.name, e.Diff)
				}
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

// What a script of code mode edits by way of a server, only the event of that call
// tells: an item in a paginated thread, mcp_tool_call_end in others.
func TestServersInScripts(t *testing.T) {
	const script = `const r = await tools.mcp__files__edit_file({path: "/w/a.go"}); text(r);`
	edits := func(old, now string) obj {
		return obj{"path": "/w/a.go", "edits": []obj{{"oldText": old, "newText": now}}}
	}
	says := func(text string) obj { return obj{"content": []obj{{"type": "text", "text": text}}} }
	diff := func(hunk string) obj {
		return says("```diff\nIndex: /w/a.go\n===\n--- /w/a.go\toriginal\n+++ /w/a.go\tmodified\n" + hunk + "```\n\n")
	}
	changed := diff("@@ -7,1 +7,1 @@\n-old\n+new\n")
	item := func(id, tool, status string, args, result any) obj {
		return obj{"type": "item_completed", "item": obj{"type": "McpToolCall", "id": id, "server": "files", "tool": tool, "status": status, "arguments": args, "result": result}}
	}
	end := func(id, tool string, args, result any) obj {
		return obj{"type": "mcp_tool_call_end", "call_id": id, "invocation": obj{"server": "files", "tool": tool, "arguments": args}, "result": result}
	}
	const edited = "edit c exec modify /w/a.go +1 -1\n"
	begun := func() *rollout { return started(oldThread).custom("c", "exec", script) }
	tests := []struct {
		name string
		r    *rollout
		want string
	}{
		{"item", begun().event(item("exec-1", "edit_file", "completed", edits("old", "new"), changed)), edited},
		{"event", begun().event(end("exec-1", "edit_file", edits("old", "new"), obj{"Ok": changed})), edited},
		{"failed item", begun().event(item("exec-1", "edit_file", "failed", edits("old", "new"), says("Could not find exact match"))), ""},
		{"failed event", begun().event(end("exec-1", "edit_file", edits("old", "new"), obj{"Ok": obj{"isError": true, "content": []obj{}}})), ""},
		{"server gone", begun().event(end("exec-1", "edit_file", edits("old", "new"), obj{"Err": "gone"})), ""},
		{"nothing changed", begun().event(item("exec-1", "edit_file", "completed", edits("old", "old"), diff(""))), ""},
		{"another tool of that name", begun().event(item("exec-1", "edit_file", "completed", obj{"path": "/w/a.go"}, says("OK"))), ""},
		{
			"a read shows what a write replaces", begun().
				event(item("exec-1", "read_text_file", "completed", obj{"path": "/w/a.go"}, says("one\nold\n"))).
				event(item("exec-2", "write_file", "completed", obj{"path": "/w/a.go", "content": "one\nnew\n"}, says("Successfully wrote to /w/a.go"))),
			edited,
		},
		{
			"one file twice in one script", begun().
				event(item("exec-1", "edit_file", "completed", edits("old", "new"), changed)).
				event(item("exec-2", "edit_file", "completed", edits("old", "new"), changed)),
			edited + "edit exec-2 exec modify /w/a.go +1 -1\n",
		},
		{
			"two scripts", begun().custom("d", "exec", script).
				event(item("exec-1", "edit_file", "completed", edits("old", "new"), changed)).
				event(item("exec-2", "edit_file", "completed", edits("old", "new"), changed)),
			edited + "edit d exec modify /w/a.go +1 -1\n",
		},
		{
			"of two scripts the one that calls the server", started(oldThread).custom("b", "exec", "tools.exec_command({})").custom("c", "exec", script).
				event(item("exec-1", "edit_file", "completed", edits("old", "new"), changed)),
			edited,
		},
		{
			"a failure that the script prints", begun().event(item("exec-1", "edit_file", "failed", edits("old", "new"), obj{"isError": true})).
				output("c", []obj{{"type": "input_text", "text": "Script completed\n"}, {"type": "input_text", "text": `{"content":[{"type":"text","text":"no"}],"isError":true}`}}),
			"c failed\n",
		},
		{
			"an answer that speaks of one", begun().event(item("exec-1", "edit_file", "completed", edits("old", "new"), changed)).
				output("c", []obj{{"type": "input_text", "text": "Script completed\n"}, {"type": "input_text", "text": `{"content":[{"type":"text","text":"\"isError\":true"}]}`}}),
			edited,
		},
		{"no script", started(oldThread).event(item("exec-1", "edit_file", "completed", edits("old", "new"), changed)), "edit exec-1 mcp__files__edit_file modify /w/a.go +1 -1\n"},
		{
			"a call of its own", started(oldThread).call("c", "mcp__files__edit_file", edits("old", "new")).
				event(item("c", "edit_file", "completed", edits("old", "new"), changed)).
				output("c", "Wall time: 0.1 seconds\nOutput:\n```diff\nIndex: /w/a.go\n===\n--- /w/a.go\toriginal\n+++ /w/a.go\tmodified\n@@ -7,1 +7,1 @@\n-old\n+new\n```\n\n"),
			"edit c mcp__files__edit_file modify /w/a.go +1 -1\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			one(t, "x.jsonl", test.r.String(), func(ev *core.Event) {
				if r, ok := ev.Body.(*core.ToolResult); ok && !r.OK {
					got += r.CallID + " failed\n"
				}
				if e, ok := ev.Body.(*core.FileEdit); ok {
					got += describe(ev) + "\n"
					checkDiff(t, test.name, e.Diff)
				}
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

// Where no event tells the place of a patch, it follows from what the file was
// seen to hold.
func TestPatchPlaces(t *testing.T) {
	const file = "1\n2\n3\n4\nold\n6\n"
	read := func(r *rollout, cmd, output string) *rollout {
		return r.call("r", "shell", obj{"command": []string{"bash", "-lc", cmd}}).output("r", output)
	}
	json := `{"output":"1\n2\n3\n4\nold\n6\n","metadata":{"exit_code":0}}`
	const placed, own, nowhere = "@@ -2,5 +2,5 @@", "@@ -5 +5 @@", "@@ -1 +1 @@"
	tests := []struct {
		name string
		r    *rollout
		want string
	}{
		{"cat", read(started(oldThread), "cat a.go", json), placed},
		{"sed", read(started(oldThread), "sed -n '1,200p' a.go", json), placed},
		{"nl", read(started(oldThread), "nl -ba a.go | sed -n '1,99p'", "Exit code: 0\nWall time: 0 seconds\nOutput:\n     1\t1\n     2\t2\n     3\t3\n     4\t4\n     5\told\n     6\t6\n"), placed},
		{"exec_command", started(oldThread).call("r", "exec_command", obj{"cmd": "cat ./a.go"}).output("r", "Chunk ID: x\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"+file), placed},
		{"exec_command, with the command before", started(oldThread).call("r", "exec_command", obj{"cmd": "cat ./a.go"}).output("r", "Command: /bin/bash -lc 'cat \n./a.go'\nChunk ID: x\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n"+file), placed},
		{"created before", started(oldThread).custom("p", "apply_patch", "*** Begin Patch\n*** Add File: a.go\n+1\n+2\n+3\n+4\n+old\n+6\n*** End Patch").output("p", wrapped), placed},
		{"a part", read(started(oldThread), "sed -n '1,6p' a.go", json), nowhere},
		{"another part", read(started(oldThread), "sed -n '3,200p' a.go", json), nowhere},
		{"truncated", started(oldThread).call("r", "exec_command", obj{"cmd": "cat a.go"}).output("r", "Process exited with code 0\nOutput:\n1\n…7 tokens truncated…\nold\n"), nowhere},
		{"another file", read(started(oldThread), "cat b.go", json), nowhere},
		{"failed", started(oldThread).call("r", "exec_command", obj{"cmd": "cat a.go"}).output("r", "Process exited with code 1\nOutput:\n"+file), nowhere},
		{"looked around since", read(read(started(oldThread), "cat a.go", json), "git status && rg foo | head -5; ls 2>/dev/null", "{}"), placed},
		{"something ran since", read(read(started(oldThread), "cat a.go", json), "make", "{}"), own},
		{"written past the tool since", read(read(started(oldThread), "cat a.go", json), "echo x > a.go", "{}"), own},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			one(t, "x.jsonl", test.r.custom("c", "apply_patch", patchText).output("c", wrapped).String(), func(ev *core.Event) {
				if e, ok := ev.Body.(*core.FileEdit); ok {
					got = hunkHeads(e.Diff.Unified)
				}
			})
			if got != test.want+"\n" {
				t.Errorf("hunk at %q, want %q", got, test.want)
			}
		})
	}
}
