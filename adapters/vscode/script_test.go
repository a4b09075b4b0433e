package vscode_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

type (
	obj  = map[string]any
	list = []any
)

func marshal(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// log composes a log of changes.
type log struct{ lines []string }

func (l *log) add(t testing.TB, kind int, more obj) *log {
	more["kind"] = kind
	l.lines = append(l.lines, marshal(t, more))
	return l
}

// shown writes what happened, a line each.
func shown(t *testing.T, path, data string) []string {
	t.Helper()
	var out []string
	adaptertest.Events(t, vscode.Adapter{}, path, []byte(data), func(ev *core.Event) {
		if line := short(ev); line != "" {
			if ev.Thread != "" {
				line = ev.Thread + ": " + line
			}
			out = append(out, line)
		}
	})
	return out
}

func short(ev *core.Event) string {
	if b, ok := ev.Body.(*core.SessionStart); ok {
		return strings.Join(strings.Fields("start "+ev.Session+" "+b.Cwd+" "+b.Git.Branch+" "+b.Model), " ")
	}
	return adaptertest.Short(ev)
}

// request is a request as the client writes it, and what it answered.
func request(id, text string, response list, more obj) obj {
	r := obj{
		"requestId": id, "timestamp": 1784278801000, "message": obj{"text": text, "parts": list{}}, "modelId": "copilot/m1",
		"response": response,
	}
	maps.Copy(r, more)
	return r
}

func ended(rounds list, results obj) obj {
	return obj{"modelState": obj{"value": 1, "completedAt": 1784278803000}, "result": obj{"metadata": obj{
		"sessionId": "ext", "toolCallRounds": list{obj{"toolCalls": rounds}}, "toolCallResults": results,
	}}}
}

func told(text string) obj { return obj{"$mid": 20, "content": list{obj{"$mid": 21, "value": text}}} }

func tool(client, id string, more obj) obj {
	v := obj{"kind": "toolInvocationSerialized", "toolId": client, "toolCallId": id, "isComplete": true, "isConfirmed": obj{"type": 1}}
	maps.Copy(v, more)
	return v
}

func calling(id, name, args string) obj {
	return obj{"id": id + "__vscode-17", "name": name, "arguments": args}
}

// TestRequest reads what a request can hold.
func TestRequest(t *testing.T) {
	const edited = "The following files were successfully edited: \n /w/a.go \n"
	sketch := obj{"text": "B", "range": obj{"startLineNumber": 2, "startColumn": 1, "endLineNumber": 2, "endColumn": 2}}
	tests := []struct {
		name    string
		request obj
		want    []string
	}{
		{
			"words, thoughts and references",
			request("r1", "Hello.", list{
				obj{"kind": "thinking", "value": list{"Hm.", ""}},
				obj{"value": "See "},
				obj{"kind": "inlineReference", "inlineReference": obj{"path": "/w/src/a.go", "scheme": "file"}},
				obj{"value": " there."},
			}, ended(nil, nil)),
			[]string{"user Hello.", "says See a.go there. thinks Hm."},
		},
		{
			"an edit by strings, whose part has an id of its own",
			request("r1", "Do it.", list{obj{"value": "Now."}, tool("copilot_replaceString", "6f9619ff", obj{"presentation": "hidden"}), obj{"value": "Done."}},
				ended(list{calling("c1", "replace_string_in_file", `{"filePath":"/w/a.go","oldString":"x","newString":"y"}`)}, obj{"c1__vscode-17": told(edited)})),
			[]string{
				"user Do it.", "says Now.", "call c1 replace_string_in_file", "result c1 true",
				"edit c1 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1 +1 @@\n-x\n+y\n", "says Done.",
			},
		},
		{
			"several places in a file that was read, the later one first",
			request("r1", "Do it.", list{tool("copilot_readFile", "c0", nil), tool("copilot_multiReplaceString", "c1", nil)},
				ended(list{
					calling("c0", "read_file", `{"filePath":"/w/a.go"}`),
					calling("c1", "multi_replace_string_in_file", `{"replacements":[{"filePath":"/w/a.go","oldString":"9\n","newString":"nine\nNINE\n"},{"filePath":"/w/a.go","oldString":"1\n","newString":""}]}`),
				}, obj{"c0__vscode-17": told("```go\n1\n2\n3\n4\n5\n6\n7\n8\n9\n\n```"), "c1__vscode-17": told(edited)})),
			[]string{
				"user Do it.", "call c0 read_file", "result c0 true", "call c1 multi_replace_string_in_file", "result c1 true",
				"edit c1 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -6,4 +5,5 @@\n 6\n 7\n 8\n-9\n+nine\n+NINE\n",
			},
		},
		{
			"an edit that failed",
			request("r1", "Do it.", list{tool("copilot_applyPatch", "c1", nil)},
				ended(list{calling("c1", "apply_patch", `{"input":"*** Begin Patch\n*** Update File: /w/a.go\n@@\n-x\n+y\n*** End Patch"}`)},
					obj{"c1__vscode-17": told("Applying patch failed with error: Invalid context")})),
			[]string{"user Do it.", "call c1 apply_patch", "result c1 false"},
		},
		{
			"calls of which no part tells, in their places, and a file that was shown as it is",
			request("r1", "Do it.", list{
				tool("copilot_readFile", "c1", nil), obj{"value": "Hm."}, tool("copilot_replaceString", "c3", nil), tool("copilot_replaceString", "c4", nil),
			}, ended(list{
				calling("c1", "read_file", `{"filePath":"/w/a.go","startLine":1,"endLine":99}`), calling("c2", "read_file", `{}`),
				calling("c3", "replace_string_in_file", `{"filePath":"/w/a.go","oldString":"z","newString":"y"}`),
				calling("c4", "replace_string_in_file", `{"filePath":"/w/a.go","oldString":"b","newString":"y"}`),
			}, obj{
				"c1__vscode-17": told("a\nb\n"), "c2__vscode-17": told("ERROR: Your input to the tool was invalid"),
				"c3__vscode-17": told("String replacement failed: Could not find matching text"), "c4__vscode-17": told(edited),
			})),
			[]string{
				"user Do it.", "call c1 read_file", "result c1 true", "says Hm.", "call c2 read_file", "result c2 false",
				"call c3 replace_string_in_file", "result c3 false", "call c4 replace_string_in_file", "result c4 true",
				"edit c4 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,2 +1,2 @@\n a\n-b\n+y\n",
			},
		},
		{
			"a call that a person refused, and one that never ended",
			request("r1", "Do it.", list{
				tool("run_in_terminal", "c1", obj{"isConfirmed": obj{"type": 0}}), tool("run_in_terminal", "c2", obj{"isComplete": false}),
			}, ended(list{calling("c1", "run_in_terminal", `{}`), calling("c2", "run_in_terminal", `{}`)}, nil)),
			[]string{"user Do it.", "call c1 run_in_terminal", "result c1 false rejected: ", "call c2 run_in_terminal"},
		},
		{
			"a sketch that was merged into a file that was read",
			request("r1", "Do it.", list{
				tool("copilot_readFile", "c1", nil), tool("copilot_insertEdit", "c2", nil),
				obj{"kind": "textEditGroup", "uri": obj{"path": "/w/a.go"}, "edits": list{list{sketch}, list{}}, "done": true},
			}, ended(list{
				calling("c1", "read_file", `{"filePath":"/w/a.go"}`), calling("c2", "insert_edit_into_file", `{"filePath":"/w/a.go","code":"…"}`),
			}, obj{"c1__vscode-17": told("```go\na\nb\nc\n\n```"), "c2__vscode-17": told(edited)})),
			[]string{
				"user Do it.", "call c1 read_file", "result c1 true", "call c2 insert_edit_into_file", "result c2 true",
				"edit c2 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n", "says ",
			},
		},
		{
			"a subagent",
			request("r1", "Do it.", list{
				tool("runSubagent", "c1", nil), tool("copilot_readFile", "p1", obj{"subAgentInvocationId": "c1"}), tool("copilot_readFile", "p2", obj{"fromSubAgent": true}),
			}, ended(list{calling("c1", "runSubagent", `{"prompt":"Look."}`)}, obj{"c1__vscode-17": told("Found.")})),
			[]string{
				"user Do it.", "call c1 runSubagent", "result c1 true spawned c1", "c1: call p1 copilot_readFile", "c1: result p1 true",
				"c1: call p2 copilot_readFile", "c1: result p2 true",
			},
		},
		{
			"a command that failed, an older confirmation, text that was taken back",
			request("r1", "Do it.", list{
				obj{"value": "No."},
				obj{"kind": "clearToPreviousToolInvocation", "reason": 1},
				obj{"value": "Yes."},
				tool("run_in_terminal", "c1", obj{"isConfirmed": true, "toolSpecificData": obj{"kind": "terminal", "terminalCommandState": obj{"exitCode": 3}}}),
			}, ended(list{calling("c1", "run_in_terminal", `{"command":"x"}`)}, nil)),
			[]string{"user Do it.", "says Yes.", "call c1 run_in_terminal", "result c1 false"},
		},
		{
			"a summary, a button, and what nobody has described",
			request("r1", "Continue", list{obj{"kind": "hologram", "x": 1}}, obj{
				"confirmation": "Continue", "aura": 1, "promptTokens": 9, "completionTokens": 3,
				"result": obj{"metadata": obj{"summaries": list{obj{"toolCallRoundId": "x", "text": "So far."}}}},
			}),
			[]string{"put Continue", "unknown request/aura", "unknown response/hologram", "says  {Input:9 Output:3 CacheRead:0 CacheCreation:0 CacheCreation1h:0 Reasoning:0 Fast:false}", "compaction 0-0 So far."},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			session := obj{"version": 3, "sessionId": "s1", "creationDate": 1784278800000, "responderUsername": "GitHub Copilot", "requests": list{tt.request}}
			want := append([]string{"start s1 m1"}, tt.want...)
			if diff := cmp.Diff(want, shown(t, "chatSessions/s1.json", marshal(t, session))); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
			l := new(log).add(t, 0, obj{"v": session})
			if diff := cmp.Diff(want, shown(t, "chatSessions/s1.jsonl", strings.Join(l.lines, "\n"))); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}

// TestLog reads changes: what streams in is passed on when it is settled.
func TestLog(t *testing.T) {
	empty := obj{"version": 3, "sessionId": "s1", "requests": list{}}
	asks := func(id, text string) obj { return request(id, text, list{}, nil) }
	done := obj{"value": 1, "completedAt": 1}
	tests := []struct {
		name string
		log  func(l *log)
		want []string
	}{
		{"words that grow", func(l *log) {
			l.add(t, 0, obj{"v": empty}).add(t, 2, obj{"k": list{"requests"}, "v": list{asks("r1", "Hello.")}}).
				add(t, 2, obj{"k": list{"requests", 0, "response"}, "v": list{obj{"value": "Hel"}}}).
				add(t, 2, obj{"k": list{"requests", 0, "response"}, "v": list{obj{"value": "Hello"}}, "i": 0}).
				add(t, 1, obj{"k": list{"requests", 0, "modelState"}, "v": done}).
				add(t, 1, obj{"k": list{"customTitle"}}).
				add(t, 1, obj{"k": list{"requests", 0, "result"}, "v": obj{"metadata": obj{}}})
		}, []string{"start s1", "user Hello.", "says Hello"}},
		{"more after the result", func(l *log) {
			l.add(t, 0, obj{"v": empty}).add(t, 2, obj{"k": list{"requests"}, "v": list{asks("r1", "Hello.")}}).
				add(t, 1, obj{"k": list{"requests", 0, "result"}, "v": obj{}}).
				add(t, 2, obj{"k": list{"requests", 0, "response"}, "v": list{obj{"value": "Late."}}}).
				add(t, 3, obj{"k": list{"requests", 0, "vote"}})
		}, []string{"start s1", "user Hello.", "says Late."}},
		{"a request that another one follows", func(l *log) {
			l.add(t, 0, obj{"v": empty}).add(t, 2, obj{"k": list{"requests"}, "v": list{asks("r1", "One.")}}).
				add(t, 2, obj{"k": list{"requests"}, "v": list{asks("r2", "Two.")}})
		}, []string{"start s1", "user One.", "user Two."}},
		{"requests that were taken back", func(l *log) {
			first, second := request("r1", "One.", list{obj{"value": "1"}}, ended(nil, nil)), request("r2", "Two.", list{}, ended(nil, nil))
			l.add(t, 0, obj{"v": obj{"version": 3, "sessionId": "s1", "requests": list{first, second}}}).
				add(t, 2, obj{"k": list{"requests"}, "v": list{request("r3", "Three.", list{}, ended(nil, nil))}, "i": 1}).
				add(t, 2, obj{"k": list{"requests"}, "i": 0})
		}, []string{"start s1 m1", "user One.", "says 1", "user Two.", "rewind r1/a1 2", "user Three.", "rewind s1 0"}},
		{"the whole written anew", func(l *log) {
			first := request("r1", "One.", list{}, ended(nil, nil))
			l.add(t, 0, obj{"v": obj{"sessionId": "s1", "requests": list{first}}}).
				add(t, 0, obj{"v": obj{"sessionId": "s1", "requests": list{first, request("r2", "Two.", list{}, ended(nil, nil))}}})
		}, []string{"start s1 m1", "user One.", "user Two."}},
		{"a request that waits for its agent, and is sent again in its own place", func(l *log) {
			waits := request("r1", "One.", list{}, obj{"agent": obj{"id": "setup.agent"}, "modelState": obj{"value": 0}})
			l.add(t, 0, obj{"v": empty}).add(t, 2, obj{"k": list{"requests"}, "v": list{waits}}).
				add(t, 2, obj{"k": list{"requests"}, "v": list{request("r2", "One.", list{obj{"value": "1"}}, ended(nil, nil))}, "i": 0})
		}, []string{"start s1", "user One.", "says 1"}},
		{"a request for which there never was an agent", func(l *log) {
			waits := request("r1", "One.", list{}, obj{"agent": obj{"id": "setup.agent"}})
			l.add(t, 0, obj{"v": empty}).add(t, 2, obj{"k": list{"requests"}, "v": list{waits}}).
				add(t, 2, obj{"k": list{"requests"}, "v": list{asks("r2", "Two.")}})
		}, []string{"start s1", "user One.", "user Two."}},
		{"a save whose last line is the response", func(l *log) {
			result := ended(list{calling("c1", "run_in_terminal", `{"command":"x"}`)}, nil)["result"]
			l.add(t, 0, obj{"v": empty}).add(t, 2, obj{"k": list{"requests"}, "v": list{asks("r1", "Do it.")}}).
				add(t, 1, obj{"k": list{"requests", 0, "completionTokens"}, "v": 3}).
				add(t, 1, obj{"k": list{"requests", 0, "result"}, "v": result}).
				add(t, 1, obj{"k": list{"requests", 0, "modelState"}, "v": done}).
				add(t, 1, obj{"k": list{"requests", 0, "completionTokens"}, "v": 5}).
				add(t, 2, obj{"k": list{"requests", 0, "response"}, "v": list{
					obj{"value": "So."}, tool("run_in_terminal", "c1", obj{"isConfirmed": obj{"type": 5}}),
				}})
		}, []string{
			"start s1", "user Do it.", "says So.", "call c1 run_in_terminal", "result c1 false rejected: ",
			"says  {Input:0 Output:5 CacheRead:0 CacheCreation:0 CacheCreation1h:0 Reasoning:0 Fast:false}",
		}},
		{"a call whose part comes when the request was told of", func(l *log) {
			more := ended(list{calling("c1", "run_in_terminal", `{}`)}, obj{"c1__vscode-17": told("x")})
			l.add(t, 0, obj{"v": empty}).add(t, 2, obj{"k": list{"requests"}, "v": list{request("r1", "Do it.", list{obj{"value": "So."}}, more)}}).
				add(t, 1, obj{"k": list{"customTitle"}, "v": "T"}).
				add(t, 2, obj{"k": list{"requests", 0, "response"}, "v": list{tool("run_in_terminal", "c1", nil), obj{"value": "Done."}}})
		}, []string{"start s1", "user Do it.", "says So.", "call c1 run_in_terminal", "result c1 true", "says Done."}},
		{"a response that never came, and what a request has cost so far", func(l *log) {
			l.add(t, 0, obj{"v": empty}).add(t, 2, obj{"k": list{"requests"}, "v": list{request("r1", "Hello.", list{obj{"value": "1"}}, nil)}}).
				add(t, 1, obj{"k": list{"requests", 0, "promptTokens"}, "v": 7}).
				add(t, 1, obj{"k": list{"requests", 0, "result"}, "v": obj{}}).
				add(t, 1, obj{"k": list{"requests", 0, "modelState"}, "v": done}).
				add(t, 1, obj{"k": list{"requests", 0, "promptTokens"}, "v": 9}).
				add(t, 2, obj{"k": list{"requests", 0, "response"}, "v": list{obj{"value": "2"}}}).
				add(t, 2, obj{"k": list{"requests"}, "v": list{asks("r2", "Two.")}}).
				add(t, 1, obj{"k": list{"requests", 1, "modelState"}, "v": done}).
				add(t, 1, obj{"k": list{"requests", 1, "result"}, "v": obj{}}).
				add(t, 1, obj{"k": list{"inputState", "inputText"}, "v": "T"})
		}, []string{
			"start s1", "user Hello.", "says 1 {Input:7 Output:0 CacheRead:0 CacheCreation:0 CacheCreation1h:0 Reasoning:0 Fast:false}",
			"says 2 {Input:2 Output:0 CacheRead:0 CacheCreation:0 CacheCreation1h:0 Reasoning:0 Fast:false}", "user Two.",
		}},
		{"a log without its beginning", func(l *log) {
			l.add(t, 1, obj{"k": list{"requests", 3, "result"}, "v": obj{}}).
				add(t, 2, obj{"k": list{"requests"}, "v": list{request("r1", "One.", list{}, ended(nil, nil))}})
		}, []string{"start s9", "user One."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := &log{}
			tt.log(l)
			if diff := cmp.Diff(tt.want, shown(t, "chatSessions/s9.jsonl", strings.Join(l.lines, "\n"))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestUndone has a document say that its last request will be dropped.
func TestUndone(t *testing.T) {
	session := obj{"sessionId": "s1", "requests": list{
		request("r1", "One.", list{}, ended(nil, nil)), request("r2", "Two.", list{}, obj{"shouldBeRemovedOnSend": obj{"requestId": "r2"}}),
	}}
	want := []string{"start s1 m1", "user One.", "user Two.", "rewind r1 1"}
	if diff := cmp.Diff(want, shown(t, "s1.json", marshal(t, session))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWorkspace takes the folder from beside the session, and the rest from it.
func TestWorkspace(t *testing.T) {
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for beside, want := range map[string]string{
		`{"folder":"file:///home/dev/my%20app"}`: "/home/dev/my app", `{"folder":"file:///c%3A/app"}`: "c:/app",
		`{"workspace":"file:///x.code-workspace"}`: "", `{`: "",
	} {
		info := core.StreamInfo{Path: "chatSessions/s1.json", Sidecars: map[string][]byte{"../workspace.json": []byte(beside)}}
		st, got := set.Open(vscode.Adapter{}, info, "s1.json"), ""
		st.OnEvent(func(ev *core.Event) {
			if ev.Project != nil {
				got = ev.Project.Cwd + ev.Project.Git.Branch
			}
		})
		st.Line([]byte(`{"sessionId":"s1","repoData":{"localBranch":"!"},"requests":[]}`), 0, 1)
		if got != want+"!" {
			t.Errorf("%s: works in %q, want %q", beside, got, want+"!")
		}
	}
}
