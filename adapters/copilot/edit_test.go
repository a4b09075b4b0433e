package copilot_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shown is a diff as the client makes it: of the pieces between line feeds.
func shown(path string, hunks ...string) string {
	return "\ndiff --git a" + path + " b" + path + "\nindex 0000000..0000000 100644\n--- a" + path + "\n+++ b" + path + "\n" + strings.Join(hunks, "")
}

func edited(path string, hunks ...string) string {
	return "--- a" + path + "\n+++ b" + path + "\n" + strings.Join(hunks, "")
}

func TestEdits(t *testing.T) {
	args := obj{"path": "/w/a", "old_str": "b", "new_str": "x"}
	view := func(s *script, path, hunk string) *script {
		return s.call("v", "view", obj{"path": path}).done("v", "text", shown(path, hunk))
	}
	const patch = "*** Begin Patch\n*** Update File: a\n@@\n-b\n+x\n*** Add File: n\n+1\n*** Delete File: d\n*** End Patch\n"
	tests := []struct {
		name string
		s    *script
		want string
	}{
		{
			name: "the last line ends",
			s:    session().call("e", "edit", args).done("e", "updated", shown("/w/a", "@@ -1,4 +1,4 @@\n a\n-b\n+x\n c\n \n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"),
		},
		{
			name: "the last line does not end",
			s:    session().call("e", "edit", args).done("e", "updated", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n\\ No newline at end of file\n"),
		},
		{
			name: "the last line is changed and does not end",
			s:    session().call("e", "edit", args).done("e", "updated", shown("/w/a", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+x\n\\ No newline at end of file\n"),
		},
		{
			name: "the last line gets an end",
			s: session().call("e", "edit", obj{"path": "/w/a", "old_str": "b", "new_str": "b\n"}).
				done("e", "updated", shown("/w/a", "@@ -1,2 +1,3 @@\n a\n b\n+\n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"),
		},
		{
			name: "lines are added at the end, the first of them empty",
			s: session().call("e", "edit", obj{"path": "/w/a", "old_str": "b", "new_str": "b\n\nx"}).
				done("e", "updated", shown("/w/a", "@@ -1,3 +1,5 @@\n a\n b\n \n+x\n+\n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,4 @@\n a\n b\n+\n+x\n"),
		},
		{
			name: "lines are taken away at the end, the first of them empty",
			s: session().call("e", "edit", obj{"path": "/w/a", "old_str": "b\n\nx", "new_str": "b"}).
				done("e", "updated", shown("/w/a", "@@ -1,5 +1,3 @@\n a\n b\n \n-x\n-\n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,4 +1,2 @@\n a\n b\n-\n-x\n"),
		},
		{
			name: "the file was shown before, and does not end",
			s: view(session(), "/w/a", "@@ -1,2 +1,2 @@\n a\n b\n").call("e", "edit", args).
				done("e", "updated", shown("/w/a", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+x\n\\ No newline at end of file\n"),
		},
		{
			name: "the model was told how the lines end",
			s: session().call("v", "view", obj{"path": "/w/a"}).done("v", "a\r\nb\r\n", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n b\n \n")).call("e", "edit", args).
				done("e", "updated", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n \n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n"),
		},
		{
			name: "the model was told how the lines end, with their numbers",
			s: session().call("v", "view", obj{"path": "/w/a"}).done("v", "1. a\r\n2. b\r\n3. ", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n b\n \n")).call("e", "edit", args).
				done("e", "updated", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n \n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n"),
		},
		{
			name: "what is put in takes the ends of the file's lines",
			s: session().call("v", "view", obj{"path": "/w/a"}).done("v", "a\r\nb\r\n", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n b\n \n")).
				call("e", "edit", obj{"path": "/w/a", "old_str": "b", "new_str": "x\ny"}).
				done("e", "updated", shown("/w/a", "@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n \n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,3 @@\n a\r\n-b\r\n+x\r\n+y\r\n"),
		},
		{
			name: "what is put in stays as it is where the file has line ends of both kinds",
			s: session().call("v", "view", obj{"path": "/w/a"}).done("v", "a\r\nb\n", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n b\n \n")).
				call("e", "edit", obj{"path": "/w/a", "old_str": "b", "new_str": "x\ny"}).
				done("e", "updated", shown("/w/a", "@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n \n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,3 @@\n a\r\n-b\n+x\n+y\n"),
		},
		{
			name: "what was shown does not stand any more",
			s: view(session(), "/w/a", "@@ -1,3 +1,3 @@\n a\n b\n \n").call("e", "edit", args).
				done("e", "updated", shown("/w/a", "@@ -7,5 +7,5 @@\n l\n-b\n+x\n m\n n\n o\n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -7,5 +7,5 @@\n l\n-b\n+x\n m\n n\n o\n"),
		},
		{
			name: "no diff at all, arguments in a string",
			s:    session().call("e", "edit", `{"path":"a","old_str":"b","new_str":"x"}`).done("e", "updated", ""),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1 +1 @@\n-b\n+x\n"),
		},
		{
			name: "a patch in plain text: recorded, created, deleted",
			s:    session().call("e", "apply_patch", patch).done("e", "done", shown("/w/a", "@@ -5,2 +5,2 @@\n-b\n+x\n \n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -5 +5 @@\n-b\n+x\n") + "\nedit e write /w/n\n--- a/w/n\n+++ b/w/n\n@@ -0,0 +1 @@\n+1\n" +
				"\nedit e delete /w/d\n--- a/w/d\n+++ /dev/null\n",
		},
		{
			name: "the old editor: a view is no edit",
			s: session().call("v", "str_replace_editor", obj{"command": "view", "path": "/w/a"}).done("v", "a", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n b\n \n")).
				call("e", "str_replace_editor", obj{"command": "str_replace", "path": "/w/a", "old_str": "b", "new_str": "x"}).
				done("e", "ok", shown("/w/a", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n \n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n"),
		},
		{
			name: "a file that is there is written anew",
			s: session().call("e", "create", obj{"path": "/w/a", "file_text": "x\n"}).
				done("e", "ok", shown("/w/a", "@@ -1,2 +1,2 @@\n-b\n+x\n \n")),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1 +1 @@\n-b\n+x\n"),
		},
		{
			name: "a failed edit, and a shell that shows a diff, change nothing",
			s: session().call("e", "edit", args).
				event("tool.execution_complete", obj{"toolCallId": "e", "success": false, "error": obj{"message": "No match found"}}).
				call("b", "bash", obj{"command": "git diff"}).done("b", "x", shown("/w/a", "@@ -1 +1 @@\n-b\n+x\n")),
		},
		{
			name: "a tool not known yet says what it changed",
			s: session().call("e", "edit_many", obj{}).event("tool.execution_complete", obj{
				"toolCallId": "e", "success": true, "fileEdits": []obj{{"path": "/w/a", "kind": "edit"}},
				"result": obj{"content": "ok", "detailedContent": shown("/w/a", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n \n")},
			}),
			want: "edit e modify /w/a\n" + edited("/w/a", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n"),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, part := range strings.SplitAfter("\n"+tt.s.events(t), "\nedit ")[1:] {
				for _, end := range []string{"\nsays ", "\nresult ", "\ncall ", "\nedit "} {
					part, _, _ = strings.Cut(part, end)
				}
				got = append(got, "edit "+strings.TrimRight(part, "\n")+"\n")
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDocument reads a session from before there were events.
func TestDocument(t *testing.T) {
	const session = `{"sessionId": "0b2a81da-02cf-4cbb-ae14-07c597b84f4e", "startTime": "2025-10-11T12:54:52.206Z", "chatMessages": [],
 "timeline": [
  {"id":"1733baf7-2a56-4c0f-bb4b-552f055da0dc","timestamp":"2025-10-11T12:54:53.532Z","type":"info","text":"Connected"},
  {"id":"188363eb-0b45-4216-97a3-14aca5dac60d","timestamp":"2025-10-11T12:54:54.899Z","type":"user","text":"rename it"},
  {"id":"b60661a1-d9f9-4188-8235-c34e58041f3e","timestamp":"2025-10-11T12:55:03.589Z","type":"copilot","text":"I will."},
  {"id":"09f89877-5662-4606-8afe-f72af8e1f21f","timestamp":"2025-10-11T12:55:27.622Z","type":"tool_call_completed","callId":"t1",
   "name":"str_replace_editor","toolTitle":"str_replace_editor","arguments":{"command":"str_replace","path":"/w/a","old_str":"b","new_str":"x"},
   "result":{"type":"success","log":"\ndiff --git a/w/a b/w/a\nindex 0000000..0000000 100644\n--- a/w/a\n+++ b/w/a\n@@ -1,3 +1,3 @@\n a\n-b\n+x\n \n"}},
  {"id":"2dc20a51-bb20-40c8-9afb-a6bfad685e6c","timestamp":"2025-10-11T12:55:29.622Z","type":"tool_call_completed","callId":"t2",
   "name":"bash","arguments":{"command":"false"},"result":{"type":"success","log":"<exited with exit code 1>"}}]}`
	want := "user rename it\nsays I will.\ncall t1 str_replace_editor\nresult t1 true\nedit t1 modify /w/a\n" +
		edited("/w/a", "@@ -1,2 +1,2 @@\n a\n-b\n+x\n") + "\ncall t2 bash\nresult t2 false\n"
	path := "/h/history-session-state/session_0b2a81da-02cf-4cbb-ae14-07c597b84f4e_1760187292206.json"
	if diff := cmp.Diff(want, eventsOf(t, path, session)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	const bare = `{"sessionId":"s","startTime":"2025-10-11T12:54:52.206Z","timeline":[],"chatMessages":[{"role":"system","content":"p"},
 {"role":"user","content":"hi"},{"role":"assistant","content":"yes","tool_calls":[{"id":"c","type":"function","function":{"name":"bash","arguments":"{}"}}]},
 {"role":"tool","tool_call_id":"c","content":"ok"}]}`
	want = "user hi\nsays yes\ncall c bash\nresult c true\n"
	if diff := cmp.Diff(want, eventsOf(t, path, bare)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
