package zed_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/memscribe/memscribe/adapters/zed"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

const newest = `{"version":"0.3.0","title":"t","updated_at":"2026-05-01T10:00:00Z","model":{"provider":"anthropic","model":"m"},
"initial_project_snapshot":{"worktree_snapshots":[{"worktree_path":"/repo/backend","git_state":{"head_sha":"abc","current_branch":"main"}}],"timestamp":"2026-05-01T10:00:00Z"},
"messages":[
 {"User":{"id":"u-1","content":[{"Text":"rename x"},{"Mention":{"uri":{"File":{"abs_path":"/w/a.go"}},"content":"package a"}}]}},
 {"Agent":{"content":[{"Thinking":{"text":"hm","signature":"sig"}},{"RedactedThinking":"b64"},{"Text":"Editing."},
   {"ToolUse":{"id":"t1","name":"edit_file","raw_input":"","input":{"type":"json","value":{"path":"backend/src/a.go","mode":"edit"}},"is_input_complete":true}},
   {"ToolUse":{"id":"t2","name":"edit_file","input":{"path":"backend/b.go","mode":"create"},"is_input_complete":true}},
   {"ToolUse":{"id":"t3","name":"edit_file","input":{"path":"backend/c.go","mode":"edit"}}},
   {"ToolUse":{"id":"t4","name":"terminal","input":{"command":"x"}}}],
  "tool_results":{"t1":{"tool_use_id":"t1","tool_name":"edit_file","is_error":false,"content":[{"Text":"Edited"}],"output":{"input_path":"backend/src/a.go","old_text":"a\nb\n","new_text":"a\nc\n","diff":"@@"}},
   "t2":{"tool_use_id":"t2","tool_name":"edit_file","is_error":false,"content":{"Text":"ok"},"output":{"original_path":"backend/b.go","old_text":"","new_text":"n\n"}},
   "t3":{"tool_use_id":"t3","tool_name":"edit_file","is_error":true,"content":"no","output":{"error":"no"}}}}},
 "Resume",
 {"Compaction":{"Summary":"We renamed x"}},
 {"User":{"id":"u-2","content":[{"Text":"go on"}]}},
 {"Later":{"new":1}}]}`

const middle = `{"version":"0.1.0","summary":"s","updated_at":"2025-06-01T00:00:00Z","messages":[
 {"id":0,"role":"user","segments":[{"type":"text","text":"hi"}],"tool_uses":[],"tool_results":[]},
 {"id":1,"role":"assistant","segments":[{"type":"thinking","text":"t"},{"type":"text","text":"yes"}],"tool_uses":[{"id":"t1","name":"read_file","input":{"path":"w/a"}}],"tool_results":[]},
 {"id":2,"role":"user","segments":[],"tool_uses":[],"tool_results":[{"tool_use_id":"t1","is_error":false,"content":"x","output":null}]},
 {"id":3,"role":"user","segments":[{"type":"text","text":"Continue"}],"is_hidden":true}]}`

const oldest = `{"messages":[{"id":0,"role":"user","text":"hello"},{"id":1,"role":"assistant","text":"hello too"}]}`

func packed(t *testing.T, s string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return "x'" + hex.EncodeToString(w.EncodeAll([]byte(s), nil)) + "'"
}

func plain(s string) string { return "x'" + hex.EncodeToString([]byte(s)) + "'" }

const five = `CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL);`

func TestThreads(t *testing.T) {
	script := five + `ALTER TABLE threads ADD COLUMN parent_id TEXT; ALTER TABLE threads ADD COLUMN folder_paths TEXT;
ALTER TABLE threads ADD COLUMN folder_paths_order TEXT; ALTER TABLE threads ADD COLUMN created_at TEXT;` +
		fmt.Sprintf(`INSERT INTO threads VALUES ('a', 's', '2026-05-01T10:00:00.123456789+00:00', 'zstd', %s, NULL, '/repo/backend
/repo/api', '1,0', '2026-05-01T09:00:00+00:00');`, packed(t, newest)) +
		fmt.Sprintf(`INSERT INTO threads VALUES ('b', 's', '2026-05-01T10:00:00+00:00', 'json', %s, 'a', NULL, NULL, NULL);`, plain(oldest)) +
		`INSERT INTO threads VALUES ('c', 's', '2026-05-01T10:00:00+00:00', 'mystery', x'ff00', NULL, NULL, NULL, NULL);`
	want := `# a
start a /repo/api m
user "rename x"
says "" thinking "hm"
says "Editing." thinking ""
call "t1" edit_file
result "t1" true
modify /repo/backend/src/a.go by "t1"
--- a/repo/backend/src/a.go
+++ b/repo/backend/src/a.go
@@ -1,2 +1,2 @@
 a
-b
+c
call "t2" edit_file
result "t2" true
create /repo/backend/b.go by "t2"
--- /dev/null
+++ b/repo/backend/b.go
@@ -0,0 +1 @@
+n
call "t3" edit_file
result "t3" false
call "t4" terminal
put ""
compaction 0-14 "We renamed x"
user "go on"
unknown message/Later 
unseen member thread.data.messages.Later
# b
b: start a  
b: put "hello"
b: says "hello too" thinking ""
# c
start c  
unknown data/mystery 
`
	if diff := cmp.Diff(want, adaptertest.Database(t, zed.Adapter{}, "threads.db", script)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestOldThreads(t *testing.T) {
	script := five + `INSERT INTO threads VALUES ('a', 's', '2025-06-01T00:00:00+00:00', 'json', ` + plain(middle) + `);`
	want := `# a
start a  
user "hi"
says "yes" thinking "t"
call "t1" read_file
result "t1" true
put "Continue"
`
	if diff := cmp.Diff(want, adaptertest.Database(t, zed.Adapter{}, "threads.db", script)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestContext(t *testing.T) {
	const saved = `{"id":"x","zed":"context","version":"0.4.0","text":"wie heißt das?\nso\n\n","messages":[
 {"id":{"timestamp":1},"start":0,"metadata":{"role":"user","status":"Done"}},{"id":{"timestamp":2},"start":16,"metadata":{"role":"assistant","status":"Done"}},
 {"id":{"timestamp":3},"start":19,"metadata":{"role":"user","status":"Done"}}],"summary":"s"}`
	const path = "/h/.local/share/zed/conversations/s - 1.zed.json"
	if fit := adaptertest.Fit(zed.Adapter{}, path, []byte(saved)); fit != core.NativeFit {
		t.Errorf("fit %d", fit)
	}
	var got strings.Builder
	adaptertest.Events(t, zed.Adapter{}, path, []byte(saved), func(ev *core.Event) { got.WriteString(adaptertest.Line(ev)) })
	want := "start x  \nuser \"wie heißt das?\"\nsays \"so\" thinking \"\"\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestUsage: a thread says what the latest request cost that answered each message
// of a person's; the first turn of the answer carries it.
func TestUsage(t *testing.T) {
	const thread = `{"version":"1.0.0","title":"t","updated_at":"2026-05-01T10:00:00Z","request_token_usage":{"u-1":{"input_tokens":5,"output_tokens":6,"cache_read_input_tokens":7},"u-2":{}},
 "messages":[{"User":{"id":"u-1","content":[{"Text":"one"}]}},{"Agent":{"content":[{"Text":"a"},{"Text":"b"}],"tool_results":{}}},
 {"User":{"id":"u-2","content":[{"Text":"two"}]}},{"Agent":{"content":[{"Text":"c"}],"tool_results":{}}}]}`
	// Before 0.3 it is a list, with a place for each message.
	const older = `{"version":"0.2.0","messages":[{"id":0,"role":"user","segments":[{"type":"text","text":"one"}]},
 {"id":1,"role":"assistant","segments":[{"type":"text","text":"a"}]},{"id":2,"role":"user","segments":[{"type":"text","text":"two"}]},
 {"id":3,"role":"assistant","segments":[{"type":"text","text":"b"}]},{"id":4,"role":"assistant","segments":[{"type":"text","text":"c"}]}],
 "request_token_usage":[{},{"input_tokens":1,"output_tokens":2},{"input_tokens":1,"output_tokens":2},{"input_tokens":3,"output_tokens":4}]}`
	if diff := cmp.Diff([]string{"a 5+6, 7 read, 0 written", "b", "c"}, costs(t, thread)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a 1+2, 0 read, 0 written", "b 3+4, 0 read, 0 written", "c"}, costs(t, older)); diff != "" {
		t.Errorf("before 0.3 (-want +got):\n%s", diff)
	}
}

// costs are the texts of a thread's answers with what they cost.
func costs(t *testing.T, thread string) []string {
	t.Helper()
	var got []string
	adaptertest.Events(t, zed.Adapter{}, "t.json", []byte(thread), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.AssistantTurn); ok {
			line := b.Text.String()
			if u := b.Usage; u != nil {
				line += fmt.Sprintf(" %d+%d, %d read, %d written", u.Input, u.Output, u.CacheRead, u.CacheCreation)
			}
			got = append(got, line)
		}
	})
	return got
}

// TestSubagents: what a subagent's subagent did belongs to the session that the
// person speaks in, and the call that started a subagent names it.
func TestSubagents(t *testing.T) {
	const columns = five + `ALTER TABLE threads ADD COLUMN parent_id TEXT;`
	thread := func(id, parent, messages string) string {
		return fmt.Sprintf(`INSERT INTO threads VALUES ('%s', 's', '2026-05-01T10:00:00Z', 'json', %s, %s);`, id,
			plain(`{"version":"0.3.0","title":"t","updated_at":"2026-05-01T10:00:00Z","messages":[`+messages+`]}`), parent)
	}
	const started = `{"Agent":{"content":[{"ToolUse":{"id":"t1","name":"spawn_agent","raw_input":"{}","input":{},"is_input_complete":true}}],
 "tool_results":{"t1":{"tool_use_id":"t1","tool_name":"spawn_agent","is_error":false,"content":[],"output":{"session_id":"b","output":"done"}}}}}`
	script := columns + thread("a", "NULL", started) + thread("b", "'a'", `"Resume"`) + thread("c", "'b'", `"Resume"`) +
		thread("d", "'gone'", `"Resume"`) + thread("e", "'f'", `"Resume"`) + thread("f", "'e'", `"Resume"`)
	want := `# a
start a  
call "t1" spawn_agent
result "t1" true
# b
b: start a  
b: put ""
# c
c: start a  
c: put ""
# d
d: start gone  
d: put ""
# e
e: start f  
e: put ""
# f
f: start e  
f: put ""
`
	if diff := cmp.Diff(want, adaptertest.Database(t, zed.Adapter{}, "threads.db", script)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	var spawned []string
	adaptertest.Events(t, zed.Adapter{}, "t.json", []byte(`{"version":"1.0.0","messages":[`+started+`,`+
		strings.NewReplacer("spawn_agent", "subagent", `"session_id"`, `"subagent_session_id"`, "t1", "t2").Replace(started)+`]}`), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.ToolResult); ok {
			spawned = append(spawned, b.Spawned)
		}
	})
	if diff := cmp.Diff([]string{"b", "b"}, spawned); diff != "" {
		t.Errorf("threads that were started (-want +got):\n%s", diff)
	}
}
