package cline_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/cline"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestWild reads what people published of it; all of it was made up for tests.
func TestWild(t *testing.T) {
	for _, dir := range []string{"wild/cline", "wild/cline-or-api"} {
		w := adaptertest.Wild{Dir: dir, Match: adaptertest.Ending("messages.json", "api_conversation_history.json")}
		if c := w.Read(t, cline.Adapter{}); c.Undescribed > 0 || c.Files == 0 {
			t.Errorf("%s: %+v", dir, c)
		}
	}
}

const task = "tasks/1795225678232/api_conversation_history.json"

// shown writes what happened, a line each.
func shown(t *testing.T, path, data string) string {
	t.Helper()
	var out strings.Builder
	adaptertest.Events(t, cline.Adapter{}, path, []byte(data), func(ev *core.Event) {
		if line := short(ev); line != "" {
			out.WriteString(line + "\n")
		}
	})
	return out.String()
}

func short(ev *core.Event) string {
	switch b := ev.Body.(type) {
	case *core.SessionStart:
		return strings.TrimSpace("start " + ev.Session + " " + ev.Thread + " " + b.Cwd)
	case *core.UserTurn:
		if ev.Injected {
			return "put " + b.Text.String()
		}
		return "user " + b.Text.String()
	case *core.AssistantTurn:
		return strings.TrimSpace("says " + b.Text.String() + " " + b.Thinking.String())
	case *core.ToolCall:
		return "call " + b.Name + " " + string(b.Args.Value().Raw())
	case *core.ToolResult:
		line := "result fails"
		if b.OK {
			line = "result"
		}
		if b.Verdict == core.Rejected {
			line += ", rejected"
		}
		return line
	case *core.FileEdit:
		return "edit " + string(b.Diff.Change) + " " + b.Diff.Path + "\n" + strings.TrimRight(b.Diff.Unified, "\n")
	case *core.Unknown:
		return "unknown " + b.RawType + b.Reason
	}
	return ""
}

// TestTask reads calls that are written as XML.
func TestTask(t *testing.T) {
	user := func(text string) string { return `{"role":"user","content":[{"type":"text","text":"` + text + `"}]}` }
	says := func(text string) string {
		return `{"role":"assistant","content":[{"type":"text","text":"` + text + `"}]}`
	}
	const search, replace = `------- SEARCH\n`, `+++++++ REPLACE\n`
	tests := []struct {
		name, data, want string
	}{
		{
			"an answer and a refusal",
			says(`<thinking>Hm.</thinking>\n\nNow.\n\n<execute_command>\n<command>ls</command>\n<requires_approval>false</requires_approval>\n</execute_command>`) + `,` +
				user(`[execute_command for 'ls'] Result:\nThe user denied this operation.\n<feedback>\nUse tree.\n</feedback>`) + `,` +
				says(`<attempt_completion>\n<result>\nDone.\n</result>\n</attempt_completion>`),
			"says Now. Hm.\ncall execute_command {\"command\":\"ls\",\"requires_approval\":\"false\"}\nresult fails, rejected\nuser Use tree.\nsays Done.\n",
		},
		{
			"two replacements, of which the file that came out tells where they are",
			says(`<replace_in_file>\n<path>a.go</path>\n<diff>\n`+search+`x\n=======\nX\n`+replace+search+`z\n=======\nZ\n`+replace+`</diff>\n</replace_in_file>`) + `,` +
				user(`[replace_in_file for 'a.go'] Result:\nThe content was successfully saved to a.go.\n\n<final_file_content path=\"a.go\">\nX\ny\nZ\n\n</final_file_content>\n`),
			"says\ncall replace_in_file {\"path\":\"a.go\",\"diff\":\"------- SEARCH\\nx\\n=======\\nX\\n+++++++ REPLACE\\n------- SEARCH\\nz\\n=======\\nZ\\n+++++++ REPLACE\"}\nresult\n" +
				"edit modify a.go\n--- a/a.go\n+++ b/a.go\n@@ -1,3 +1,3 @@\n-x\n+X\n y\n-z\n+Z\n",
		},
		{
			"an edit that failed",
			says(`<replace_in_file>\n<path>a.go</path>\n<diff>\n<<<<<<< SEARCH\nq\n=======\nx\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>`) + `,` +
				user(`[replace_in_file for 'a.go'] Result:\nThe tool execution failed with the following error:\n<error>\nno\n</error>`),
			"says\ncall replace_in_file {\"path\":\"a.go\",\"diff\":\"<<<<<<< SEARCH\\nq\\n=======\\nx\\n>>>>>>> REPLACE\"}\nresult fails\n",
		},
		{
			"a command that failed, in other words",
			says(`<execute_command>\n<command>false</command>\n</execute_command>`) + `,` + user(`[execute_command for 'false'] Result:\nCommand failed with exit code 1.\nOutput:\n`),
			"says\ncall execute_command {\"command\":\"false\"}\nresult fails\n",
		},
		{
			"a command that failed, a call that was cut off, a message in other words",
			says(`<execute_command>\n<command>false</command>\n</execute_command>`) + `,` + user(`[execute_command for 'false'] Result:\nCommand failed (exit code 1).\nOutput:\n`) +
				`,` + says(`<write_to_file>\n<path>a.go</path>\n<content>\nx <b`) + `,` + user(`[TASK RESUMPTION] x`) + `,` + user(`New instructions for task continuation:\n<user_message>\nGo on.\n</user_message>`),
			"says\ncall execute_command {\"command\":\"false\"}\nresult fails\nsays\ncall write_to_file {\"path\":\"a.go\",\"content\":\"x <b\"}\nput [TASK RESUMPTION] x\nuser Go on.\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := "[" + user(`<task>\nDo it.\n</task>`) + "," + tt.data + "]"
			if diff := cmp.Diff("start 1795225678232\nuser Do it.\n"+tt.want, shown(t, task, data)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSession reads blocks, a subagent, and what nobody has described.
func TestSession(t *testing.T) {
	data := `{"version":1,"agent":"subagent","sessionId":"s1__a1","aura":1,"messages":[
		{"id":"m1","role":"user","content":[{"type":"text","text":"<user_input mode=\"act\">Look.</user_input>"}],"ts":1795225522902},
		{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"editor","input":{"path":"/w/a","old_text":"x","new_text":"x\n\ny"}}]},
		{"id":"m3","role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"{\"result\":\"Edited /w/a\\n` + "```diff\\\\n+3: y\\\\n+4: \\\\n```" + `\",\"success\":true}"}]},
		{"id":"m4","role":"tool","content":[]}]}`
	want := "start s1 a1\nunknown session/aura\nput <user_input mode=\"act\">Look.</user_input>\nsays\n" +
		"call editor {\"path\":\"/w/a\",\"old_text\":\"x\",\"new_text\":\"x\\n\\ny\"}\nresult\nedit modify /w/a\n--- a/w/a\n+++ b/w/a\n@@ -1,0 +2,2 @@\n+\n+y\nunknown message/tool\n"
	if diff := cmp.Diff(want, shown(t, "sessions/s1/a1.messages.json", data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCarriageReturns: a read shows a carriage return alone as the end of a line, and the list of
// changed lines does not (recorded 3.0.65). What the read showed is not what the file held.
func TestCarriageReturns(t *testing.T) {
	data := `{"version":1,"sessionId":"s1","messages":[
		{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read_files","input":{"files":[{"path":"/w/a"}]}}]},
		{"id":"m2","role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"query":"/w/a","result":"1 | one\n2 | two","success":true}]}]},
		{"id":"m3","role":"assistant","content":[{"type":"tool_use","id":"c2","name":"editor","input":{"path":"/w/a","old_text":"two","new_text":"2"}}]},
		{"id":"m4","role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"{\"result\":\"Edited /w/a\\n` + "```diff\\\\n-1: one\\\\rtwo\\\\n+1: one\\\\r2\\\\n```" + `\",\"success\":true}"}]}]}`
	got := shown(t, "sessions/s1/s1.messages.json", data)
	if want := "edit modify /w/a\n--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-one\rtwo\n+one\r2\n"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at the end", got, want)
	}
}

// TestDetect tells tasks and sessions from what is none.
func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		path, head string
		want       core.Fit
	}{
		{"x", `{"version":1,"agent":"lead","sessionId":"s","messages":[{"id":"m","role":"user"`, core.NativeFit},
		{"x", `[{"role":"user","content":[{"type":"text","text":"<task>\nHi\n</task>"},{"type":"text","text":"<environment_details>`, core.NativeFit},
		{task, `[{"role":"user","content":"Hi"}]`, core.ShapeFit},
		{task, "", core.PathFit},
		{"x", `[{"role":"user","content":"Hi"}]`, core.NoFit},
		{"ui_messages.json", `[{"ts":1,"type":"say","say":"task","text":"x"}]`, core.NativeFit},
		{"x", "", core.NoFit},
	} {
		if got := (cline.Adapter{}).Detect(core.Sample{Path: tt.path, Head: []byte(tt.head)}); got != tt.want {
			t.Errorf("%s %s: fit %d, want %d", tt.path, tt.head, got, tt.want)
		}
	}
}

// TestDetectCollected leaves other tools' transcripts alone.
func TestDetectCollected(t *testing.T) {
	other := func(path string) bool {
		return adaptertest.Ending(".json", ".jsonl")(path) && !strings.Contains(path, "/cline")
	}
	for _, file := range adaptertest.Files(t, adaptertest.Shared(t, "wild"), other) {
		if fit := adaptertest.Fit(cline.Adapter{}, file, adaptertest.Read(t, file)); fit > core.NoFit {
			t.Errorf("%s: fit %d", file, fit)
		}
	}
}

// fixtures are the recorded sessions in the repository.
func fixtures(t testing.TB) []string {
	t.Helper()
	return adaptertest.Files(t, filepath.Join("..", "..", "fixtures", "cline"), adaptertest.Ending("messages.json", "api_conversation_history.json"))
}

// FuzzParse reads anything at all as a task or session.
func FuzzParse(f *testing.F) {
	for _, file := range fixtures(f) {
		f.Add(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), adaptertest.Read(f, file))
	}
	f.Add(task, []byte(`[{"role":"assistant","content":"<read_file><path>a<write_to_file>"},{"role":"user","content":"[read_file] Result:\n1 | a"}]`))
	adaptertest.Fuzz(f, cline.Adapter{})
}

// BenchmarkParse reads the largest recorded session.
func BenchmarkParse(b *testing.B) {
	var data []byte
	for _, file := range fixtures(b) {
		if d := adaptertest.Read(b, file); len(d) > len(data) {
			data = d
		}
	}
	adaptertest.Benchmark(b, cline.Adapter{}, task, data)
}
