package vscode_test

import (
	"crypto/sha1" //nolint:gosec // the client names texts so
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/io/discover"
)

// textEdit replaces a range, as a part of a response and an operation of an
// editing session say it.
func textEdit(line, from, to int, text string) obj {
	return obj{"text": text, "range": obj{"startLineNumber": line, "startColumn": from, "endLineNumber": line, "endColumn": to}}
}

func group(file string, edits ...any) obj {
	return obj{"kind": "textEditGroup", "uri": obj{"$mid": 1, "path": file, "scheme": "file"}, "edits": list{edits, list{}}, "done": true}
}

// baseline is a file before the first edit of a request.
func baseline(request, file, text string) list {
	uri := obj{"$mid": 1, "path": file, "scheme": "file"}
	return list{"file://" + file + "::" + request, obj{"uri": uri, "requestId": request, "content": text, "epoch": 1, "telemetryInfo": obj{"requestId": request}}}
}

func operation(kind, request, file string, more obj) obj {
	op := obj{"type": kind, "uri": obj{"$mid": 1, "path": file, "scheme": "file"}, "requestId": request, "epoch": 2}
	maps.Copy(op, more)
	return op
}

// timeline is an editing session of version 2.
func timeline(baselines, operations list) obj {
	return obj{
		"version": 2, "initialFileContents": list{}, "recentSnapshot": obj{"entries": list{}},
		"timeline": obj{"checkpoints": list{}, "fileBaselines": baselines, "operations": operations, "currentEpoch": 9, "epochCounter": 9},
	}
}

func hash(text string) string {
	sum := sha1.Sum([]byte(text)) //nolint:gosec // as above
	return hex.EncodeToString(sum[:])[:7]
}

func entry(file, text string) obj {
	return obj{"resource": "file://" + file, "originalHash": hash(text), "currentHash": hash(text), "state": 0}
}

// edits writes a chat session and what lies beside it to a folder, and shows the
// edits that are read of it.
func edits(t *testing.T, session string, files map[string]string) []string {
	t.Helper()
	dir := t.TempDir()
	files["workspaceStorage/w/chatSessions/s1.json"] = session
	for name, data := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "workspaceStorage", "w", "chatSessions", "s1.json")
	st := set.Open(vscode.Adapter{}, discover.Info(vscode.Adapter{}, filepath.ToSlash(file), file), file)
	var out []string
	st.OnEvent(func(ev *core.Event) {
		if _, ok := ev.Body.(*core.FileEdit); ok {
			out = append(out, strings.TrimPrefix(ev.Thread+": ", ": ")+short(ev))
		}
	})
	st.Line([]byte(session), 0, 1)
	return out
}

// TestEditingSession finds what edits replaced in the editing session that
// belongs to the chat session.
func TestEditingSession(t *testing.T) {
	const (
		done  = "The following files were successfully edited: \n /w/a.go \n"
		state = "workspaceStorage/w/chatEditingSessions/s1/state.json"
	)
	contents := func(texts ...string) map[string]string {
		files := map[string]string{}
		for _, text := range texts {
			files["workspaceStorage/w/chatEditingSessions/s1/contents/"+hash(text)] = text
		}
		return files
	}
	spawn := func(parts ...any) list {
		return append(list{tool("runSubagent", "c1", nil), tool("copilot_replaceString", "p1", obj{"subAgentInvocationId": "c1"})}, parts...)
	}
	byAgent := func(parts ...any) obj {
		return request("r1", "Do it.", spawn(parts...), ended(list{calling("c1", "runSubagent", `{"prompt":"Do."}`)}, obj{"c1__vscode-17": told("Done.")}))
	}
	byString := func(id, call, before, after string) obj {
		return request(id, "Do it.", list{tool("copilot_replaceString", call, nil), group("/w/a.go", textEdit(2, 1, 2, after))}, ended(
			list{calling(call, "replace_string_in_file", marshal(t, obj{"filePath": "/w/a.go", "oldString": before, "newString": after}))},
			obj{call + "__vscode-17": told(done)}))
	}
	tests := []struct {
		name     string
		requests list
		state    any
		contents map[string]string
		want     []string
	}{
		{
			"a subagent's edits of a file that nothing showed, one on the other",
			list{byAgent(group("/w/a.go", textEdit(2, 1, 2, "B")), tool("copilot_replaceString", "p2", obj{"subAgentInvocationId": "c1"}), group("/w/a.go", textEdit(3, 1, 2, "C")))},
			timeline(list{baseline("r1", "/w/a.go", "a\nb\nc\n")}, list{operation("textEdit", "r1", "/w/a.go", nil)}), nil,
			[]string{
				"c1: edit p1 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
				"c1: edit p2 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,3 +1,3 @@\n a\n B\n-c\n+C\n",
			},
		},
		{
			"without it nothing says what was replaced",
			list{byAgent(group("/w/a.go", textEdit(2, 1, 2, "B")))},
			nil, nil, nil,
		},
		{
			"a state that is being written is none",
			list{byAgent(group("/w/a.go", textEdit(2, 1, 2, "B")))},
			"{\"version\":2,\"timeline\":{\"fileBaselines\":[[", nil, nil,
		},
		{
			"a file that a person changed between two requests: the place, and one edit for each call",
			list{byString("r1", "c1", "b", "B"), byString("r2", "c2", "B", "D")},
			timeline(list{baseline("r1", "/w/a.go", "a\nb\n"), baseline("r2", "/w/a.go", "1\n2\n3\na\nB\n")}, list{}), nil,
			[]string{
				"edit c1 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
				"edit c2 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -2,4 +2,4 @@\n 2\n 3\n a\n-B\n+D\n",
			},
		},
		{
			"a file with other line ends",
			list{byString("r1", "c1", "a\nb", "a\nB")},
			timeline(list{baseline("r1", "/w/a.go", "0\r\na\r\nb\r\n")}, list{}), nil,
			[]string{"edit c1 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,3 +1,3 @@\n 0\r\n a\r\n-b\r\n+B\r\n"},
		},
		{
			"lines inserted into a file with other line ends",
			list{byAgent(group("/w/a.go", textEdit(2, 1, 1, "x\ny\n")))},
			timeline(list{baseline("r1", "/w/a.go", "a\r\nb\r\n")}, list{}), nil,
			[]string{"c1: edit p1 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,2 +1,4 @@\n a\r\n+x\r\n+y\r\n b\r\n"},
		},
		{
			"a file that was created, by the subagent's string tool",
			list{byAgent(group("/w/n.go", textEdit(1, 1, 1, "new\n")))},
			timeline(list{baseline("r1", "/w/n.go", "")}, list{operation("create", "r1", "/w/n.go", obj{"initialContent": ""})}), nil,
			[]string{"c1: edit p1 create /w/n.go\n--- /dev/null\n+++ b/w/n.go\n@@ -0,0 +1 @@\n+new\n"},
		},
		{
			"a file that was deleted, with all that it held",
			list{request("r1", "Do it.", list{tool("copilot_applyPatch", "c1", nil)}, ended(
				list{calling("c1", "apply_patch", `{"input":"*** Begin Patch\n*** Delete File: /w/a.go\n*** End Patch"}`)}, obj{"c1__vscode-17": told(done)}))},
			timeline(list{}, list{operation("delete", "r1", "/w/a.go", obj{"finalContent": "a\nb\n"})}), nil,
			[]string{"edit c1 delete /w/a.go\n--- a/w/a.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"},
		},
		{
			"a call that failed, whatever the state says",
			list{request("r1", "Do it.", list{tool("copilot_replaceString", "c1", nil)}, ended(
				list{calling("c1", "replace_string_in_file", `{"filePath":"/w/a.go","oldString":"b","newString":"B"}`)}, obj{"c1__vscode-17": told("ERROR: no match")}))},
			timeline(list{baseline("r1", "/w/a.go", "a\nb\n")}, list{}), nil, nil,
		},
		{
			"edits that were taken back later did happen",
			list{byString("r1", "c1", "b", "B")},
			obj{
				"version": 2, "initialFileContents": list{}, "recentSnapshot": obj{"entries": list{obj{"resource": "file:///w/a.go", "state": 2}}},
				"timeline": obj{"fileBaselines": list{baseline("r1", "/w/a.go", "a\nb\n")}, "operations": list{operation("textEdit", "r1", "/w/a.go", nil)}, "currentEpoch": 1},
			},
			nil,
			[]string{"edit c1 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"},
		},
		{
			"the layout before, by the names of texts",
			list{byAgent(group("/w/a.go", textEdit(2, 1, 2, "B"))), byString("r2", "c2", "B", "D")},
			obj{
				"version": 1, "sessionId": "s1", "linearHistoryIndex": 2,
				"initialFileContents": list{list{"file:///w/a.go", hash("a\nb\n")}},
				"linearHistory": list{
					obj{"requestId": "r1", "stops": list{obj{"entries": list{}}, obj{"stopId": "x", "entries": list{entry("/w/a.go", "a\nB\n")}}}},
					obj{"requestId": "r2", "stops": list{obj{"entries": list{entry("/w/a.go", "0\na\nB\n")}}}},
				},
			},
			contents("a\nb\n", "a\nB\n", "0\na\nB\n"),
			[]string{
				"c1: edit p1 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
				"edit c2 modify /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,3 +1,3 @@\n 0\n a\n-B\n+D\n",
			},
		},
		{
			"the layout before, whose texts are gone",
			list{byAgent(group("/w/a.go", textEdit(2, 1, 2, "B")))},
			obj{"version": 1, "initialFileContents": list{list{"file:///w/a.go", "0000000"}}, "linearHistory": list{obj{"requestId": "r1", "stops": list{}}}},
			nil, nil,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := map[string]string{}
			maps.Copy(files, tt.contents)
			switch s := tt.state.(type) {
			case string:
				files[state] = s
			case obj:
				files[state] = marshal(t, s)
			}
			got := edits(t, marshal(t, obj{"version": 3, "sessionId": "s1", "requests": tt.requests}), files)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCompanions says which files are of one work, on every kind of place.
func TestCompanions(t *testing.T) {
	type want struct {
		work  string
		files []string
	}
	beside := []string{"../chatEditingSessions/s1/state.json", "../chatEditingSessions/s1/contents/*"}
	anywhere := []string{"../../workspaceStorage/*/chatEditingSessions/s1/state.json", "../../workspaceStorage/*/chatEditingSessions/s1/contents/*"}
	for path, w := range map[string]want{
		"/u/workspaceStorage/w/chatSessions/s1.json":                    {"s1", beside},
		"/u/workspaceStorage/w/chatSessions/s1.jsonl":                   {"s1", beside},
		"/u/globalStorage/emptyWindowChatSessions/s1.jsonl":             {"s1", anywhere},
		"/u/globalStorage/transferredChatSessions/s1.json":              {"s1", anywhere},
		"/u/workspaceStorage/w/chatEditingSessions/s1/state.json":       {"s1", nil},
		"/u/workspaceStorage/w/chatEditingSessions/s1/contents/0123456": {},
		"/home/dev/export.json":                                         {},
	} {
		work, files := vscode.Adapter{}.Companions(path)
		if diff := cmp.Diff(w, want{work, files}, cmp.AllowUnexported(want{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

// FuzzEditingSession has anything at all lie where the state of an editing session
// should.
func FuzzEditingSession(f *testing.F) {
	session := []byte(marshal(f, obj{"sessionId": "s1", "requests": list{request("r1", "Do it.", list{
		tool("copilot_createFile", "c1", nil), group("/w/a", textEdit(1, 1, 1, "x")),
	}, ended(list{calling("c1", "create_file", `{"filePath":"/w/a"}`)}, obj{"c1__vscode-17": told("successfully edited")}))}}))
	f.Add(marshal(f, timeline(list{baseline("r1", "/w/a", "a\r\nb\n")}, list{operation("create", "r1", "/w/a", nil)})))
	f.Add(marshal(f, obj{"initialFileContents": list{list{"file:///w/a", "0"}}, "linearHistory": list{obj{"requestId": "r1", "stops": list{obj{}}}}}))
	f.Add(`{"timeline":{"fileBaselines":[["x"],{},[[{"uri":"file:///c%3A/a","requestId":"r1","content":"\ud800"}]]]}}`)
	f.Fuzz(func(t *testing.T, state string) {
		set, err := pipeline.NewSet(pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		beside := map[string][]byte{"../chatEditingSessions/s1/state.json": []byte(state), "../chatEditingSessions/s1/contents/0": []byte("a\n")}
		st := set.Open(vscode.Adapter{}, core.StreamInfo{Path: "chatSessions/s1.json", Sidecars: beside}, "s1.json")
		edits := 0
		st.OnEvent(func(ev *core.Event) {
			if _, ok := ev.Body.(*core.FileEdit); ok {
				edits++
			}
		})
		st.Line(session, 0, 1)
		if edits > 1 {
			t.Errorf("one call gave %d edits", edits)
		}
	})
}
