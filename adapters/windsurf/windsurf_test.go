package windsurf_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/windsurf"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

const steps = `{"type":"user_input","status":"done","user_input":{"user_response":"rename x to y"}}
{"type":"code_action","status":"done","code_action":{"path":"/w/a.go","new_content":"package a\nvar y = 1\n"}}
{"type":"code_action","status":"error","code_action":{"path":"/w/a.go","new_content":"package a\n"}}
{"type":"code_action","status":"done","code_action":{"path":"/w/a.go","new_content":"package a\nvar y = 2\n"}}
{"type":"view_file","status":"done","view_file":{"path":"/w/b.go"}}
{"type":"planner_response","status":"done","planner_response":{"response":"Renamed."}}
`

// TestSteps reads the steps that are documented, and keeps the others.
func TestSteps(t *testing.T) {
	var got []string
	adaptertest.Events(t, windsurf.Adapter{}, "/h/.windsurf/transcripts/t1.jsonl", []byte(steps), func(ev *core.Event) {
		switch b := ev.Body.(type) {
		case *core.SessionStart:
			got = append(got, "start "+ev.Session)
		case *core.UserTurn:
			got = append(got, "user "+b.Text.String())
		case *core.AssistantTurn:
			got = append(got, "says "+b.Text.String())
		case *core.ToolCall:
			got = append(got, "call "+b.Name)
		case *core.ToolResult:
			got = append(got, map[bool]string{true: "done", false: "failed"}[b.OK])
		case *core.FileEdit:
			got = append(got, "edit "+b.Diff.Path+"\n"+b.Diff.Unified)
		case *core.Unknown:
			got = append(got, "unknown "+b.RawType)
		}
	})
	want := []string{
		"start t1", "user rename x to y", "call code_action", "done", "call code_action", "failed", "call code_action", "done",
		"edit /w/a.go\n--- a/w/a.go\n+++ b/w/a.go\n@@ -1,2 +1,2 @@\n package a\n-var y = 1\n+var y = 2\n", "unknown view_file", "says Renamed.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEncrypted finds the store, counts it, and says that it cannot be read.
func TestEncrypted(t *testing.T) {
	const file = "/h/.codeium/windsurf/cascade/5f0f.pb"
	data := []byte("\x00\xff{\"a\":1}\n\x13")
	s := core.Sample{Path: file, Head: data}
	if (windsurf.Adapter{}).Detect(s) != core.PathFit || (windsurf.Adapter{}).Framing(s) != core.Document {
		t.Error("not known for what it is")
	}
	var reasons []string
	nodes, _ := adaptertest.Capture(t, windsurf.Adapter{}, file, data, func(ev *core.Event) {
		if b, ok := ev.Body.(*core.Unknown); ok && !b.Bookkeeping {
			reasons = append(reasons, b.Reason)
		}
	})
	if len(reasons) == 0 || !strings.Contains(reasons[0], "encrypted") || len(nodes) > 0 {
		t.Errorf("%q, %d nodes", reasons, len(nodes))
	}
}

// TestDetect tells steps from what others write.
func TestDetect(t *testing.T) {
	for head, want := range map[string]core.Fit{
		steps: core.NativeFit, `{"type":"user","status":"done"}`: core.NoFit, "": core.NoFit, "{": core.NoFit,
	} {
		if got := (windsurf.Adapter{}).Detect(core.Sample{Path: "x.jsonl", Head: []byte(head)}); got != want {
			t.Errorf("%.40q: fit %d, want %d", head, got, want)
		}
	}
	if (windsurf.Adapter{}).Detect(core.Sample{Path: "/h/.windsurf/transcripts/t.jsonl"}) != core.PathFit {
		t.Error("an empty transcript is not known by its place")
	}
	for _, file := range adaptertest.Files(t, adaptertest.Shared(t, "wild"), adaptertest.Ending(".json", ".jsonl")) {
		if fit := adaptertest.Fit(windsurf.Adapter{}, file, adaptertest.Read(t, file)); fit > core.NoFit {
			t.Errorf("%s: fit %d", file, fit)
		}
	}
}

// exported has the layout of ten public files that people downloaded.
const exported = `# Cascade Chat Conversation

  Note: _This is purely the output of the chat conversation and does not contain any raw data, codebase snippets, etc. used to generate the output._

### User Input

Use Postgres, not MySQL.

*Viewed [users.go](file:///w/users.go) *

*Grep searched codebase*

### Planner Response

I will.

## A heading of its own

*emphasis alone*

*Edited relevant file*

*User accepted the command ` + "`go test ./...`" + `*

### User Input

go on
`

// TestExport: an export has what was said and the calls, and not what came of them.
func TestExport(t *testing.T) {
	const file = "/tmp/chat.md"
	if fit := adaptertest.Fit(windsurf.Adapter{}, file, []byte(exported)); fit != core.NativeFit {
		t.Errorf("fit %d", fit)
	}
	var calls, sessions, ids []string
	see := func(ev *core.Event) {
		switch b := ev.Body.(type) {
		case *core.SessionStart:
			sessions = append(sessions, ev.Session)
		case *core.ToolCall:
			calls = append(calls, b.Name)
			return
		}
		ids = append(ids, ev.ID)
	}
	stats := adaptertest.Events(t, windsurf.Adapter{}, file, []byte(exported), see)
	if diff := cmp.Diff([]string{"view_file", "grep_search", "code_action", "run_command"}, calls); diff != "" || stats.Malformed > 0 {
		t.Errorf("%d malformed; calls (-want +got):\n%s", stats.Malformed, diff)
	}
	first := ids
	ids = nil
	adaptertest.Events(t, windsurf.Adapter{}, file, []byte(exported+"\n### Planner Response\n\nMore.\n"), see)
	if sessions[0] != sessions[1] || len(ids) != len(first)+1 || !cmp.Equal(first, ids[:len(first)]) {
		t.Errorf("a later export is %q, of %d events behind %d", sessions, len(ids), len(first))
	}
	var got []string
	for line := range strings.Lines(adaptertest.Tale(t, windsurf.Adapter{}, file, []byte(exported))) {
		if kind, _, _ := strings.Cut(line, " "); kind == "user" || kind == "says" {
			got = append(got, line)
		}
	}
	want := []string{
		"user \"Use Postgres, not MySQL.\"\n",
		"says \"I will.\\n\\n## A heading of its own\\n\\n*emphasis alone*\" thinking \"\"\n", "user \"go on\"\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUndocumented: what the editor keeps in its database is counted and named, and
// not looked at.
func TestUndocumented(t *testing.T) {
	const script = `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('codeium.windsurf', '{"apiKey":"secret","windsurf.state.cachedActiveTrajectory:w1":"CgRhYmNk","windsurf.state.cachedActiveTrajectory:w2":"CgA=",
 "windsurf.state.cachedTrajectorySummaries:w1":"CgA="}');`
	want := `# w1
unknown undocumented kept by Windsurf in a form that is not documented: only hooks, their transcripts and exports can be read
# w2
unknown undocumented kept by Windsurf in a form that is not documented: only hooks, their transcripts and exports can be read
`
	if diff := cmp.Diff(want, adaptertest.Database(t, windsurf.Adapter{}, "Windsurf/state.vscdb", script)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
