package vscode_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters"
	"github.com/memscribe/memscribe/adapters/vscode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

const (
	transcriptPath = "/u/workspaceStorage/w/GitHub.copilot-chat/transcripts/s1.jsonl"
	sessionPath    = "/u/workspaceStorage/w/chatSessions/s1.jsonl"
	sessionBeside  = "../../chatSessions/s1.jsonl"
	folderBeside   = "../../chatSessions"
)

// transcript is what the extension writes of a session in which a file is edited,
// an edit fails, and a subagent edits another file.
func transcript(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	n := 0
	entry := func(kind string, data obj) {
		n++
		b.WriteString(marshal(t, obj{
			"type": kind, "data": data, "id": fmt.Sprintf("e%d", n), "parentId": fmt.Sprintf("e%d", n-1),
			"timestamp": fmt.Sprintf("2026-05-11T23:13:%02d.000Z", n),
		}) + "\n")
	}
	asked := func(id, name, args string) obj {
		return obj{"toolCallId": id, "name": name, "arguments": args, "type": "function"}
	}
	made := func(id, name, args string, success bool, between ...func()) {
		entry("tool.execution_start", obj{"toolCallId": id, "toolName": name, "arguments": args})
		for _, f := range between {
			f()
		}
		entry("tool.execution_complete", obj{"toolCallId": id, "success": success})
	}
	const first, second, third = `{"filePath":"/w/a","oldString":"1","newString":"2"}`, `{"filePath":"/w/a","oldString":"x","newString":"y"}`, `{"filePath":"/w/b","content":"b\n"}`
	entry("session.start", obj{
		"sessionId": "s1", "version": 1, "producer": "copilot-agent", "copilotVersion": "0.67.0", "vscodeVersion": "1.139.1",
		"startTime": "2026-05-11T23:13:12.819Z",
	})
	entry("user.message", obj{"content": "Use the second way, always.", "attachments": list{}})
	entry("assistant.turn_start", obj{"turnId": "0"})
	entry("assistant.message", obj{
		"messageId": "m1", "content": "I will.", "reasoningText": "Hm.",
		"toolRequests": list{asked("c1", "replace_string_in_file", first), asked("c2", "replace_string_in_file", second), asked("c3", "runSubagent", `{"prompt":"Do."}`)},
	})
	made("c1", "replace_string_in_file", first, true)
	made("c2", "replace_string_in_file", second, false)
	made("c3", "runSubagent", `{"prompt":"Do."}`, true, func() {
		entry("user.message", obj{"content": "Do.", "attachments": list{}})
		made("c4", "create_file", third, true)
	})
	entry("assistant.turn_end", obj{"turnId": "0"})
	entry("a.new.kind", obj{"x": 1})
	return b.String()
}

// TestTranscript reads what the extension writes beside the sessions: by what it
// says of itself, or by where it lies.
func TestTranscript(t *testing.T) {
	data := transcript(t)
	_, rest, _ := strings.Cut(data, "\n")
	for path, head := range map[string]string{"/x.jsonl": data, transcriptPath: rest} {
		if a, fit := adapters.Detect(core.Sample{Path: path, Head: []byte(head)}); a == nil || a.Tool() != core.VSCode || fit != core.NativeFit {
			t.Errorf("%s: %v, fit %d", path, a, fit)
		}
	}
	if a, _ := adapters.Detect(core.Sample{Path: "/x.jsonl", Head: []byte(rest)}); a == nil || a.Tool() != core.Copilot {
		t.Errorf("the command line tool's are %v's", a)
	}
	want := []string{
		"start s1", "user Use the second way, always.", "says I will. thinks Hm.",
		"call c1 replace_string_in_file", "call c2 replace_string_in_file", "call c3 runSubagent",
		"result c1 true", "edit c1 modify /w/a\n--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-1\n+2", "result c2 false",
		"c3: put Do.", "c3: call c4 create_file", "c3: result c4 true",
		"c3: edit c4 create /w/b\n--- /dev/null\n+++ b/w/b\n@@ -0,0 +1 @@\n+b", "result c3 true spawned c3", "unknown a.new.kind",
	}
	got := shown(t, transcriptPath, data)
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// session is the chat session of which the transcript tells too.
func session(t *testing.T) string {
	t.Helper()
	r := request("r1", "Use the second way, always.", list{
		obj{"value": "I will."},
		tool("copilot_replaceString", "c1", nil), tool("copilot_replaceString", "c2", nil), tool("runSubagent", "c3", nil),
		tool("copilot_createFile", "c4", obj{"subAgentInvocationId": "c3"}),
		obj{"kind": "textEditGroup", "uri": obj{"path": "/w/b"}, "done": true, "edits": list{list{obj{
			"text": "b\n", "range": obj{"startLineNumber": 1, "startColumn": 1, "endLineNumber": 1, "endColumn": 1},
		}}}},
	}, ended(list{
		calling("c1", "replace_string_in_file", `{"filePath":"/w/a","oldString":"1","newString":"2"}`),
		calling("c2", "replace_string_in_file", `{"filePath":"/w/a","oldString":"x","newString":"y"}`), calling("c3", "runSubagent", `{"prompt":"Do."}`),
	}, obj{"c1__vscode-17": told("successfully edited"), "c2__vscode-17": told("ERROR"), "c3__vscode-17": told("Done.")}))
	return marshal(t, obj{"kind": 0, "v": obj{"version": 3, "sessionId": "s1", "requests": list{r}}})
}

// nodes are the ids of the nodes that streams give, in the order in which they are
// read.
func nodes(t *testing.T, beside string, streams ...adaptertest.Sample) []string {
	t.Helper()
	set, err := pipeline.NewSet(pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, s := range streams {
		info := core.StreamInfo{Path: s.Path}
		if strings.Contains(s.Path, "/transcripts/") && beside != "" {
			info.Sidecars = map[string][]byte{beside: nil}
		}
		st := set.Open(vscode.Adapter{}, info, s.Path)
		for n, line := range slices.Collect(strings.Lines(s.Data)) {
			st.Line([]byte(strings.TrimSuffix(line, "\n")), int64(n), int64(n+1))
		}
	}
	for _, n := range set.Take() {
		ids = append(ids, n.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// TestToldTwice: where there is a chat session, its transcript adds nothing to it,
// whichever is read first or written first. Where there is none, the transcript's edits
// are the same.
func TestToldTwice(t *testing.T) {
	a, b := adaptertest.Sample{Path: transcriptPath, Data: transcript(t)}, adaptertest.Sample{Path: sessionPath, Data: session(t)}
	want := nodes(t, "", b)
	if diff := cmp.Diff(want, nodes(t, sessionBeside, a, b)); diff != "" {
		t.Errorf("the transcript before the session (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, nodes(t, sessionBeside, b, a)); diff != "" {
		t.Errorf("the session before the transcript (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, nodes(t, folderBeside, a, b)); diff != "" {
		t.Errorf("the transcript before the session is saved (-want +got):\n%s", diff)
	}
	of := func(kind string, ids []string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !strings.HasPrefix(id, kind) })
	}
	early := nodes(t, folderBeside, a)
	if diff := cmp.Diff(of("episode:", early), early); diff != "" || len(early) != 2 {
		t.Errorf("where the session may come, more than its edits are told: %s", diff)
	}
	alone := nodes(t, "", a)
	edits := of("episode:", alone)
	for _, id := range of("episode:", want) {
		if !slices.Contains(edits, id) {
			t.Errorf("an edit has another name alone: %s is none of %s", id, edits)
		}
	}
	if len(edits) != 2 || len(of("conversation:", alone)) == 0 {
		t.Errorf("alone it gives %s", alone)
	}
}

// TestRecordedTwice does the same with what a client wrote of a session in which a
// checkpoint was gone back to and a prompt edited: of that its transcript knows nothing.
func TestRecordedTwice(t *testing.T) {
	const workspace = "../../fixtures/vscode/1.139.1/editor_checkpoint/home/.local/share/code-server/User/workspaceStorage/140293c9"
	found, err := filepath.Glob(workspace + "/GitHub.copilot-chat/transcripts/*.jsonl")
	if err != nil || len(found) != 1 {
		t.Fatalf("transcripts %q, %v", found, err)
	}
	read := func(name, path string) adaptertest.Sample {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return adaptertest.Sample{Path: path, Data: string(data)}
	}
	a, b := read(found[0], transcriptPath), read(workspace+"/chatSessions/"+filepath.Base(found[0]), sessionPath)
	want := nodes(t, "", b)
	for _, both := range [][]adaptertest.Sample{{a, b}, {b, a}} {
		if diff := cmp.Diff(want, nodes(t, sessionBeside, both...)); diff != "" {
			t.Errorf("%s first (-want +got):\n%s", both[0].Path, diff)
		}
	}
	early := nodes(t, folderBeside, a) // its end was not written when the editor was closed
	if len(early) != 4 {
		t.Errorf("before the session is saved it gives %q, want four edits", early)
	}
	for _, id := range early {
		if !slices.Contains(want, id) || !strings.HasPrefix(id, "episode:") {
			t.Errorf("before the session is saved it gives %s, which the session does not", id)
		}
	}
}

// TestSecondWindow: the session is known where the extension writes to a folder with a
// number behind its name, because another window has the workspace's own.
func TestSecondWindow(t *testing.T) {
	a := adaptertest.Sample{Path: "/u/workspaceStorage/0ab-1/GitHub.copilot-chat/transcripts/s1.jsonl", Data: transcript(t)}
	for beside, want := range map[string]int{"../../../0ab/chatSessions/s1.jsonl": 0, "../../../0ab/chatSessions": 2} {
		if got := nodes(t, beside, a); len(got) != want {
			t.Errorf("beside %s it gives %q, want %d", beside, got, want)
		}
	}
	_, files := vscode.Adapter{}.Companions(a.Path)
	want := []string{
		"../../chatSessions/s1.jsonl?", "../../chatSessions/s1.json?", "../../../0ab/chatSessions/s1.jsonl?", "../../../0ab/chatSessions/s1.json?",
		"../../chatSessions?", "../../../0ab/chatSessions?",
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("it looks for (-want +got):\n%s", diff)
	}
	if _, files := (vscode.Adapter{}).Companions("/u/workspaceStorage/1700000000000/GitHub.copilot-chat/transcripts/s1.jsonl"); len(files) != 3 {
		t.Errorf("a number alone is no second folder: %q", files)
	}
}
