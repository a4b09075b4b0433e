package meta_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/testkit/meta"
	"github.com/memscribe/memscribe/testkit/run"
)

// TestCompanions has chat sessions of VS Code grow beside the editing sessions that
// say what their edits replaced, and beside the extension's transcripts, which tell
// the same: each is written, rewritten, moved and deleted whatever the others do.
func TestCompanions(t *testing.T) {
	cases := []meta.Case{
		{Files: append(work(t, "s1", "workspaceStorage/w/chatSessions/s1.jsonl"), retold(t, "s1"))}, {Files: work(t, "s2", "globalStorage/emptyWindowChatSessions/s2.jsonl")},
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
func retold(t *testing.T, id string) run.Input {
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
	return run.Input{Adapter: vscode.Adapter{}, Path: name, Name: name, Data: []byte(log.String())}
}

// work is a chat session in which subagents edit files, as a log, and the editing
// session beside it.
func work(t *testing.T, id, place string) []run.Input {
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
	input := func(name, data string) run.Input {
		return run.Input{Adapter: vscode.Adapter{}, Path: name, Name: name, Data: []byte(data)}
	}
	return []run.Input{input(place, log), input("workspaceStorage/w/chatEditingSessions/"+id+"/state.json", state)}
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
