package hermes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/hermes"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// tables are those of the client's schema that are read, in a later version.
const tables = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, source TEXT NOT NULL, model TEXT, model_config TEXT, parent_session_id TEXT,
  started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, cwd TEXT, git_branch TEXT, git_repo_root TEXT, title TEXT, rewind_count INTEGER);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT, tool_call_id TEXT,
  tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, finish_reason TEXT, reasoning TEXT, observed INTEGER DEFAULT 0,
  active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, _compressed_summary INTEGER DEFAULT 0, display_kind TEXT);
`

func read(t *testing.T, script, want string) {
	t.Helper()
	if diff := cmp.Diff(want, adaptertest.Database(t, hermes.Adapter{}, "state.db", tables+script)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestEdits(t *testing.T) {
	read(t, `
INSERT INTO sessions (id, source, model, started_at, ended_at, end_reason, cwd) VALUES ('s', 'cli', 'm', 1785542400, 1785542500.5, 'user_exit', '/w');
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'use bar', 1785542400.25);
INSERT INTO messages (session_id, role, content, reasoning, tool_calls, timestamp) VALUES ('s', 'assistant', '', 'hm', '[{"id":"c1","type":"function","function":{"name":"patch","arguments":"{\"mode\":\"replace\",\"path\":\"a.go\",\"old_string\":\"foo\",\"new_string\":\"bar\"}"}},{"id":"c2","type":"function","function":{"name":"write_file","arguments":"{\"path\":\"b.go\",\"content\":\"b\\n\"}"}},{"id":"c3","type":"function","function":{"name":"terminal","arguments":"{\"command\":\"false\"}"}},{"id":"c4","type":"function","function":{"name":"patch","arguments":"{\"path\":\"a.go\",\"old_string\":\"no\",\"new_string\":\"bar\"}"}}]', 1785542400.5);
INSERT INTO messages (session_id, role, tool_call_id, tool_name, content, timestamp) VALUES
 ('s', 'tool', 'c1', 'patch', '{"success":true,"diff":"--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-foo\n+bar\n","files_modified":["/w/a.go"],"resolved_path":"/w/a.go"}', 1785542401),
 ('s', 'tool', 'c2', 'write_file', '{"bytes_written":2,"resolved_path":"/w/b.go"}', 1785542401.1),
 ('s', 'tool', 'c3', 'terminal', '{"output":"","exit_code":1,"error":null}', 1785542401.2),
 ('s', 'tool', 'c4', 'patch', '{"success":false,"error":"not found"}', 1785542401.3);
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'assistant', 'Done.', 5e246);
`, `# s
start s /w m
user "use bar"
says "" thinking "hm"
call "c1" patch
call "c2" write_file
call "c3" terminal
call "c4" patch
result "c1" true
modify /w/a.go by "c1"
--- a/w/a.go
+++ b/w/a.go
@@ -1 +1 @@
-foo
+bar
result "c2" true
write /w/b.go by "c2"
--- a/w/b.go
+++ b/w/b.go
@@ -0,0 +1 @@
+b
result "c3" false
result "c4" false
says "Done." thinking ""
end user_exit
`)
}

// TestAnswersWithMore: behind a tool's answer the client puts notes, warnings, and
// what a person says meanwhile; an answer that is no JSON is none of a tool that edits.
func TestAnswersWithMore(t *testing.T) {
	const calls = `[{"id":"c1","function":{"name":"patch","arguments":"{\"path\":\"a.go\",\"old_string\":\"foo\",\"new_string\":\"bar\"}"}},` +
		`{"id":"c2","function":{"name":"patch","arguments":"{\"path\":\"a.go\",\"old_string\":\"no\",\"new_string\":\"bar\"}"}},` +
		`{"id":"c3","function":{"name":"write_file","arguments":"{\"path\":\"b.go\",\"content\":\"b\"}"}},` +
		`{"id":"c4","function":{"name":"write_file","arguments":"{\"path\":\"c.go\",\"content\":\"c\"}"}},` +
		`{"id":"c5","function":{"name":"terminal","arguments":"{}"}},{"id":"c6","function":{"name":"read_file","arguments":"{}"}}]`
	read(t, `
INSERT INTO sessions (id, source, started_at, cwd) VALUES ('s', 'cli', 1, '/w');
INSERT INTO messages (session_id, role, content, tool_calls, timestamp) VALUES ('s', 'assistant', '', '`+calls+`', 1);
INSERT INTO messages (session_id, role, tool_call_id, tool_name, content, timestamp) VALUES
 ('s', 'tool', 'c1', 'patch', '{"success":true,"diff":"--- a/a.go\n+++ b/a.go\n@@ -9 +9 @@\n-foo\n+bar\n"}

[Subdirectory context discovered: sub/AGENTS.md]
Two things.

User guidance: none', 2),
 ('s', 'tool', 'c2', 'patch', '{"success":false,"error":"not found"}

[Tool loop warning: repeated_exact_failure_warning; count=2; patch has failed 2 times.]', 3),
 ('s', 'tool', 'c3', 'write_file', '[Tool execution skipped — write_file was not started. User sent a new message]', 4),
 ('s', 'tool', 'c4', 'write_file', 'Error executing tool ''write_file'': timed out', 5),
 ('s', 'tool', 'c5', 'terminal', '{"output":"User guidance: no","exit_code":0}

User guidance: call it /livez

User guidance: or /readyz', 6),
 ('s', 'tool', 'c6', 'read_file', '{"content":"1|a"}

[OUT-OF-BAND USER MESSAGE — a direct message from the user, delivered mid-turn; not tool output]
and in
plain text
[/OUT-OF-BAND USER MESSAGE]', 7);
`, `# s
start s /w 
call "c1" patch
call "c2" patch
call "c3" write_file
call "c4" write_file
call "c5" terminal
call "c6" read_file
result "c1" true
modify /w/a.go by "c1"
--- a/w/a.go
+++ b/w/a.go
@@ -9 +9 @@
-foo
+bar
result "c2" false
result "c3" false
result "c4" false
result "c5" true
user "call it /livez"
user "or /readyz"
result "c6" true
user "and in\nplain text"
`)
}

// TestCompaction: what was compacted stays, what was carried along counts once.
func TestCompaction(t *testing.T) {
	read(t, `
INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1);
INSERT INTO messages (session_id, role, content, timestamp, active, compacted) VALUES
 ('s', 'user', 'one', 1, 0, 1), ('s', 'assistant', 'eins', 2, 0, 1), ('s', 'user', 'two', 3, 0, 0), ('s', 'assistant', 'zwei', 4, 0, 0);
INSERT INTO messages (session_id, role, content, timestamp, _compressed_summary) VALUES ('s', 'user', '[CONTEXT COMPACTION — REFERENCE ONLY] sum', 5, 1);
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', 'two', 3), ('s', 'assistant', 'zwei', 4), ('s', 'user', 'three', 6);
INSERT INTO messages (session_id, role, content, timestamp, display_kind) VALUES ('s', 'user', 'x is done', 7, 'async_delegation_complete');
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('s', 'user', '[IMPORTANT: The user has invoked the "x" skill]
The user has provided the following instruction alongside the skill invocation: do y', 8);
`, `# s
start s  
user "one"
says "eins" thinking ""
user "two"
says "zwei" thinking ""
compaction 0-4 "[CONTEXT COMPACTION — REFERENCE ONLY] sum"
user "three"
put "x is done"
user "do y"
put "[IMPORTANT: The user has invoked the \"x\" skill]\nThe user has provided the following instruction alongside the skill invocation: do y"
`)
}

func TestUndo(t *testing.T) {
	read(t, `
INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1);
INSERT INTO messages (session_id, role, content, timestamp, active) VALUES
 ('s', 'user', 'one', 1, 1), ('s', 'user', 'no', 2, 0), ('s', 'assistant', 'nein', 3, 0), ('s', 'user', 'yes', 4, 1), ('s', 'user', 'oops', 5, 0);
`, `# s
start s  
user "one"
user "no"
says "nein" thinking ""
rewind to s:1
user "yes"
user "oops"
rewind to s:4
`)
}

// TestLineage: a branch copies messages, a delegate is a subagent.
func TestLineage(t *testing.T) {
	read(t, `
INSERT INTO sessions (id, source, started_at, parent_session_id, model_config) VALUES ('a', 'cli', 1, NULL, NULL), ('b', 'cli', 2, 'a', '{"_branched_from":"a"}'),
 ('c', 'cli', 3, 'b', NULL), ('d', 'subagent', 4, 'a', '{"_delegate_from":"a"}');
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', 'one', 1), ('b', 'user', 'one', 1), ('b', 'user', 'two', 2), ('c', 'user', 'one', 1), ('d', 'user', 'look', 4);
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', CAST(x'00' || 'json:[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]' AS TEXT), 9);
`, `# a
start a  
user "one"
user "see"
# b
start b  
user "one" copy of a:1
user "two"
# c
start c  
user "one" copy of a:1
# d
d: start a  
d: put "look"
`)
}

// TestDelegates wants every delegate of a call with several tasks.
func TestDelegates(t *testing.T) {
	read(t, `
INSERT INTO sessions (id, source, started_at, parent_session_id) VALUES ('a', 'cli', 1, NULL), ('x', 'subagent', 3, 'a'), ('y', 'subagent', 4, 'a'), ('z', 'subagent', 5, 'a');
INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', 'go', 1), ('x', 'user', 'look', 3), ('y', 'user', 'look', 4), ('z', 'user', 'write', 5);
INSERT INTO messages (session_id, role, content, tool_calls, timestamp) VALUES ('a', 'assistant', '', '[{"id":"c1","type":"function","function":{"name":"delegate_task","arguments":"{\"tasks\":[{\"goal\":\"look\"},{\"goal\":\"write\"},{\"goal\":\"look\"},{\"goal\":\"never begun\"}]}"}}]', 2);
INSERT INTO messages (session_id, role, tool_call_id, tool_name, content, timestamp) VALUES ('a', 'tool', 'c1', 'delegate_task', '{}', 6);
`, `# a
start a  
user "go"
call "c1" delegate_task
result "c1" true spawned ["x" "z" "y"]
# x
x: start a  
x: put "look"
# y
y: start a  
y: put "look"
# z
z: start a  
z: put "write"
`)
}

func TestFiles(t *testing.T) {
	const document = `{"session_id":"x","model":"m","platform":"cli","session_start":"2026-04-29T20:00:00Z","cwd":"/w","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"yes"}]}`
	const log = `{"role":"session_meta","model":"m","platform":"cli","tools":[]}` + "\n" + `{"role":"user","content":"hi"}` + "\n" + `{"role":"assistant","content":"yes"}`
	for path, data := range map[string]string{"/h/sessions/session_x.json": document, "/h/sessions/x.jsonl": log} {
		if fit := adaptertest.Fit(hermes.Adapter{}, path, []byte(data)); fit != core.NativeFit {
			t.Errorf("%s: fit %d", path, fit)
		}
		got := ""
		adaptertest.Events(t, hermes.Adapter{}, path, []byte(data), func(ev *core.Event) { got += adaptertest.Line(ev) })
		cwd := ""
		if path == "/h/sessions/session_x.json" {
			cwd = "/w"
		}
		want := "start x " + cwd + " m\nuser \"hi\"\nsays \"yes\" thinking \"\"\n"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}
