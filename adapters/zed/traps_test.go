package zed_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/zed"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestTraps holds what readers of Zed's threads got wrong, by their reports; what
// concerns tags, wrappers, folders and subagents is held by TestThreads, TestUsage
// and TestSubagents.
func TestTraps(t *testing.T) {
	call := func(name, input, result string) string {
		return `{"Agent":{"content":[{"ToolUse":{"id":"t1","name":"` + name + `","raw_input":"","input":` + input + `,"is_input_complete":true}}],
 "tool_results":{` + result + `}}}`
	}
	const done = `"t1":{"tool_use_id":"t1","tool_name":"edit_file","is_error":false,"content":[{"Text":"ok"}],"output":`
	for _, tt := range []struct{ name, messages, want string }{
		{
			"what a call was asked for is no text of the file",
			call("edit_file", `{"path":"w/a","mode":"edit","edits":[{"old_text":"1","new_text":"2"}]}`, done+`{"error":"no match"}}`),
			"call \"t1\" edit_file\nresult \"t1\" false\n",
		},
		{
			"edits in a string are edits, and the result has the texts",
			call("edit_file", `{"path":"w/a","mode":"edit","edits":"[{\"old_text\":\"1\",\"new_text\":\"2\"}]"}`, done+`{"input_path":"w/a","old_text":"1\n","new_text":"2\n"}}`),
			"call \"t1\" edit_file\nresult \"t1\" true\nmodify w/a by \"t1\"\n--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-1\n+2\n",
		},
		{
			"a call without a result was none that did something",
			call("edit_file", `{"path":"w/a","mode":"write","content":"x"}`, ""),
			"call \"t1\" edit_file\n",
		},
		{
			"the command that compacts stands there as an empty message, which nobody typed",
			`{"User":{"id":"u","content":[{"Text":"hi"}]}},{"User":{"id":"m","content":[]}},{"Compaction":{"Summary":"so far"}}`,
			"user \"hi\"\nput \"\"\ncompaction 0-2 \"so far\"\n",
		},
		{
			"the words that have the client go on are nobody's",
			`"Resume"`,
			"put \"\"\n",
		},
		{
			"a kind that nobody has described is kept, and the thread with it",
			`{"Hologram":{"x":1}},{"User":{"id":"u","content":[{"Text":"hi"},{"Scent":"x"}]}}`,
			"unknown message/Hologram \nuser \"hi\"\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			thread := `{"version":"0.3.0","title":"t","updated_at":"2026-05-01T10:00:00Z","messages":[` + tt.messages + `]}`
			script := five + fmt.Sprintf(`INSERT INTO threads VALUES ('a', 's', '2026-05-01T10:00:00+00:00', 'json', %s);`, plain(thread))
			got := adaptertest.Database(t, zed.Adapter{}, "threads.db", script)
			got, _, _ = strings.Cut(got, "unseen ")
			if diff := cmp.Diff("# a\nstart a  \n"+tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestNotSummed: the sum of a thread is no request's.
func TestNotSummed(t *testing.T) {
	const thread = `{"version":"0.3.0","title":"t","updated_at":"2026-05-01T10:00:00Z","cumulative_token_usage":{"input_tokens":90,"output_tokens":9},
 "request_token_usage":{"u-1":{"input_tokens":5,"output_tokens":6}},
 "messages":[{"User":{"id":"u-1","content":[{"Text":"one"}]}},{"Agent":{"content":[{"Text":"a"}],"tool_results":{}}},{"Agent":{"content":[{"Text":"b"}],"tool_results":{}}}]}`
	if diff := cmp.Diff([]string{"a 5+6, 0 read, 0 written", "b"}, costs(t, thread)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNoTimes: a thread has one time, and its messages none: nobody makes up others.
func TestNoTimes(t *testing.T) {
	for updated, want := range map[string]string{
		"2026-05-01T12:00:00.123456789+02:00": "2026-05-01T10:00:00.123456789Z", "2026-05-01T10:00:00Z": "2026-05-01T10:00:00Z",
	} {
		record := `{"table":"thread","key":"a","updated_at":"` + updated + `","data":{"version":"0.3.0","messages":[{"User":{"id":"u","content":[{"Text":"hi"}]}}]}}`
		adaptertest.Events(t, zed.Adapter{}, "threads.db", []byte(record), func(ev *core.Event) {
			_, starts := ev.Body.(*core.SessionStart)
			if ev.Time.String() != want || ev.TimeInferred == starts {
				t.Errorf("%s: %s at %s, inferred %t", updated, ev.Name(), ev.Time, ev.TimeInferred)
			}
		})
	}
}

// TestOtherDatabases: the threads of other agents have no words in Zed; its lists of
// them are not taken for threads, nor is a table of the same name without a thread's
// columns.
func TestOtherDatabases(t *testing.T) {
	for _, s := range []core.Schema{
		{"sidebar_threads": {"thread_id", "session_id", "agent_id", "title", "updated_at"}},
		{"threads": {"id", "summary"}},
		{"ItemTable": {"key", "value"}},
	} {
		if _, fit := (zed.Adapter{}).Layout("/h/.local/share/zed/db/0-stable/db.sqlite", s); fit != core.NoFit {
			t.Errorf("%v: fit %d", s, fit)
		}
	}
	if _, fit := (zed.Adapter{}).Layout("threads.db", core.Schema{"threads": {"id", "summary", "updated_at", "data_type", "data"}}); fit != core.NativeFit {
		t.Errorf("the oldest columns: fit %d", fit)
	}
}
