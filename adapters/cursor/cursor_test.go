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
		`{"role":"user","content":[{"type":"text","text":"<user_info>\nOS Version: linux\nWorkspace Path: /r\n</user_info>\n<user_query>\nset x\n</user_query>"}]}`,
		`{"role":"assistant","id":"1","content":[{"type":"reasoning","text":"hm","providerOptions":{"cursor":{"modelName":"m2"}}},{"type":"text","text":"ok"},{"type":"tool-call","toolCallId":"call_a\nfc_b","toolName":"StrReplace","args":{"path":"a","old_string":"1","new_string":"2"}},{"type":"tool-call","toolCallId":"d","toolName":"Delete","args":{"path":"/r/b"}}]}`,
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
put "<user_info>\nOS Version: linux\nWorkspace Path: /r\n</user_info>\n<user_query>\nset x\n</user_query>"
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

// TestHeaders: headers of 2024 and early 2025 hold bubbles in a list, in tabs or by
// their ids, and calls apart; a later one may still hold what no row has.
func TestHeaders(t *testing.T) {
	const call = `{\"name\":\"search_replace\",\"toolCallId\":\"t1\",\"status\":\"completed\",\"rawArgs\":\"{\\\"file_path\\\":\\\"/r/a\\\",\\\"old_string\\\":\\\"1\\\",\\\"new_string\\\":\\\"2\\\"}\",\"result\":\"{}\"}`
	read(t, "state.vscdb", keyValue+rows(
		`composerData:a {"composerId":"a","conversation":[{"bubbleId":"u","type":1,"text":"set it"},{"bubbleId":"b","type":2,"text":""}],"capabilities":[{"type":15,"data":{"bubbleDataMap":"{\"b\":`+call+`}"}},{"type":19,"data":{}}]}`,
		`composerData:b {"composerId":"b","tabs":[{"bubbles":[{"id":"u","type":1,"text":"in a tab"}]}]}`,
		`composerData:c {"composerId":"c","fullConversationHeadersOnly":[{"bubbleId":"u","type":1},{"bubbleId":"v","type":2},{"bubbleId":"w","type":2}],
 "conversation":[{"bubbleId":"v","type":2,"text":"in the list"}],"conversationMap":{"u":{"type":1,"text":"in the map"},"w":{"type":2,"text":"stale"}}}`,
		`bubbleId:c:w {"type":2,"text":"in a row"}`,
	)+`INSERT INTO ItemTable VALUES ('workbench.panel.chat.view.chat.chatdata', '{"tabs":[{"tabId":"t","bubbles":[{"type":"user","text":"older still"}]}]}');`, `# a
start a  
user "set it"
call "t1" search_replace
result "t1" true
modify /r/a by "t1"
--- a/r/a
+++ b/r/a
@@ -1 +1 @@
-1
+2
# b
start b  
user "in a tab"
# c
start c  
user "in the map"
says "in the list" thinking ""
says "in a row" thinking ""
# t
start t  
user "older still"
`)
}

// TestWorkspace: where a conversation takes place, its header says, or the heads of
// all (a document since 3.0, a table since 3.12), the projects, or a bubble.
func TestWorkspace(t *testing.T) {
	read(t, "state.vscdb", keyValue+`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, value TEXT);
INSERT INTO composerHeaders VALUES ('t', 'w', '{"composerId":"t","workspaceIdentifier":{"id":"w","uri":{"fsPath":"/in/table"}}}');
INSERT INTO ItemTable VALUES ('composer.composerHeaders', '{"allComposers":[{"composerId":"o"},{"composerId":"d","workspaceIdentifier":{"uri":{"path":"/in/document"}}}]}');
INSERT INTO ItemTable VALUES ('glass.localAgentProjectMembership.v1', '{"g":"p"}');
INSERT INTO ItemTable VALUES ('glass.localAgentProjects.v1', '[{"id":"p","workspace":{"id":"w","uri":{"fsPath":"/in/project"}}}]');
`+rows(`composerData:b {"fullConversationHeadersOnly":[{"bubbleId":"u"}]}`, `bubbleId:b:u {"type":1,"text":"x","workspaceUris":["file:///in/bubble"]}`,
		`composerData:d {"composerId":"d"}`, `composerData:g {"composerId":"g"}`,
		`composerData:h {"composerId":"h","workspaceIdentifier":{"uri":{"fsPath":"/in/header"}}}`, `composerData:t {"composerId":"t"}`), `# b
start b  
user "x"
# d
start d /in/document 
# g
start g /in/project 
# h
start h /in/header 
# t
start t /in/table 
`)
}

// exported is a file as the editor writes it. Its layout is that of public exports
// of 0.50.4, 1.2.1, 2.3.23, 2.4.27 (with the other order of date and zone), 2.6.20, 3.2.11 and 3.13.25.
const exported = `# Morning greetings
_Exported on 3/28/2026 at 10:44:59 PDT from Cursor (2.6.20)_

---

**User**

Use Postgres, not MySQL.

---

**Cursor**

Will do.

---

## A rule of the answer's own

**User** is bold here, and so is

**User**

which nobody said.

---

**User**

go on
`

const second = `
-------

# Object creation
_Exported on 2026/2/28 at GMT+8 10:28:33 from Cursor (2.4.27)_

---

**User**

and this
`

// TestExport: an export has what was said and nothing else. What is exported later
// is the same conversation; several in a file are several.
func TestExport(t *testing.T) {
	const path = "/tmp/cursor_morning.md"
	if fit := adaptertest.Fit(cursor.Adapter{}, path, []byte(exported)); fit != core.NativeFit {
		t.Errorf("fit %d", fit)
	}
	if fit := adaptertest.Fit(cursor.Adapter{}, "/README.md", []byte("# Title\n\nuser:\n")); fit != core.NoFit {
		t.Errorf("fit %d of any text", fit)
	}
	session := func(data string) (ids []string) {
		stats := adaptertest.Events(t, cursor.Adapter{}, path, []byte(data), func(ev *core.Event) {
			if _, ok := ev.Body.(*core.SessionStart); ok {
				ids = append(ids, ev.Session)
			}
		})
		if stats.Malformed > 0 {
			t.Errorf("%d malformed records", stats.Malformed)
		}
		return ids
	}
	one, both := session(exported), session(strings.Replace(exported, "3/28", "3/29", 1)+second)
	if len(one) != 1 || len(both) != 2 || one[0] != both[0] || both[0] == both[1] {
		t.Errorf("sessions %q and %q", one, both)
	}
	got := adaptertest.Tale(t, cursor.Adapter{}, path, []byte(exported+second))
	for i, id := range both {
		got = strings.ReplaceAll(got, id, fmt.Sprint("session ", i+1))
	}
	want := `start session 1  
user "Use Postgres, not MySQL."
says "Will do.\n\n---\n\n## A rule of the answer's own\n\n**User** is bold here, and so is\n\n**User**\n\nwhich nobody said." thinking ""
user "go on\n\n-------"
start session 2  
user "and this"
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

const textTranscript = `user:
<timestamp>Thursday, Jul 2, 2026, 11:11 AM (UTC+5:30)</timestamp>
<user_query>
Deploy the thing.
</user_query>

A:
Running deploy.
[Tool call] Shell
  command: npm run deploy --production
  description: Deploy to prod

[Tool result] Shell
  done

[Tool call] ApplyPatch
  {"path":"src/app.ts"}
[Thinking] Looks good, health check passed.
  It did.
assistant:
All done.
`

// TestTextTranscript: the transcripts of the first agents, in the layout that the
// readers of kenn-io/agentsview and their tests give.
func TestTextTranscript(t *testing.T) {
	const path = "/h/.cursor/projects/p/agent-transcripts/s.txt"
	if fit := adaptertest.Fit(cursor.Adapter{}, path, []byte(textTranscript)); fit != core.NativeFit {
		t.Errorf("fit %d", fit)
	}
	var times []string
	adaptertest.Events(t, cursor.Adapter{}, path, []byte(textTranscript), func(ev *core.Event) {
		if !ev.TimeInferred && !ev.Time.IsZero() {
			times = append(times, ev.Time.String())
		}
	})
	if diff := cmp.Diff([]string{"2026-07-02T05:41:00Z", "2026-07-02T05:41:00Z"}, times); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
	want := `user "Deploy the thing."
put "<timestamp>Thursday, Jul 2, 2026, 11:11 AM (UTC+5:30)</timestamp>\n<user_query>\nDeploy the thing.\n</user_query>"
says "Running deploy." thinking ""
call "s/2/1" Shell
call "s/2/2" ApplyPatch
says "" thinking "Looks good, health check passed.\nIt did."
says "All done." thinking ""
`
	if diff := cmp.Diff(want, adaptertest.Tale(t, cursor.Adapter{}, path, []byte(textTranscript))); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestStamped: the time in front of what was typed is the turn's; one in the words
// is not.
func TestStamped(t *testing.T) {
	for text, want := range map[string]string{
		"<timestamp>Tuesday, Jun 16, 2026, 8:41 PM (UTC-4)</timestamp>\\n<user_query>x</user_query>":   "2026-06-17T00:41:00Z",
		"<timestamp>Thursday, Jul 2, 2026, 12:00 AM (UTC+0)</timestamp>\\n<user_query>x</user_query>":  "2026-07-02T00:00:00Z",
		"<timestamp>Thursday, Feb 30, 2026, 11:11 AM (UTC-4)</timestamp>\\n<user_query>x</user_query>": "",
		"<timestamp>Thursday, Jul 2, 2026, 11:11 AM (UTC-4)</timestamp>\\nx":                           "",
		"<user_query>say <timestamp>Thursday, Jul 2, 2026, 11:11 AM (UTC-4)</timestamp></user_query>":  "",
	} {
		line := `{"role":"user","message":{"content":"` + text + `"}}`
		got := ""
		adaptertest.Events(t, cursor.Adapter{}, "/h/.cursor/projects/p/agent-transcripts/s.jsonl", []byte(line), func(ev *core.Event) {
			if !ev.Time.IsZero() {
				got = ev.Time.String()
			}
		})
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
