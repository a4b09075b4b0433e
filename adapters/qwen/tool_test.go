package qwen_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

const (
	replaces = `{"file_path":"/w/a.go","old_string":"b","new_string":"B"}`
	updated  = "The file: /w/a.go has been updated. Showing lines 1-3 of 3 from the edited file:\n\n---\n\na\nB\n"
)

// shows is what the client showed of an edit, with more members.
func shows(before, after, unified, more string) string {
	return `,"resultDisplay":{"fileDiff":` + quoted(unified) + `,"fileName":"a.go","originalContent":` + quoted(before) + `,"newContent":` + quoted(after) + more + `}`
}

// TestCalls has a call end as the client says it ended, and edit only if it
// ended well.
func TestCalls(t *testing.T) {
	diff := shows("a\nb\n", "a\nB\n", "x", "")
	tests := []struct {
		name, result string
		want         []string
	}{
		{"success", answers("c", "edit", updated, "success", diff), []string{"result c", "edit edit /w/a.go modify +1 -1"}},
		{"error", answers("c", "edit", "x", "error", diff), []string{"result c failed"}},
		{"cancelled", answers("c", "edit", "x", "cancelled", diff), []string{"result c failed"}},
		{"refused", answers("c", "edit", "[Operation Cancelled] Reason: User did not allow tool call", "cancelled", diff), []string{"result c failed rejected"}},
		{"no status", userOf(`[{"functionResponse":{"id":"c","name":"edit","response":{"output":`+quoted(updated)+`}}}]`, ""), []string{"result c", "edit edit /w/a.go modify +1 -1"}},
		{"no status, an error", userOf(`[{"functionResponse":{"id":"c","name":"edit","response":{"error":"x"}}}]`, ""), []string{"result c failed"}},
		{"of another call", answers("d", "edit", updated, "success", ""), []string{"result d"}},
		{"without a response", `"type":"tool_result","toolCallResult":{"callId":"c","status":"success"` + diff + `}`, []string{"result c", "edit edit /w/a.go modify +1 -1"}},
		{"without ids", userOf(`[{"functionResponse":{"name":"edit","response":{"output":"x"}}}]`, ""), []string{"result"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			new(log).add(user("One.")).add(calls("c", "edit", replaces)).add(tt.result).
				check(t, append([]string{"turn One.", "said", "call edit c"}, tt.want...)...)
		})
	}
	t.Run("calls without ids", func(t *testing.T) {
		new(log).add(responds(`[{"functionCall":{"name":"edit","args":`+replaces+`}},{"functionCall":{"name":"list_directory","args":{}}}]`, "")).
			add(userOf(`[{"functionResponse":{"name":"list_directory","response":{"output":"x"}}},{"functionResponse":{"name":"edit","response":{"output":`+quoted(updated)+`}}}]`, "")).
			check(t, "said", "call edit r1/1", "call list_directory r1/2", "result r1/2", "result r1/1", "edit edit /w/a.go modify +1 -1")
	})
}

// TestSpawned links the call that started a subagent with its line.
func TestSpawned(t *testing.T) {
	const args = `{"subagent_type":"general-purpose","prompt":"Find it."}`
	tests := []struct{ name, tool, more, want string }{
		{"by what was shown", "agent", `,"resultDisplay":{"type":"task_execution","subagentName":"Explore"}`, "result c spawned Explore-c"},
		{"by its arguments", "task", "", "result c spawned general-purpose-c"},
		{"by its id", "agent", `,"resultDisplay":{"agentId":"a1"}`, "result c spawned a1"},
		{"another tool", "grep_search", "", "result c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			new(log).add(calls("c", tt.tool, args)).add(answers("c", tt.tool, "Done.", "success", tt.more)).
				check(t, "said", "call "+tt.tool+" c", tt.want)
		})
	}
}

// TestEdits takes the diff from what really happened, as far as anything tells.
func TestEdits(t *testing.T) {
	const (
		head    = "--- a/w/a.go\n+++ b/w/a.go\n"
		want    = head + "@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
		unified = "Index: a.go\n===\n--- a.go\tCurrent\n+++ a.go\tProposed\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n"
		cut     = "a\n[... truncated for saved session preview; original length: 99999 ...]\n"
		omitted = "Index: a.go\n--- a.go\n+++ a.go\n@@ -1,1 +1,1 @@\n-Full diff omitted from saved session history; original length: 99999\n+x\n"
		flags   = `,"truncatedForSession":true`
		read    = `{"file_path":"/w/a.go"}`
		writes  = `{"file_path":"/w/a.go","content":"a\nB\n"}`
	)
	tests := []struct {
		name, tool, args, told, shown string
		read                          bool
		want                          string
	}{
		{"whole", "edit", replaces, updated, shows("a\nb\n", "a\nB\n", unified, ""), false, want},
		{"cut, but the diff is whole", "edit", replaces, updated, shows(cut, cut, unified, flags+`,"originalContentTruncated":true,"newContentTruncated":true`), false, want},
		{"cut, without flags of the parts", "edit", replaces, updated, shows(cut, cut, unified, flags), false, want},
		{"all cut, the file was read", "edit", replaces, updated, shows(cut, cut, omitted, flags+`,"fileDiffTruncated":true`), true, want},
		{"all cut, the lines were told", "edit", replaces, updated, shows(cut, cut, omitted, flags), false, head + "@@ -1 +1 @@\n-b\n+B\n"},
		{"all cut, written, the file was read", "write_file", writes, "Successfully overwrote file: /w/a.go.", shows(cut, cut, omitted, flags), true, want},
		{"cut, written anew", "write_file", writes, "Successfully created and wrote to new file: /w/a.go.", shows("", cut, omitted, flags), false, "--- /dev/null\n+++ b/w/a.go\n@@ -0,0 +1,2 @@\n+a\n+B\n"},
		{"not shown", "edit", replaces, updated, "", true, want},
		{"nothing changed", "edit", replaces, updated, shows("a\n", "a\n", "", ""), false, ""},
		{"another tool", "save_memory", `{"fact":"x"}`, "ok", "", false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := new(log).add(user("One."))
			if tt.read {
				l.add(calls("r", "read_file", read)).add(answers("r", "read_file", "a\nb\n", "success", ""))
			}
			got := l.add(calls("c", tt.tool, tt.args)).add(answers("c", tt.tool, tt.told, "success", tt.shown)).diff(t)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("diff (-want +got):\n%s", diff)
			}
		})
	}
}

// diff is that of the only edit of a log.
func (l *log) diff(t *testing.T) string {
	t.Helper()
	var all []string
	events(t, "x.jsonl", []byte(l.b.String()), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.FileEdit); ok {
			all = append(all, b.Diff.Unified)
		}
	})
	return strings.Join(all, "\n")
}

// TestQuestions reads what a person answered, and what they decided of a plan.
func TestQuestions(t *testing.T) {
	const asks = `{"questions":[{"question":"Which database?","header":"DB","options":[{"label":"Postgres"},{"label":"MySQL"}],"multiSelect":true},{"question":"And?","header":"And","options":[{"label":"No"}]}]}`
	tests := []struct{ name, tool, args, told, want string }{
		{"chosen", "ask_user_question", asks, "User has provided the following answers:\n\n**DB**: Postgres, MySQL\n**And**: Maybe.", "result c {Which database? Postgres* MySQL*|} {And? No|Maybe.}"},
		{"plan approved", "exit_plan_mode", `{"plan":"x"}`, "User has approved your plan. You can now start coding.", "result c approved"},
		{"plan refused", "exit_plan_mode", `{"plan":"x"}`, "Plan execution was not approved. Remaining in plan mode.", "result c rejected"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			new(log).add(calls("c", tt.tool, tt.args)).add(answers("c", tt.tool, tt.told, "success", "")).
				check(t, "said", "call "+tt.tool+" c", tt.want)
		})
	}
}
