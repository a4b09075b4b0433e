package vscode_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestTraps holds what readers of chat sessions got wrong, by their reports; what
// concerns changes, exports and edits besides is held by TestRequest, TestLog and
// TestEditingSession.
func TestTraps(t *testing.T) {
	const edited = "The following files were successfully edited: \n /w/a.go \n"
	replace := func(id, from, to string) obj {
		return calling(id, "replace_string_in_file", `{"filePath":"/w/a.go","oldString":"`+from+`","newString":"`+to+`"}`)
	}
	tests := []struct {
		name    string
		request obj
		want    []string
	}{
		{
			"a hidden part takes the call that is its own",
			request("r1", "Do.", list{
				tool("copilot_readFile", "uuid-1", obj{"presentation": "hidden"}), tool("copilot_readFile", "uuid-2", nil), tool("copilot_replaceString", "uuid-3", nil),
			}, ended(list{calling("c1", "read_file", `{}`), calling("c2", "read_file", `{}`), replace("c3", "x", "y")},
				obj{"c1__vscode-17": told("1"), "c2__vscode-17": told("2"), "c3__vscode-17": told(edited)})),
			[]string{
				"user Do.", "call c1 read_file", "result c1 true", "call c2 read_file", "result c2 true", "call c3 replace_string_in_file",
				"result c3 true", "edit c3 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1 +1 @@\n-x\n+y\n",
			},
		},
		{
			"a part of a subagent's takes no call of the main line",
			request("r1", "Do.", list{
				tool("runSubagent", "c1", nil), tool("copilot_replaceString", "p1", obj{"subAgentInvocationId": "c1"}), tool("copilot_replaceString", "c2", nil),
			}, ended(list{calling("c1", "runSubagent", `{}`), replace("c2", "x", "y")}, obj{"c1__vscode-17": told("Done."), "c2__vscode-17": told(edited)})),
			[]string{
				"user Do.", "call c1 runSubagent", "result c1 true spawned c1", "c1: call p1 copilot_replaceString", "c1: result p1 true",
				"call c2 replace_string_in_file", "result c2 true", "edit c2 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1 +1 @@\n-x\n+y\n",
			},
		},
		{
			"a result in the form in which the client composes prompts is text",
			request("r1", "Do.", list{tool("copilot_replaceString", "c1", nil)}, ended(list{replace("c1", "x", "y")}, obj{"c1__vscode-17": obj{
				"$mid": 20, "content": list{obj{"$mid": 23, "value": obj{"node": obj{"type": 1, "children": list{
					obj{"type": 2, "text": "ERROR while calling", "lineBreakBefore": true}, obj{"type": 2, "text": "tool", "lineBreakBefore": true},
				}}}}},
			}})),
			[]string{"user Do.", "call c1 replace_string_in_file", "result c1 false"},
		},
		{
			"a call that was skipped is none that was made, and one of before that needed no answer is",
			request("r1", "Do.", list{
				tool("copilot_replaceString", "c1", obj{"isConfirmed": obj{"type": 5}}), tool("copilot_replaceString", "c2", obj{"isConfirmed": false}),
			}, ended(list{replace("c1", "x", "y"), replace("c2", "y", "z")}, obj{"c1__vscode-17": told(""), "c2__vscode-17": told(edited)})),
			[]string{
				"user Do.", "call c1 replace_string_in_file", "result c1 false rejected: ", "call c2 replace_string_in_file", "result c2 true",
				"edit c2 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1 +1 @@\n-y\n+z\n",
			},
		},
		{
			"an edit by ranges whose text before nobody knows is none",
			request("r1", "Do.", list{tool("copilot_insertEdit", "c1", nil), obj{
				"kind": "textEditGroup", "uri": obj{"path": "/w/a.go"}, "done": true,
				"edits": list{list{obj{"text": "fals", "range": obj{"startLineNumber": 9, "startColumn": 48, "endLineNumber": 9, "endColumn": 51}}}, list{}},
			}}, ended(list{calling("c1", "insert_edit_into_file", `{"filePath":"/w/a.go","code":"…"}`)}, obj{"c1__vscode-17": told(edited)})),
			[]string{"user Do.", "call c1 insert_edit_into_file", "result c1 true", "says "},
		},
		{
			"a file that ends before the last line asked for was shown whole; the client's own tool merges on behalf of the call",
			request("r1", "Do.", list{
				tool("copilot_readFile", "uuid-1", nil), tool("copilot_insertEdit", "uuid-2", obj{"presentation": "hidden"}),
				tool("vscode_editFile_internal", "uuid-3", obj{"presentation": "hidden"}),
				obj{
					"kind": "textEditGroup", "uri": obj{"path": "/w/a.go"}, "done": true,
					"edits": list{list{obj{"text": "B", "range": obj{"startLineNumber": 2, "startColumn": 1, "endLineNumber": 2, "endColumn": 2}}}, list{}},
				},
			}, ended(list{
				calling("c1", "read_file", `{"filePath":"/w/a.go","startLine":1,"endLine":20}`), calling("c2", "insert_edit_into_file", `{"filePath":"/w/a.go","code":"…"}`),
			}, obj{"c1__vscode-17": told("````go\na\nb\n```\n\n````"), "c2__vscode-17": told(edited)})),
			[]string{
				"user Do.", "call c1 read_file", "result c1 true", "call c2 insert_edit_into_file", "result c2 true", "call uuid-3 vscode_editFile_internal", "result uuid-3 true",
				"edit c2 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n ```\n", "says ",
			},
		},
		{
			"a time that stands for a wait is no time",
			request("r1", "Do.", list{obj{"value": "Done."}}, obj{"timeSpentWaiting": 1784278801000, "result": obj{"metadata": obj{}}}),
			[]string{"user Do.", "says Done."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			session := obj{
				"version": 3, "sessionId": "s1", "responderUsername": "GitHub Copilot", "requests": list{tt.request},
				"inputState": obj{"inputText": "a draft"}, "pendingRequests": list{obj{"request": obj{"message": "in a queue"}}},
			}
			if diff := cmp.Diff(append([]string{"start s1 m1"}, tt.want...), shown(t, "chatSessions/s1.json", marshal(t, session))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestChosenModel: the client's own choice is no model; what was chosen stands in
// the result.
func TestChosenModel(t *testing.T) {
	r := request("r1", "Do.", list{obj{"value": "Done."}}, obj{"modelId": "copilot/auto", "result": obj{"metadata": obj{"resolvedModel": "m7"}}})
	adaptertest.Events(t, vscode.Adapter{}, "s1.json", []byte(marshal(t, obj{"sessionId": "s1", "requests": list{r}})), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.AssistantTurn); ok && b.Model != "m7" {
			t.Errorf("model %q", b.Model)
		}
	})
}

// TestCopies: the same session in two workspaces, as a document and as a log, gives
// each node once; an export of it has the ids of its requests.
func TestCopies(t *testing.T) {
	r := request("r1", "Use the second way, always.", list{obj{"value": "I will."}}, ended(nil, nil))
	session := obj{"version": 3, "sessionId": "s1", "requests": list{r}}
	document, log := marshal(t, session), marshal(t, obj{"kind": 0, "v": session})
	once := nodes(t, "", adaptertest.Sample{Path: "/u/workspaceStorage/a/chatSessions/s1.json", Data: document})
	if len(once) < 2 {
		t.Fatalf("nodes %q", once)
	}
	if diff := cmp.Diff(once, nodes(t, "", adaptertest.Sample{Path: "/u/workspaceStorage/a/chatSessions/s1.json", Data: document},
		adaptertest.Sample{Path: "/u/workspaceStorage/b/chatSessions/s1.jsonl", Data: log})); diff != "" {
		t.Errorf("a copy adds nodes (-want +got):\n%s", diff)
	}
}

// TestLongLine: a line may be many megabytes: a picture, the output of a command.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	l := new(log).add(t, 0, obj{"v": obj{"version": 3, "sessionId": "s1", "requests": list{}}}).
		add(t, 2, obj{"k": list{"requests"}, "v": list{request("r1", "Look.", list{obj{"value": long}}, ended(nil, nil))}})
	got := shown(t, "s1.jsonl", strings.Join(l.lines, "\n"))
	if len(got) != 3 || got[1] != "user Look." || len(got[2]) != len("says ")+len(long) {
		t.Errorf("%d events", len(got))
	}
}
