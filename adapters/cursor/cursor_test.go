package cursor_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/cursor"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

const keyValue = `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'secret');
`

// rows are rows of cursorDiskKV: a key, and its value behind a space.
func rows(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		key, value, _ := strings.Cut(l, " ")
		fmt.Fprintf(&b, "INSERT INTO cursorDiskKV VALUES ('%s', '%s');\n", strings.ReplaceAll(key, `\n`, "\n"), strings.ReplaceAll(value, "'", "''"))
	}
	return b.String()
}

func read(t *testing.T, name, script, want string) {
	t.Helper()
	if diff := cmp.Diff(want, adaptertest.Database(t, cursor.Adapter{}, name, script)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestComposer: the header says which bubbles there are and in which order. Rows
// may be NULL, blobs or nonsense.
func TestComposer(t *testing.T) {
	read(t, "state.vscdb", keyValue+rows(
		`composerData:c1 {"_v":13,"composerId":"c1","createdAt":1784278800000,"modelConfig":{"modelName":"default,m"},"blobEncryptionKey":"k",
 "workspaceIdentifier":{"id":"ab","uri":{"fsPath":"/repo/api"}},"createdOnBranch":"main","subagentComposerIds":["task-toolu_9"],
 "fullConversationHeadersOnly":[{"bubbleId":"u1","type":1},{"bubbleId":"a1","type":2},{"bubbleId":"a2","type":2},{"bubbleId":"a3","type":2},{"bubbleId":"a4","type":2},{"bubbleId":"a5","type":2},{"bubbleId":"gone","type":2},{"bubbleId":"a6","type":2}]}`,
		`bubbleId:c1:u1 {"_v":3,"type":"1","bubbleId":"u1","text":"set x to 2","createdAt":"2026-05-01T10:00:00.000Z"}`,
		`bubbleId:c1:a1 {"type":2,"text":"","thinking":{"text":"hm"}}`,
		`bubbleId:c1:a2 {"type":2,"text":"","toolFormerData":{"name":"search_replace","toolCallId":"toolu_1","status":"completed","rawArgs":"{\"file_path\":\"src/a.go\",\"old_string\":\"x := 1\",\"new_string\":\"x := 2\"}","result":"{\"diff\":{\"chunks\":[{\"diffString\":\"- x := 1\\n+ x := 2\",\"oldStart\":3,\"newStart\":3,\"oldLines\":1,\"newLines\":1}]},\"applyFailed\":false}"}}`,
		`bubbleId:c1:a3 {"type":2,"toolFormerData":{"name":"edit_file_v2","toolCallId":"toolu_2","status":"completed","params":"{\"relativeWorkspacePath\":\"b.go\"}","result":"{\"beforeContentId\":\"composer.content.aa\",\"afterContentId\":\"composer.content.bb\"}"}}`,
		`bubbleId:c1:a4 {"type":2,"toolFormerData":{"name":"search_replace","toolCallId":"toolu_3","status":"completed","userDecision":"rejected","rawArgs":"{\"file_path\":\"c\",\"old_string\":\"1\",\"new_string\":\"2\"}","result":"{\"rejected\":true}"}}`,
		`bubbleId:c1:a5 {"type":2,"toolFormerData":{"name":"task_v2","toolCallId":"toolu_9","status":"loading","rawArgs":"{"}}`,
		`bubbleId:c1:a6 {"type":2,"text":"Done.","tokenCount":{"inputTokens":0,"outputTokens":0}}`,
		`bubbleId:c1:orphan {"type":1,"text":"taken back"}`,
		`composer.content.aa b1`, `composer.content.bb b2`,
		`composerData:task-toolu_9 {"isSubagent":true,"fullConversationHeadersOnly":[{"bubbleId":"x"}]}`,
		`bubbleId:task-toolu_9:x {"type":1,"text":"look"}`,
	)+`INSERT INTO cursorDiskKV VALUES ('composerData:null', NULL); INSERT INTO cursorDiskKV VALUES ('composerData:odd', 'no json');`, `# c1
start c1 /repo/api m
user "set x to 2"
says "" thinking "hm"
call "toolu_1" search_replace
result "toolu_1" true
modify /repo/api/src/a.go by "toolu_1"
--- a/repo/api/src/a.go
+++ b/repo/api/src/a.go
@@ -3 +3 @@
-x := 1
+x := 2
call "toolu_2" edit_file_v2
result "toolu_2" true
modify /repo/api/b.go by "toolu_2"
--- a/repo/api/b.go
+++ b/repo/api/b.go
@@ -1 +1 @@
-b1
\ No newline at end of file
+b2
\ No newline at end of file
call "toolu_3" search_replace
result "toolu_3" false
call "toolu_9" task_v2
says "Done." thinking ""
# odd
start odd  
# task-toolu_9
task-toolu_9: start c1  
task-toolu_9: put "look"
`)
}

// TestOldChats: before bubbles were rows, they stood in the header; before there
// were composers, in the tabs of a window.
func TestOldChats(t *testing.T) {
	read(t, "state.vscdb", keyValue+rows(
		`composerData:c\nfc {"composerId":"c","conversation":[{"bubbleId":"u","type":1,"richText":"{\"root\":{\"children\":[{\"type\":\"paragraph\",\"children\":[{\"text\":\"hi \"},{\"text\":\"you\"}]}]}}"},{"bubbleId":"a","type":2,"text":"yes"}]}`,
	)+`INSERT INTO ItemTable VALUES ('workbench.panel.aichat.view.aichat.chatdata', '{"tabs":[{"tabId":"t","lastSendTime":1700000000000,"bubbles":[{"type":"user","text":"old"},{"type":"ai","rawText":"older"}]}]}');`, `# c\nfc
start c
fc  
user "hi you"
says "yes" thinking ""
# t
start t  
user "old"
says "older" thinking ""
`)
}

// TestAgent: the root lists the messages by their hashes; others are not part of
// the conversation any more.
func TestAgent(t *testing.T) {
	var script strings.Builder
	script.WriteString(`CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);`)
	put := func(data []byte) []byte {
		sum := sha256.Sum256(data)
		fmt.Fprintf(&script, "INSERT INTO blobs VALUES ('%x', x'%x');\n", sum, data)
		return sum[:]
	}
	var root []byte
	for _, message := range []string{
		`{"role":"user","content":[{"type":"text","text":"<user_info>\nOS\n</user_info>\n<user_query>\nset x\n</user_query>"}]}`,
		`{"role":"assistant","id":"1","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"ok"},{"type":"tool-call","toolCallId":"call_a\nfc_b","toolName":"StrReplace","args":{"path":"/r/a","old_string":"1","new_string":"2"}},{"type":"tool-call","toolCallId":"d","toolName":"Delete","args":{"path":"/r/b"}}]}`,
		`{"role":"tool","id":"call_a\nfc_b","content":[{"type":"tool-result","toolCallId":"call_a\nfc_b","toolName":"StrReplace","result":"done"}]}`,
		`{"role":"tool","id":"d","content":[{"type":"tool-result","toolCallId":"d","toolName":"Delete","result":"Error: no such file"}]}`,
		`{"role":"assistant","content":"Done."}`,
	} {
		root = append(append(root, 0x0a, 0x20), put([]byte(message))...)
	}
	put([]byte(`{"role":"user","content":"taken back"}`))
	head := hex.EncodeToString(put(root))
	meta := fmt.Sprintf(`{"agentId":"s1","latestRootBlobId":%q,"name":"n","createdAt":1775522590321,"lastUsedModel":"m"}`, head)
	fmt.Fprintf(&script, "INSERT INTO meta VALUES ('0', '%x');", meta)
	read(t, "store.db", script.String(), `# s1
start s1  m
user "set x"
put "<user_info>\nOS\n</user_info>\n<user_query>\nset x\n</user_query>"
says "ok" thinking "hm"
call "call_a\nfc_b" StrReplace
call "d" Delete
result "call_a\nfc_b" true
modify /r/a by "call_a\nfc_b"
--- a/r/a
+++ b/r/a
@@ -1 +1 @@
-1
+2
result "d" false
says "Done." thinking ""
`)
}

const transcript = `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nfix it\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"On it."},{"type":"tool_use","name":"StrReplace","input":{"path":"/r/a","old_string":"1","new_string":"2"}}]}}
{"type":"turn_ended","status":"success"}
`

// TestTranscript: nobody says whether a call succeeded, so there is no edit.
func TestTranscript(t *testing.T) {
	const path = "/h/.cursor/projects/p/agent-transcripts/s/s.jsonl"
	if fit := adaptertest.Fit(cursor.Adapter{}, path, []byte(transcript)); fit != core.NativeFit {
		t.Errorf("fit %d", fit)
	}
	if fit := adaptertest.Fit(cursor.Adapter{}, "/x.jsonl", []byte(`{"type":"user","message":{"role":"user","content":[]},"role":"user","uuid":"u"}`)); fit != core.NoFit {
		t.Errorf("fit %d of another tool's", fit)
	}
	var got strings.Builder
	adaptertest.Events(t, cursor.Adapter{}, path, []byte(transcript), func(ev *core.Event) { got.WriteString(adaptertest.Line(ev)) })
	want := "user \"fix it\"\nsays \"On it.\" thinking \"\"\ncall \"s/2/1\" StrReplace\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
