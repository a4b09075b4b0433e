package meta_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/copilot"
	"github.com/memscribe/memscribe/adapters/kimi"
	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/internal/verify/trial"
	"github.com/memscribe/memscribe/testkit/meta"
)

// TestCompanions has chat sessions of VS Code grow beside the editing sessions that
// say what their edits replaced, and beside the extension's transcripts, which tell
// the same; and sessions of Copilot CLI beside their snapshots and workspace files: each
// is written, rewritten, moved and deleted whatever the others do.
func TestCompanions(t *testing.T) {
	cases := []meta.Case{
		{Files: append(work(t, "s1", "workspaceStorage/w/chatSessions/s1.jsonl"), retold(t, "s1"))},
		{Files: work(t, "s2", "globalStorage/emptyWindowChatSessions/s2.jsonl")},
		{Files: snapshots(t, "11111111-2222-4333-8444-555555555555")},
		{Files: forked(t)},
	}
	for i := range max(*schedules/3, 1) {
		s := meta.Schedule{Seed: *seed + uint64(i), Cases: cases, Steps: *steps, Plain: true}
		t.Run(fmt.Sprint("seed ", s.Seed), func(t *testing.T) {
			t.Parallel()
			if err := s.Play(t.Context(), t.TempDir()); err != nil {
				t.Errorf("%v\nagain: go test ./testkit/meta -run Companions -schedules 3 -seed %d -steps %d", err, s.Seed, s.Steps)
			}
		})
	}
}

type object = map[string]any

// retold is the extension's transcript of a chat session.
func retold(t *testing.T, id string) trial.Input {
	t.Helper()
	var log strings.Builder
	n := 0
	entry := func(kind string, data object) {
		b, err := json.Marshal(object{"type": kind, "data": data, "id": fmt.Sprintf("%s-e%d", id, n), "timestamp": fmt.Sprintf("2026-07-17T10:00:%02d.000Z", n)})
		if err != nil {
			t.Fatal(err)
		}
		log.Write(append(b, '\n'))
		n++
	}
	entry("session.start", object{"sessionId": id, "vscodeVersion": "1.139.1"})
	for i := range 4 {
		call := object{"toolCallId": fmt.Sprintf("%s-r%d-c", id, i), "toolName": "runSubagent", "arguments": object{"prompt": "Do."}}
		entry("user.message", object{"content": "Use the second way, always."})
		entry("tool.execution_start", call)
		entry("tool.execution_complete", object{"toolCallId": call["toolCallId"], "success": true})
	}
	name := "workspaceStorage/w/GitHub.copilot-chat/transcripts/" + id + ".jsonl"
	return trial.Input{Adapter: vscode.Adapter{}, Path: name, Name: name, Data: []byte(log.String())}
}

// work is a chat session in which subagents edit files, as a log, and the editing
// session beside it.
func work(t *testing.T, id, place string) []trial.Input {
	t.Helper()
	line := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b) + "\n"
	}
	log := line(object{"kind": 0, "v": object{"version": 3, "sessionId": id, "requests": []any{}}})
	var baselines []any
	for n := range 4 {
		request, file := fmt.Sprintf("%s-r%d", id, n), fmt.Sprintf("/w/%s/f%d.go", id, n%2)
		uri := object{"$mid": 1, "path": file, "scheme": "file"}
		log += line(object{"kind": 2, "k": []any{"requests"}, "v": []any{asked(request, uri, n)}})
		text := strings.Repeat(fmt.Sprintf("line of %s\n", request), n+2)
		baselines = append(baselines, []any{file + "::" + request, object{"uri": uri, "requestId": request, "content": text}})
	}
	state := line(object{"version": 2, "initialFileContents": []any{}, "recentSnapshot": object{}, "timeline": object{"fileBaselines": baselines}})
	input := func(name, data string) trial.Input {
		return trial.Input{Adapter: vscode.Adapter{}, Path: name, Name: name, Data: []byte(data)}
	}
	return []trial.Input{input(place, log), input("workspaceStorage/w/chatEditingSessions/"+id+"/state.json", state)}
}

// asked is a request whose subagent edits a file.
func asked(id string, uri object, n int) object {
	at := object{"startLineNumber": 2, "startColumn": 1, "endLineNumber": 2, "endColumn": 5}
	call := id + "-c"
	return object{
		"requestId": id, "timestamp": 1784278801000 + n, "message": object{"text": "Use the second way, always.", "parts": []any{}},
		"modelState": object{"value": 1}, "result": object{"metadata": object{
			"toolCallRounds":  []any{object{"toolCalls": []any{object{"id": call, "name": "runSubagent", "arguments": `{"prompt":"Do."}`}}}},
			"toolCallResults": object{call: object{"content": []any{object{"$mid": 21, "value": "Done."}}}},
		}},
		"response": []any{
			object{"kind": "toolInvocationSerialized", "toolId": "runSubagent", "toolCallId": call, "isComplete": true},
			object{"kind": "toolInvocationSerialized", "toolId": "copilot_replaceString", "toolCallId": id + "-p", "subAgentInvocationId": call, "isComplete": true},
			object{"kind": "textEditGroup", "uri": uri, "done": true, "edits": []any{[]any{object{"text": fmt.Sprint("LINE ", n), "range": at}}, []any{}}},
		},
	}
}

// snapshots is a session of Copilot CLI of whose edits the index of snapshots alone
// says how lines end, and of whose place the workspace file.
func snapshots(t *testing.T, id string) []trial.Input {
	t.Helper()
	n := 0
	record := func(kind string, data object) string {
		b, err := json.Marshal(object{"type": kind, "data": data, "id": eventID(n), "parentId": nil, "timestamp": fmt.Sprintf("2026-07-17T10:00:%02d.000Z", n)})
		if err != nil {
			t.Fatal(err)
		}
		n++
		return string(b) + "\n"
	}
	log := record("session.start", object{"sessionId": id, "copilotVersion": "1.0.102"})
	var index []any
	for i := range 5 {
		file, call, before := fmt.Sprintf("/w/%s/f%d.txt", id, i%2), fmt.Sprintf("%s-c%d", id, i), fmt.Sprintf("a%d\nb\nc\n", i)
		sum := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.ReplaceAll(before, "\n", "\r\n"))))
		index = append(index, object{"eventId": eventID(n), "files": object{sum: object{"path": file, "preimage": object{"kind": "content", "contentHash": sum, "backupFile": sum}}}})
		args := object{"path": file, "old_str": "b", "new_str": "x"}
		shown := fmt.Sprintf("\ndiff --git a%[1]s b%[1]s\nindex 0..0 100644\n--- a%[1]s\n+++ b%[1]s\n@@ -1,4 +1,4 @@\n a%[2]d\n-b\n+x\n c\n \n", file, i)
		log += record("user.message", object{"content": "Use the second way, always."}) +
			record("tool.execution_start", object{"toolCallId": call, "toolName": "edit", "arguments": args}) +
			record("tool.execution_complete", object{"toolCallId": call, "success": true, "result": object{"content": "updated", "detailedContent": shown}})
	}
	state, err := json.Marshal(object{"schema": 1, "snapshots": index})
	if err != nil {
		t.Fatal(err)
	}
	input := func(name, data string) trial.Input {
		name = "session-state/" + id + "/" + name
		return trial.Input{Adapter: copilot.Adapter{}, Path: name, Name: name, Data: []byte(data)}
	}
	return []trial.Input{
		input("events.jsonl", log), input("rewind-file-snapshots/index.json", string(state)),
		input("workspace.yaml", "id: "+id+"\ncwd: /w/"+id+"\nbranch: main\ncreated_at: 2026-07-17T10:00:00.000Z\n"),
	}
}

// forked is a session of Kimi Code and a fork of it, which begins with the records of the
// session; that they are copies, its state says alone.
func forked(t *testing.T) []trial.Input {
	t.Helper()
	log, n := `{"type":"metadata","protocol_version":"1.5","created_at":1795794443816}`+"\n", 0
	add := func() {
		n++
		said := object{"id": fmt.Sprintf("msg_%d", n), "role": "user", "content": "Use the second way, always.", "origin": object{"kind": "user"}}
		b, err := json.Marshal(object{"type": "context.append_message", "agentId": "main", "message": said, "time": 1795794450000 + n})
		if err != nil {
			t.Fatal(err)
		}
		log += string(b) + "\n"
	}
	input := func(session, name, data string) trial.Input {
		name = "sessions/wd_a_0/session_" + session + "/" + name
		return trial.Input{Adapter: kimi.Adapter{}, Path: name, Name: name, Data: []byte(data)}
	}
	for range 4 {
		add()
	}
	first := log
	log += `{"type":"forked","agentId":"main","time":1795794450100}` + "\n"
	n = 100
	add()
	state := func(more string) string {
		return `{"version":2,"cwd":"/w/a"` + more + `,"agents":{"main":{"type":"main"}},"createdAt":1795794450100,"updatedAt":1795794450200}`
	}
	return []trial.Input{
		input("1", "agents/main/wire.jsonl", first), input("1", "state.json", state("")),
		input("2", "agents/main/wire.jsonl", log), input("2", "state.json", state(`,"forkedFrom":"session_1"`)),
	}
}

func eventID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }
