package crush_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/crush"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// tables are those of the client's schema, as its source makes them.
const tables = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL, message_count INTEGER NOT NULL DEFAULT 0,
  prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0, cost REAL NOT NULL DEFAULT 0.0, updated_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL, summary_message_id TEXT, todos TEXT);
CREATE TABLE files (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, path TEXT NOT NULL, content TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL, parts BLOB NOT NULL default '[]', model TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, finished_at INTEGER, provider TEXT, is_summary_message INTEGER DEFAULT 0 NOT NULL);
INSERT INTO sessions (id, title, updated_at, created_at) VALUES ('s', 't', 1785542400, 1785542400);
`

func read(t *testing.T, script, want string) {
	t.Helper()
	if diff := cmp.Diff(want, adaptertest.Database(t, crush.Adapter{}, "crush.db", tables+script)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestEdits: the texts and the diffs beside the results are the edits.
func TestEdits(t *testing.T) {
	read(t, `
INSERT INTO messages VALUES ('m1', 's', 'user', '[{"type":"text","data":{"text":"Let us use bar."}},{"type":"finish","data":{"reason":"stop","time":0}}]', '', 1785542400, 1785542400, NULL, NULL, 0);
INSERT INTO messages VALUES ('m2', 's', 'assistant', '[{"type":"reasoning","data":{"thinking":"hm"}},{"type":"text","data":{"text":"I do."}},{"type":"tool_call","data":{"id":"c1","name":"edit","input":"{\"file_path\":\"/w/a.go\",\"old_string\":\"foo\",\"new_string\":\"bar\"}","finished":true}},{"type":"tool_call","data":{"id":"c2","name":"write","input":"{\"file_path\":\"/w/b.md\",\"content\":\"b\\n\"}","finished":true}},{"type":"tool_call","data":{"id":"c3","name":"edit","input":"{\"file_path\":\"/w/a.go\",\"old_string\":\"no\",\"new_string\":\"bar\"}","finished":true}},{"type":"finish","data":{"reason":"tool_use","time":1785542401}}]', 'm', 1785542401, 1785542401, 1785542401, 'p', 0);
INSERT INTO messages VALUES ('m3', 's', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"c1","name":"edit","content":"ok","metadata":"{\"additions\":1,\"removals\":1,\"old_content\":\"a\\nfoo\\n\",\"new_content\":\"a\\nbar\\n\"}","is_error":false}},{"type":"tool_result","data":{"tool_call_id":"c2","name":"write","content":"ok","metadata":"{\"diff\":\"--- a/b.md\\n+++ b/b.md\\n@@ -0,0 +1 @@\\n+b\\n\",\"additions\":1,\"removals\":0}","is_error":false}},{"type":"tool_result","data":{"tool_call_id":"c3","name":"edit","content":"old_string not found","metadata":"","is_error":true}}]', '', 1785542402, 1785542402, NULL, NULL, 0);
INSERT INTO messages VALUES ('m4', 's', 'assistant', '[{"type":"text","data":{"text":"All was renamed."}}]', 'm', 1785542403, 1785542403, NULL, 'p', 1);
`, `# s
start s  
user "Let us use bar."
says "" thinking "hm"
says "I do." thinking ""
call "c1" edit
call "c2" write
call "c3" edit
result "c1" true
modify /w/a.go by "c1"
--- a/w/a.go
+++ b/w/a.go
@@ -1,2 +1,2 @@
 a
-foo
+bar
result "c2" true
write /w/b.md by "c2"
--- a/w/b.md
+++ b/w/b.md
@@ -0,0 +1 @@
+b
result "c3" false
compaction 0-11 "All was renamed."
`)
}

// TestSent: a session that a call has sent is a thread of its sender's.
func TestSent(t *testing.T) {
	read(t, `
INSERT INTO sessions (id, parent_session_id, title, updated_at, created_at) VALUES ('m2$$c1', 's', 't', 1785542401, 1785542401), ('title-s', 's', 't', 1785542400, 1785542400);
INSERT INTO messages VALUES ('m2', 's', 'assistant', '[{"type":"tool_call","data":{"id":"c1","name":"agent","input":"{\"prompt\":\"look\"}","finished":true}}]', 'm', 1785542401, 1785542401, NULL, 'p', 0);
INSERT INTO messages VALUES ('n1', 'm2$$c1', 'user', '[{"type":"text","data":{"text":"look"}}]', '', 1785542401, 1785542401, NULL, NULL, 0);
INSERT INTO messages VALUES ('m3', 's', 'tool', '[{"type":"tool_result","data":{"tool_call_id":"c1","name":"agent","content":"seen","is_error":false}}]', '', 1785542402, 1785542402, NULL, NULL, 0);
`, `# s
start s  
call "c1" agent
result "c1" true
# m2$$c1
m2$$c1: start s  
m2$$c1: put "look"
`)
}

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{{Path: "crush.db", Data: `{"table":"session","key":"s","title":"t","created_at":1785542400}` + "\n" +
		`{"table":"message","key":"m1","role":"user","parts":[{"type":"text","data":{"text":"x"}},{"type":"binary","data":{"MIMEType":"image/png"}}],"created_at":1}` + "\n" +
		`{"table":"message","key":"m2","role":"assistant","model":"m","parts":[{"type":"tool_call","data":{"id":"c","name":"multiedit","input":"{\"file_path\":\"/a\",\"edits\":[{\"old_string\":\"x\",\"new_string\":\"y\"}]}","finished":true}}]}` + "\n" +
		`{"table":"message","key":"m3","role":"tool","parts":[{"type":"tool_result","data":{"tool_call_id":"c","content":"ok","metadata":"{}"}}]}`}}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, crush.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, crush.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, crush.Adapter{}, samples()...) }
