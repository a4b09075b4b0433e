package goose_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/goose"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// tables are those of the client's schema that are read, as its source makes them.
const tables = `
CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', description TEXT NOT NULL DEFAULT '', session_type TEXT NOT NULL DEFAULT 'user',
  working_dir TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, extension_data TEXT DEFAULT '{}',
  total_tokens INTEGER, provider_name TEXT, model_config_json TEXT);
CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL,
  created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, tokens INTEGER, metadata_json TEXT);
INSERT INTO sessions (id, working_dir, created_at, model_config_json) VALUES ('20260801_1', '/w', '2026-08-01 00:00:00', '{"model_name":"m"}');
`

func read(t *testing.T, script, want string) {
	t.Helper()
	if diff := cmp.Diff(want, adaptertest.Database(t, goose.Adapter{}, "sessions.db", tables+script)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestEdits: what succeeded of what was asked for is edited.
func TestEdits(t *testing.T) {
	read(t, `
INSERT INTO messages (session_id, role, content_json, created_timestamp, metadata_json) VALUES
 ('20260801_1', 'user', '[{"type":"text","text":"Let us use bar."}]', 1785542400, '{"userVisible":true,"agentVisible":true}'),
 ('20260801_1', 'user', '[{"type":"text","text":"a summary"}]', 1785542400, '{"userVisible":false,"agentVisible":true}'),
 ('20260801_1', 'assistant', '[{"type":"thinking","thinking":"hm","signature":""},{"type":"text","text":"I do."},{"type":"toolRequest","id":"c1","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"command":"write","path":"b.md","file_text":"b\n"}}}},{"type":"toolRequest","id":"c2","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"command":"str_replace","path":"/w/b.md","old_str":"b","new_str":"c"}}}},{"type":"toolRequest","id":"c3","toolCall":{"status":"success","value":{"name":"edit","arguments":{"path":"/w/x.md","before":"b","after":"c"}}}},{"type":"toolRequest","id":"c4","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"command":"view","path":"/w/b.md"}}}}]', 1785542401, NULL),
 ('20260801_1', 'user', '[{"type":"toolResponse","id":"c1","toolResult":{"status":"success","value":[{"type":"text","text":"ok"}]}},{"type":"toolResponse","id":"c2","toolResult":{"status":"success","value":{"content":[{"type":"text","text":"ok"}],"isError":false}}},{"type":"toolResponse","id":"c3","toolResult":{"status":"success","value":{"content":[],"isError":true}}},{"type":"toolResponse","id":"c4","toolResult":{"status":"error","error":"no"}}]', 1785542402, NULL);
`, `# 20260801_1
start 20260801_1 /w m
user "Let us use bar."
put "a summary"
says "" thinking "hm"
says "I do." thinking ""
call "c1" developer__text_editor
call "c2" developer__text_editor
call "c3" edit
call "c4" developer__text_editor
result "c1" true
write /w/b.md by "c1"
--- a/w/b.md
+++ b/w/b.md
@@ -0,0 +1 @@
+b
result "c2" true
modify /w/b.md by "c2"
--- a/w/b.md
+++ b/w/b.md
@@ -1 +1 @@
-b
+c
result "c3" false
result "c4" false
`)
}

func samples() []adaptertest.Sample {
	return []adaptertest.Sample{
		{Path: "sessions.db", Data: `{"table":"session","key":"s","working_dir":"/w","created_at":"2026-08-01 00:00:00"}` + "\n" +
			`{"table":"message","key":"1","role":"user","content":[{"type":"text","text":"x"}],"created_timestamp":1785542400}` + "\n" +
			`{"table":"message","key":"2","role":"assistant","content":[{"type":"toolRequest","id":"c","toolCall":{"status":"error","error":"e"}}],"created_timestamp":1785542401}`},
		{Path: "20250724_1.jsonl", Data: `{"working_dir":"/w","description":"d","message_count":2,"total_tokens":null}` + "\n" +
			`{"id":"m1","role":"user","created":1753350000,"content":[{"type":"text","text":"Let's write it."}]}` + "\n" +
			`{"id":"m2","role":"assistant","created":1753350001,"content":[{"type":"toolRequest","id":"c","toolCall":{"status":"success","value":{"name":"developer__text_editor","arguments":{"command":"write","path":"/w/a","file_text":"a"}}}}]}` + "\n" +
			`{"id":"m3","role":"user","created":1753350002,"content":[{"type":"toolResponse","id":"c","toolResult":{"status":"success","value":[]}}]}`},
	}
}

// TestSuite holds the adapter to what every adapter passes.
func TestSuite(t *testing.T) { adaptertest.Suite(t, goose.Adapter{}, samples()...) }

// FuzzParse reads anything at all.
func FuzzParse(f *testing.F) { adaptertest.Fuzz(f, goose.Adapter{}, samples()...) }

// BenchmarkParse reads the samples into events.
func BenchmarkParse(b *testing.B) { adaptertest.BenchmarkCorpus(b, goose.Adapter{}, samples()...) }
