package cursor_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/cursor"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestTraps holds what readers of Cursor's databases got wrong, by their reports.
func TestTraps(t *testing.T) {
	const head = `composerData:c {"composerId":"c","fullConversationHeadersOnly":[{"bubbleId":"u","type":1},{"bubbleId":"a","type":2}]}`
	edit := func(tool string) string {
		return `bubbleId:c:a {"type":2,"toolFormerData":{"toolCallId":"t1","status":"completed",` + tool + `}}`
	}
	const user = `bubbleId:c:u {"type":1,"text":"do it"}`
	for _, tt := range []struct{ name, script, want string }{
		{
			"a row that is NULL stops nothing",
			rows(head, user) + `INSERT INTO cursorDiskKV VALUES ('bubbleId:c:a', NULL); INSERT INTO cursorDiskKV VALUES ('composerData:d', NULL);` +
				rows(`composerData:e {"composerId":"e","fullConversationHeadersOnly":[]}`),
			"# c\nstart c  \nuser \"do it\"\n# e\nstart e  \n",
		},
		{
			"an empty string and a blob are rows",
			rows(head) + `INSERT INTO cursorDiskKV VALUES ('bubbleId:c:u', ''); INSERT INTO cursorDiskKV VALUES ('bubbleId:c:a', CAST('{"type":2,"text":"yes"}' AS BLOB));`,
			"# c\nstart c  \nsays \"yes\" thinking \"\"\n",
		},
		{
			"conversations are found without the window's database",
			rows(`composerData:c {"composerId":"c"}`) + `CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, value TEXT);
INSERT INTO composerHeaders VALUES ('c', 'w', '{"workspaceIdentifier":{"uri":{"fsPath":"/repo"}}}');`,
			"# c\nstart c /repo \n",
		},
		{
			"the header orders, not the rows nor their times",
			rows(
				`bubbleId:c:a {"type":2,"text":"second","createdAt":"2026-05-01T10:00:00.000Z"}`,
				`bubbleId:c:u {"type":1,"text":"first","createdAt":"2026-05-01T10:00:09.000Z"}`, head),
			"# c\nstart c  \nuser \"first\"\nsays \"second\" thinking \"\"\n",
		},
		{
			"a bubble without a time, or with one since the window was opened, is told",
			rows(head, user, `bubbleId:c:a {"type":2,"text":"yes","timingInfo":{"clientStartTime":12345.6}}`),
			"# c\nstart c  \nuser \"do it\"\nsays \"yes\" thinking \"\"\n",
		},
		{
			"ids are not those of UUIDs, and may hold a line end",
			rows(`composerData:task-call_a\nfc_b {"isSubagent":true,"fullConversationHeadersOnly":[{"bubbleId":"x"}]}`, `bubbleId:task-call_a\nfc_b:x {"type":2,"text":"seen"}`,
				`composerData:c {"composerId":"c","subagentComposerIds":["task-call_a\nfc_b"]}`),
			"# c\nstart c  \n# task-call_a\\nfc_b\ntask-call_a\nfc_b: start c  \ntask-call_a\nfc_b: says \"seen\" thinking \"\"\n",
		},
		{
			"bubbles behind a rewind are no longer listed, and not told",
			rows(head, user, `bubbleId:c:a {"type":2,"text":"yes"}`, `bubbleId:c:old {"type":1,"text":"taken back"}`),
			"# c\nstart c  \nuser \"do it\"\nsays \"yes\" thinking \"\"\n",
		},
		{
			"a sketch is no text of the file",
			rows(head, user, edit(`"name":"edit_file","rawArgs":"{\"target_file\":\"/r/a\",\"code_edit\":\"// ... existing code ...\\nx\"}","result":"{}"`)),
			"# c\nstart c  \nuser \"do it\"\ncall \"t1\" edit_file\nresult \"t1\" true\n",
		},
		{
			"a diff that could not be applied is no edit",
			rows(head, user, edit(`"name":"search_replace","rawArgs":"{\"file_path\":\"/r/a\",\"old_string\":\"1\",\"new_string\":\"2\"}","result":"{\"diff\":{\"chunks\":[{\"diffString\":\"-1\\n+2\"}]},\"applyFailed\":true}"`)),
			"# c\nstart c  \nuser \"do it\"\ncall \"t1\" search_replace\nresult \"t1\" false\n",
		},
		{
			"the editor's own choice is no model",
			rows(`composerData:c {"composerId":"c","modelConfig":{"modelName":"default"}}`),
			"# c\nstart c  \n",
		},
		{
			"a draft is no message, and a summary nobody's words",
			rows(`composerData:c {"composerId":"c","text":"not sent","richText":"{}","fullConversationHeadersOnly":[{"bubbleId":"u"}]}`,
				`bubbleId:c:u {"type":1,"text":"go on","conversationSummary":{"summary":"so far"}}`),
			"# c\nstart c  \ncompaction 0-0 \"so far\"\nuser \"go on\"\n",
		},
		{
			"what the editor says in a person's place is not typed",
			rows(`composerData:c {"_v":18,"composerId":"c","fullConversationHeadersOnly":[{"bubbleId":"u","type":1},{"bubbleId":"v","type":1,"grouping":{"isSimulatedMsg":true}},{"bubbleId":"w","type":1},{"bubbleId":"x","type":1}]}`,
				user, `bubbleId:c:v {"type":1,"text":"a task has ended"}`, `bubbleId:c:w {"type":1,"text":"go on","isSimulatedMsg":true}`, `bubbleId:c:x {"type":1,"text":"do it","isDisplayOnly":true}`),
			"# c\nstart c  \nuser \"do it\"\nput \"a task has ended\"\nput \"go on\"\nput \"do it\"\n",
		},
		{
			"a subagent says itself whose it is, and which call sent it",
			rows(`composerData:c {"_v":18,"composerId":"c","fullConversationHeadersOnly":[{"bubbleId":"a","type":2}]}`, edit(`"name":"task_v2","rawArgs":"{}","result":"{}"`),
				`composerData:d {"_v":18,"composerId":"d","subagentInfo":{"subagentType":1,"parentComposerId":"c","rootParentConversationId":"c","toolCallId":"t1"},"fullConversationHeadersOnly":[{"bubbleId":"u","type":1}]}`,
				`bubbleId:d:u {"type":1,"text":"look"}`,
				`composerData:e {"_v":18,"composerId":"e","subagentInfo":{"parentComposerId":"d","rootParentConversationId":"c"}}`,
				`composerData:f {"_v":18,"composerId":"f","isBestOfNSubcomposer":true,"subagentInfo":{"parentComposerId":"c"}}`) +
				`CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, isSubagent INTEGER, value TEXT);
INSERT INTO composerHeaders VALUES ('d', 1, '{"subagentInfo":{"parentComposerId":"c","toolCallId":"t1"}}'), ('c', 0, 'no JSON');`,
			"# c\nstart c  \ncall \"t1\" task_v2\nresult \"t1\" true\n# d\nd: start c  \nd: put \"look\"\n# e\ne: start c  \n# f\nstart f  \n" +
				"database is incomplete: not JSON, though conversations are listed there: the header of c\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) { read(t, "state.vscdb", keyValue+tt.script, tt.want) })
	}
}

// TestNoTokens: zeros are what the editor writes where it does not know.
func TestNoTokens(t *testing.T) {
	for data, want := range map[string]bool{`{"inputTokens":0,"outputTokens":0}`: false, `{"inputTokens":3,"outputTokens":0}`: true} {
		record := `{"table":"bubble","key":"b","data":{"type":2,"text":"x","tokenCount":` + data + `}}`
		adaptertest.Events(t, cursor.Adapter{}, "c.json", []byte(record), func(ev *core.Event) {
			if b, ok := ev.Body.(*core.AssistantTurn); ok && (b.Usage != nil) != want {
				t.Errorf("%s: usage %+v", data, b.Usage)
			}
		})
	}
}

// TestIndexed: a database of gigabytes is asked by its index, and credentials are
// no part of any question.
func TestIndexed(t *testing.T) {
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(t.TempDir(), "state.vscdb")))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), keyValue); err != nil {
		t.Fatal(err)
	}
	layout, fit := cursor.Adapter{}.Layout("state.vscdb", core.Schema{"ItemTable": {"key", "value"}, "cursorDiskKV": {"key", "value"}})
	if fit != core.NativeFit {
		t.Fatal("not known")
	}
	queries := []string{layout.Conversations, layout.Stamp}
	for _, r := range layout.Rows {
		queries = append(queries, r.Query)
	}
	for _, q := range queries {
		if strings.Contains(q, "cursorAuth") || strings.Contains(q, "SELECT * FROM ItemTable") || strings.Contains(q, "SELECT * FROM cursorDiskKV") {
			t.Errorf("asks for too much: %s", q)
		}
		for _, step := range plan(t, db, q) {
			if table, scans := strings.CutPrefix(step, "SCAN "); scans && slices.Contains([]string{"cursorDiskKV", "b", "c", "i", "ItemTable"}, table) {
				t.Errorf("%s: %s", step, q)
			}
		}
	}
}

// plan is how a question is answered.
func plan(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	args := []any{}
	if strings.Contains(query, "?1") {
		args = append(args, "c")
	}
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// TestFormsOfResults: what the agent's messages look like, in each form that was
// reported: calls and results in lists or in OpenAI's members, pictures, results
// that failed.
func TestFormsOfResults(t *testing.T) {
	blob := func(key, data string) string {
		return fmt.Sprintf(`{"table":"blob","key":%q,"data":%s}`, key, data) + "\n"
	}
	const call = `{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"Write","arguments":"{\"path\":\"/r/a\",\"contents\":\"x\\n\"}"}}]}`
	for _, tt := range []struct{ name, result, want string }{
		{"in OpenAI's members", `{"role":"tool","tool_call_id":"c1","content":"ok"}`, "write /r/a"},
		{"that says that it failed", `{"role":"tool","tool_call_id":"c1","content":"Error: no"}`, ""},
		{"that failed above", `{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","result":"x"}],"providerOptions":{"cursor":{"highLevelToolCallResult":{"isError":true}}}}`, ""},
		{"with a failure in it", `{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","result":"x"}],"providerOptions":{"cursor":{"highLevelToolCallResult":{"output":{"failure":{"why":1}}}}}}`, ""},
		{"without success", `{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","result":"x"}],"providerOptions":{"cursor":{"highLevelToolCallResult":{"output":{"success":false}}}}}`, ""},
		{"in a list", `{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","result":"x"}],"providerOptions":{"cursor":{"highLevelToolCallResult":{"output":{"success":{"localExecutionTimeMs":1}}}}}}`, "write /r/a"},
		{"that is an error itself", `{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","isError":true,"result":"x"}]}`, ""},
	} {
		got := ""
		adaptertest.Events(t, cursor.Adapter{}, "/h/.cursor/chats/x/s/store.db", []byte(blob("b1", call)+blob("b2", tt.result)), func(ev *core.Event) {
			if b, ok := ev.Body.(*core.FileEdit); ok {
				got += string(b.Diff.Change) + " " + b.Diff.Path
			}
		})
		if got != tt.want {
			t.Errorf("a result %s: %q, want %q", tt.name, got, tt.want)
		}
	}
	const picture = `{"role":"user","content":[{"type":"text","text":"<user_query>\nsee\n</user_query>"},{"type":"image","image":{"__type":"Uint8Array","hex":"00"},"mimeType":"image/png"}]}`
	var turns []string
	adaptertest.Events(t, cursor.Adapter{}, "s/store.db", []byte(blob("b", picture)), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.UserTurn); ok {
			turns = append(turns, fmt.Sprint(ev.Injected, " ", b.Text.String(), " ", len(b.Parts)))
		}
	})
	if len(turns) == 0 || !strings.HasPrefix(turns[0], "false see") {
		t.Errorf("turns %q", turns)
	}
}

// TestSent: which subagent a call has sent, the subagent says where the call does not.
func TestSent(t *testing.T) {
	const call = `{"table":"bubble","key":"b","data":{"type":2,"toolFormerData":{"toolCallId":"t1","name":"task_v2","status":"completed","result":"{}"%s}}}`
	for _, tt := range []struct{ children, said, want string }{
		{"", "", "task-t1"},
		{`{"id":"d","call":"t1"},{"id":"e","call":null}`, "", "d"},
		{`{"id":"d","call":"t1"}`, `,"additionalData":{"subagentComposerId":"x"}`, "x"},
	} {
		records := `{"table":"composer","key":"c","data":{"composerId":"c"},"children":[` + tt.children + `]}` + "\n" + fmt.Sprintf(call, tt.said)
		adaptertest.Events(t, cursor.Adapter{}, "state.vscdb", []byte(records), func(ev *core.Event) {
			if b, ok := ev.Body.(*core.ToolResult); ok && b.Spawned != tt.want {
				t.Errorf("children %s: sent %q, want %q", tt.children, b.Spawned, tt.want)
			}
		})
	}
}

// TestAgentsOfAgents: a store of a subagent says whose it is.
func TestAgentsOfAgents(t *testing.T) {
	const record = `{"table":"meta","key":"b","data":{"agentId":"b","subagentInfo":{"parentAgentId":"a2","rootParentAgentId":"a","toolCallId":"t1","typeName":"explore"}}}` + "\n" +
		`{"table":"blob","key":"x","data":{"role":"user","content":"look"}}`
	got := ""
	adaptertest.Events(t, cursor.Adapter{}, "/h/.cursor/chats/x/b/store.db", []byte(record), func(ev *core.Event) { got += adaptertest.Line(ev) })
	if want := "b: start a  \nb: put \"look\"\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestToldTwice: a transcript of a conversation that a database has adds nothing to
// it; where no database is, it is all there is.
func TestToldTwice(t *testing.T) {
	const flat, nested, sub, text = "/h/.cursor/projects/p/agent-transcripts/s.jsonl", "/h/.cursor/projects/p/agent-transcripts/s/s.jsonl",
		"/h/.cursor/projects/p/agent-transcripts/s/subagents/c.jsonl", "/h/.cursor/projects/p/agent-transcripts/s.txt"
	for file, want := range map[string]string{
		flat:   "../../../chats/*/s/store.db?",
		nested: "../../../../acp-sessions/s/store.db?",
		sub:    "../../../../../../Library/Application Support/Cursor/User/globalStorage/state.vscdb?",
		text:   "s.jsonl?",
	} {
		if work, files := (cursor.Adapter{}).Companions(file); work != "s" || !slices.Contains(files, want) {
			t.Errorf("%s: of %q, beside %q", file, work, files)
		}
	}
	if work, files := (cursor.Adapter{}).Companions("/h/.cursor/chats/x/s/store.db"); work != "" || files != nil {
		t.Errorf("a database has companions: %q %q", work, files)
	}
	for beside, want := range map[string]int{"": 1, "../../../../chats/x/s/store.db": 0} {
		set, err := pipeline.NewSet(pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		info := core.StreamInfo{Path: nested}
		if beside != "" {
			info.Sidecars = map[string][]byte{beside: nil}
		}
		st, n := set.Open(cursor.Adapter{}, info, nested), int64(0)
		for line := range strings.Lines(strings.Replace(transcript, "fix it", "Use the second way, always.", 1)) {
			n++
			st.Line([]byte(strings.TrimSuffix(line, "\n")), n, n)
		}
		decisions := 0
		for _, node := range set.Take() {
			if strings.HasPrefix(node.ID, "decision:") {
				decisions++
			}
		}
		if decisions != want {
			t.Errorf("beside %q: %d decisions", beside, decisions)
		}
	}
}
