package gemini_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

// shows is what the client showed of an edit.
func shows(before, after string) string {
	original := quoted(before)
	if before == "" {
		original = "null"
	}
	return `,"resultDisplay":{"fileDiff":"Index: a.go\n…","fileName":"a.go","filePath":"/w/a.go","originalContent":` + original +
		`,"newContent":` + quoted(after) + `,"diffStat":{},"isNewFile":false}`
}

const (
	replaces = `{"file_path":"/w/a.go","instruction":"x","old_string":"b","new_string":"B"}`
	modified = "Successfully modified file: /w/a.go (1 replacements)."
)

// TestCalls has a call end as the client says it ended, and edit only if it
// ended well.
func TestCalls(t *testing.T) {
	diff := shows("a\nb\n", "a\nB\n")
	tests := []struct {
		name, call string
		want       []string
	}{
		{"success", did("c", "replace", replaces, "success", modified, diff), []string{"result c", "edit replace /w/a.go modify +1 -1"}},
		{"error", did("c", "replace", replaces, "error", "x", diff), []string{"result c failed"}},
		{"cancelled", did("c", "replace", replaces, "cancelled", "[Operation Cancelled] Reason: User cancelled.", diff), []string{"result c failed"}},
		{"refused", did("c", "replace", replaces, "cancelled", "[Operation Cancelled] Reason: User did not allow tool call", diff), []string{"result c failed rejected"}},
		{"waiting", does("c", "replace", replaces, "awaiting_approval"), nil},
		{"validating", does("c", "replace", replaces, "validating"), nil},
		{"executing", does("c", "replace", replaces, "executing"), nil},
		{"scheduled", does("c", "replace", replaces, "scheduled"), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			started().line(user("u1", "One.")).line(says("g1", "", calls(tt.call))).
				check(t, append([]string{"turn One.", "call replace c"}, tt.want...)...)
		})
	}
}

// TestEnding has a call that ran when it was first written end later.
func TestEnding(t *testing.T) {
	end := did("c", "replace", replaces, "success", modified, shows("a\nb\n", "a\nB\n"))
	started().line(user("u1", "One.")).
		line(says("g1", "", calls(does("c", "replace", replaces, "awaiting_approval")))).
		line(says("g1", "", calls(does("c", "replace", replaces, "executing")))).
		line(says("g1", "", calls(end))).
		line(says("g1", "", calls(end))).
		check(t, "turn One.", "call replace c", "known gemini", "result c", "edit replace /w/a.go modify +1 -1", "known gemini")
}

// diffs are those of the edits of a log.
func (l *log) diffs(t *testing.T) []core.Diff {
	t.Helper()
	var list []core.Diff
	events(t, "x.jsonl", []byte(strings.Join(l.lines, "\n")+"\n"), func(ev *core.Event) {
		if b, ok := ev.Body.(*core.FileEdit); ok {
			list = append(list, b.Diff)
		}
	})
	return list
}

// TestEdits takes the diff from what really happened, as far as anything tells.
func TestEdits(t *testing.T) {
	const read = `{"file_path":"/w/a.go"}`
	const head = "--- a/w/a.go\n+++ b/w/a.go\n"
	tests := []struct {
		name  string
		calls []string
		want  string
	}{
		{
			"not what the call says", // recorded 0.61.0: the client found the line although old_string differs
			[]string{did("c", "replace", `{"file_path":"a.go","instruction":"x","old_string":"b (","new_string":"B"}`, "success", modified, shows("a\n  b(\n", "a\n  B\n"))},
			head + "@@ -1,2 +1,2 @@\n a\n-  b(\n+  B\n",
		},
		{
			"created",
			[]string{did("c", "write_file", `{"file_path":"/w/a.go","content":"a\n"}`, "success", "Successfully created and wrote to new file: /w/a.go.", shows("", "a\n"))},
			"--- /dev/null\n+++ b/w/a.go\n@@ -0,0 +1 @@\n+a\n",
		},
		{
			"nothing changed", []string{did("c", "write_file", `{"file_path":"/w/a.go","content":"a\n"}`, "success", "Successfully overwrote file: /w/a.go.", shows("a\n", "a\n"))}, "",
		},
		{
			"no diff, but a read before", // recorded 0.11.3
			[]string{
				did("r", "read_file", read, "success", "a\nb\nc\n", ""),
				did("c", "replace", `{"file_path":"/w/a.go","instruction":"x","old_string":"b","new_string":"B"}`, "success", modified, ""),
			},
			head + "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
		},
		{
			"the file's own line ends",
			[]string{
				did("r", "read_file", read, "success", "a\r\nb\r\n", ""),
				did("c", "replace", replaces, "success", modified, shows("a\nb\n", "a\nB\n")),
			},
			head + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n",
		},
		{
			"other white space, in a file that was read",
			[]string{
				did("r", "read_file", read, "success", "a\n\tb\n\tc\n", ""),
				did("c", "replace", `{"file_path":"/w/a.go","instruction":"x","old_string":"b\n  c","new_string":"d"}`, "success", modified, ""),
			},
			head + "@@ -1,2 +1 @@\n-b\n-  c\n+d\n",
		},
		{
			"nothing known", []string{did("c", "replace", replaces, "success", modified, "")}, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			diffs := started().line(user("u1", "One.")).line(says("g1", "", calls(tt.calls...))).diffs(t)
			switch {
			case tt.name == "nothing known":
				if len(diffs) != 1 || diffs[0].Added != 1 || diffs[0].Removed != 1 || *diffs[0].Old != "b" || *diffs[0].New != "B" {
					t.Errorf("got %+v", diffs)
				}
			case tt.want == "":
				if len(diffs) != 0 {
					t.Errorf("got %+v", diffs)
				}
			case len(diffs) != 1:
				t.Fatalf("got %d edits", len(diffs))
			default:
				if diff := cmp.Diff(tt.want, diffs[0].Unified); diff != "" {
					t.Errorf("diff (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestQuestions reads what a person answered, and what they decided of a plan.
func TestQuestions(t *testing.T) {
	const asks = `{"questions":[{"question":"Which database?","header":"DB","type":"choice","options":[{"label":"Postgres","description":"x"},{"label":"MySQL","description":"y"}]}]}`
	tests := []struct{ name, tool, args, told, want string }{
		{"chosen", "ask_user", asks, `{"answers":{"0":"Postgres"}}`, "result c {Which database? Postgres* MySQL|}"},
		{"in their own words", "ask_user", asks, `{"answers":{"0":"SQLite"}}`, "result c {Which database? Postgres MySQL|SQLite}"},
		{"nothing", "ask_user", asks, "User dismissed ask_user dialog without answering.", "result c"},
		{"plan approved", "exit_plan_mode", `{"plan_path":"/p"}`, "Plan approved. Switching to Default mode.", "result c approved"},
		{"plan rejected", "exit_plan_mode", `{"plan_path":"/p"}`, "Plan rejected. User feedback: Smaller steps.\n\nThe plan is stored at: /p\n\nRevise the plan.", "result c rejected: Smaller steps."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			started().line(user("u1", "One.")).line(says("g1", "", calls(did("c", tt.tool, tt.args, "success", tt.told, "")))).
				check(t, "turn One.", "call "+tt.tool+" c", tt.want)
		})
	}
}
