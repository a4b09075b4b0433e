package continuedev_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/continuedev"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

const file = "/h/.continue/sessions/14f3b883-c736-4338-ad22-274ff4ff1a30.json"

// session is a document with this history.
func session(history ...string) string {
	return `{"sessionId":"s","title":"t","workspaceDirectory":"file:///w","history":[` + strings.Join(history, ",") + `],"mode":"agent","chatModelTitle":"m"}`
}

func said(text string) string {
	return `{"message":{"role":"user","content":"` + text + `"},"contextItems":[]}`
}

// called is an answer with one call.
func called(id, name, args, more string) string {
	call := `{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":` + args + `}}`
	return `{"message":{"role":"assistant","content":"","toolCalls":[` + call + `]},"contextItems":[],"toolCallStates":[{"toolCallId":"` + id +
		`","toolCall":` + call + `,"parsedArgs":{},` + more + `}]}`
}

const written = `"status":"done","output":[{"content":"Successfully created file: /w/a"}]`

func TestParse(t *testing.T) {
	edited := `"{\"file_path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}"`
	tests := []struct{ name, history, want string }{
		{
			"what stands in the box was typed, and not what it refers to",
			`{"message":{"id":"u1","role":"user","content":[{"type":"text","text":"` + "```go a.go (1-2)\\nx\\n```" + `\nfix main.go"},{"type":"imageUrl","imageUrl":{"url":"data:image/png;base64,AA"}}]},` +
				`"contextItems":[{"name":"main.go","content":"package main"}],"editorState":{"type":"doc","content":[{"type":"code-block","attrs":{}},` +
				`{"type":"prompt-block","attrs":{"item":{"name":"review"}}},{"type":"paragraph","content":[{"type":"text","text":"fix "},{"type":"mention","attrs":{"label":"main.go"}}]}]}}`,
			"user \"/review\\nfix main.go\"\n",
		},
		{
			"an edit of the command line tool shows its difference",
			called("c", "Edit", edited, `"status":"done","output":[{"content":"Successfully edited /w/a\nDiff:\nIndex: /w/a\n====\n--- /w/a\n+++ /w/a\n@@ -7,3 +7,3 @@\n k\n-x\n+y\n l\n"}]`),
			"call \"c\" Edit\nresult \"c\" true\nmodify /w/a by \"c\"\n--- a/w/a\n+++ b/w/a\n@@ -7,3 +7,3 @@\n k\n-x\n+y\n l\n",
		},
		{
			"an edit that shows none",
			called("c", "Edit", edited, `"status":"done","output":[{"content":"ok"}]`),
			"call \"c\" Edit\nresult \"c\" true\nmodify /w/a by \"c\"\n--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-x\n+y\n",
		},
		{
			"edits that failed, were not allowed, or are not decided",
			called("c", "Edit", edited, `"status":"errored","output":[]`) + "," + called("d", "Edit", edited, `"status":"canceled"`) + "," +
				called("e", "Edit", edited, `"status":"calling"`),
			"call \"c\" Edit\nresult \"c\" false\ncall \"d\" Edit\nresult \"d\" false\ncall \"e\" Edit\n",
		},
		{
			"written, and written again after a command",
			called("c", "Write", `"{\"filepath\":\"/w/a\",\"content\":\"1\\n\"}"`, written) + "," + called("b", "Bash", `"{}"`, `"status":"done"`) + "," +
				called("d", "Write", `"{\"filepath\":\"./a\",\"content\":\"2\\n\"}"`, `"status":"done","output":[{"content":"Successfully wrote to file: /w/a\nDiff:\nIndex: /w/a\n===\n--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-1\n+2\n"}]`),
			"call \"c\" Write\nresult \"c\" true\ncreate /w/a by \"c\"\n--- /dev/null\n+++ b/w/a\n@@ -0,0 +1 @@\n+1\ncall \"b\" Bash\nresult \"b\" true\n" +
				"call \"d\" Write\nresult \"d\" true\nmodify /w/a by \"d\"\n--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-1\n+2\n",
		},
		{
			"an empty file that was read, and is said to be created",
			called("r", "Read", `"{\"filepath\":\"/w/a\"}"`, `"status":"done","output":[{"content":"Content of /w/a:\n"}]`) + "," +
				called("c", "Write", `"{\"filepath\":\"/w/a\",\"content\":\"1\\n\"}"`, written),
			"call \"r\" Read\nresult \"r\" true\ncall \"c\" Write\nresult \"c\" true\nmodify /w/a by \"c\"\n--- a/w/a\n+++ b/w/a\n@@ -0,0 +1 @@\n+1\n",
		},
		{
			"a text that was read, and a file that is said to be created: it was gone",
			called("r", "Read", `"{\"filepath\":\"/w/a\"}"`, `"status":"done","output":[{"content":"Content of /w/a:\n0\n"}]`) + "," +
				called("c", "Write", `"{\"filepath\":\"/w/a\",\"content\":\"1\\n\"}"`, written),
			"call \"r\" Read\nresult \"r\" true\ncall \"c\" Write\nresult \"c\" true\ncreate /w/a by \"c\"\n--- /dev/null\n+++ b/w/a\n@@ -0,0 +1 @@\n+1\n",
		},
		{
			"a call that was never begun, and the conversation went on",
			called("c", "Edit", `"{}"`, `"status":"generated"`) + "," + called("d", "Edit", `"{}"`, `"status":"generated"`),
			"call \"c\" Edit\nresult \"c\" false\ncall \"d\" Edit\n",
		},
		{
			"a call that was never begun, and a message of its own that tells why",
			called("c", "Edit", `"{}"`, `"status":"generated"`) + `,{"message":{"role":"tool","toolCallId":"c","content":"out"},"contextItems":[]}`,
			"call \"c\" Edit\nresult \"c\" false\n",
		},
		{
			"an editor keeps the texts before and after",
			called("c", "multi_edit", `"{\"filepath\":\"src/a\",\"edits\":[{\"old_string\":\"x\",\"new_string\":\"y\"}]}"`,
				`"processedArgs":{"fileUri":"file:///v/src/a%20b","editingFileContents":"k\nx\n","newFileContents":"k\ny\n"},"status":"done"`),
			"call \"c\" multi_edit\nresult \"c\" true\nmodify /v/src/a b by \"c\"\n--- a/v/src/a b\t\n+++ b/v/src/a b\t\n@@ -1,2 +1,2 @@\n k\n-x\n+y\n",
		},
		{
			"an editor that did not prepare the call, and a file that it makes",
			called("c", "create_new_file", `"{\"filepath\":\"b\",\"contents\":\"x\\nx\\n\"}"`, `"status":"done"`) + "," +
				called("d", "multi_edit", `"{\"filepath\":\"b\",\"edits\":[{\"old_string\":\"x\",\"new_string\":\"y\",\"replace_all\":true},{\"old_string\":\"y\\ny\",\"new_string\":\"z\"}]}"`, `"status":"done"`),
			"call \"c\" create_new_file\nresult \"c\" true\ncreate /w/b by \"c\"\n--- /dev/null\n+++ b/w/b\n@@ -0,0 +1,2 @@\n+x\n+x\n" +
				"call \"d\" multi_edit\nresult \"d\" true\nmodify /w/b by \"d\"\n--- a/w/b\n+++ b/w/b\n@@ -1,2 +1 @@\n-x\n-x\n+z\n",
		},
		{
			"a sketch of an edit is none",
			called("c", "edit_existing_file", `"{\"filepath\":\"b\",\"changes\":\"// …\"}"`, `"status":"done"`),
			"call \"c\" edit_existing_file\nresult \"c\" true\n",
		},
		{
			"a summary in the place of what was said, and going on by itself",
			`{"message":{"role":"assistant","content":"S"},"contextItems":[],"conversationSummary":"S"},` + said("continue") + "," + said("continue"),
			"compaction 0-0 \"S\"\nput \"continue\"\nuser \"continue\"\n",
		},
		{
			"a summary beside an answer replaces what stands before it",
			said("a") + `,{"message":{"id":"m","role":"assistant","content":"b"},"contextItems":[],"conversationSummary":"S"}`,
			"user \"a\"\nsays \"b\" thinking \"\"\ncompaction 1-2 \"S\"\n",
		},
		{
			"other roles, and what nobody has described",
			`{"message":{"role":"thinking","content":"hm"},"contextItems":[]},{"message":{"role":"system","content":"be"},"contextItems":[]},` +
				`{"message":{"role":"tool","toolCallId":"c","content":"out"},"contextItems":[]},{"message":{"role":"bird"}},` +
				`{"message":{"role":"assistant","content":[{"type":"text","text":"b"}]},"reasoning":{"text":"r"},"song":1}`,
			"says \"\" thinking \"hm\"\nput \"be\"\nresult \"c\" true\nunknown message/bird \nsays \"b\" thinking \"r\"\nunknown history/song \n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got strings.Builder
			adaptertest.Events(t, continuedev.Adapter{}, file, []byte(session(tt.history)), func(ev *core.Event) { got.WriteString(adaptertest.Line(ev)) })
			if diff := cmp.Diff("start s /w m\n"+tt.want, got.String()); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// TestChoice: the answer to a question is one of its options, or a person's own.
func TestChoice(t *testing.T) {
	ask := `"{\"question\":\"Which?\",\"options\":[\"a\",\"b\"]}"`
	for told, want := range map[string]core.Choice{
		`User selected option 2: \"b\"`:      {Question: "Which?", Options: []core.Option{{Text: "a"}, {Text: "b", Chosen: true}}},
		`User provided custom answer: \"c\"`: {Question: "Which?", Options: []core.Option{{Text: "a"}, {Text: "b"}}, Answer: "c"},
	} {
		data := session(called("c", "AskQuestion", ask, `"status":"done","output":[{"content":"`+told+`"}]`))
		var got []core.Choice
		adaptertest.Events(t, continuedev.Adapter{}, file, []byte(data), func(ev *core.Event) {
			if r, ok := ev.Body.(*core.ToolResult); ok {
				got = r.Choices
			}
		})
		if diff := cmp.Diff([]core.Choice{want}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", told, diff)
		}
	}
}

// TestFork: a fork is a new session with a copy of the messages; what it copies
// has the names of the original, and what it adds has its own.
func TestFork(t *testing.T) {
	first := said("Use a map.") + "," + called("call_1", "Write", `"{\"filepath\":\"/w/a\",\"content\":\"1\\n\"}"`, written)
	later := said("Use a list.") + "," + called("call_2", "Write", `"{\"filepath\":\"/w/b\",\"content\":\"1\\n\"}"`, written)
	ids := func(id, history string) map[string]*core.Node {
		nodes, _ := adaptertest.Capture(t, continuedev.Adapter{}, file, []byte(strings.Replace(session(history), `"s"`, `"`+id+`"`, 1)), nil)
		return nodes
	}
	original, fork := ids("s", first), ids("f", first+","+later)
	for id, n := range original {
		if fork[id] == nil {
			t.Errorf("the fork has no %s", id)
		}
		if n.Source != core.Continue {
			t.Errorf("%s is of %s", id, n.Source)
		}
	}
	if len(original) < 3 || len(fork) != 2*len(original) {
		t.Errorf("%d nodes, and %d in the fork, which says the same again", len(original), len(fork))
	}
}

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		name, path, head string
		want             core.Fit
	}{
		{"a session", "/x.json", "\n" + session(said("a")), core.NativeFit},
		{"one in which nothing was said", "/x.json", session(), core.ShapeFit},
		{"an empty file in its place", file, "", core.PathFit},
		{"an empty index", "/h/.continue/sessions/sessions.json", "", core.NoFit},
		{"the index", "/h/.continue/sessions/sessions.json", `[{"sessionId":"s","workspaceDirectory":"/w","title":"history"}]`, core.NoFit},
		{"Cline", "/x.json", `{"sessionId":"s","agent":"lead","messages":[]}`, core.NoFit},
	} {
		if got := (continuedev.Adapter{}).Detect(core.Sample{Path: tt.path, Head: []byte(tt.head)}); got != tt.want {
			t.Errorf("%s: fit %d, want %d", tt.name, got, tt.want)
		}
	}
}

// FuzzParse reads anything at all as a session.
func FuzzParse(f *testing.F) {
	f.Add(file, []byte(session(said("a"), called("c", "Edit", `"{\"file_path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}"`, `"status":"done","output":[{"content":"\nDiff:\n--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"}]`))))
	f.Add(file, []byte(session(called("c", "multi_edit", `"{}"`, `"processedArgs":{"fileUri":"file:///c:/x","editingFileContents":"a","newFileContents":"b"},"status":"done"`))))
	f.Add(file, []byte(session(`{"message":{"role":"assistant","content":"S"},"conversationSummary":"S"}`, said("continue"))))
	adaptertest.Fuzz(f, continuedev.Adapter{})
}
