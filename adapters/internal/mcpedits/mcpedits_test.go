package mcpedits_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// listed is a parser that reads a list of calls: name, arguments, result, whether
// it failed.
type listed struct{ copied bool }

func (p *listed) IsCopy() bool { return p.copied }

func (p *listed) Parse(rec core.Record, emit func(*core.Event)) {
	r := rec.Doc.Root()
	id := r.Get("id").Str()
	p.copied = r.Get("copied").Bool()
	head := core.Event{Session: "s", ID: id, Project: &core.Project{Cwd: "/w"}}
	call, result := head, head
	call.Body = &core.ToolCall{CallID: id, Name: r.Get("name").Str(), Args: core.RawValue(r.Get("args"))}
	emit(&call)
	if own := r.Get("own").Str(); own != "" {
		edited := head
		edited.Body = &core.FileEdit{CallID: id, Diff: edit.Created(own, "")}
		emit(&edited)
	}
	result.Body = &core.ToolResult{CallID: id, OK: !r.Get("failed").Bool(), Output: core.RawValue(r.Get("out"))}
	emit(&result)
}

// told plays calls, and writes down the edits that come of them.
func told(t *testing.T, calls ...string) []string {
	t.Helper()
	p := mcpedits.Edits(&listed{}, new(edit.Files))
	var all []string
	seq := uint64(0)
	for i, c := range calls {
		if !strings.HasPrefix(c, `{"id":`) {
			c = fmt.Sprintf(`{"id":"call_%d",`, i) + c[1:]
		}
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(c)); err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		p.Parse(core.Record{Doc: &doc}, func(ev *core.Event) {
			ev.Seq = seq
			seq++
			e, ok := ev.Body.(*core.FileEdit)
			if !ok {
				return
			}
			name := e.Diff.Path
			if e.Diff.OldPath != "" {
				name = e.Diff.OldPath + " " + name
			}
			_, body, _ := strings.Cut(e.Diff.Unified, "\n+++ ")
			_, body, _ = strings.Cut(body, "\n")
			all = append(all, fmt.Sprintf("%s %s\n%s", e.Diff.Change, name, body))
		})
	}
	return all
}

func quote(s string) string {
	b, _ := json.Marshal(s) //nolint:errchkjson // a string
	return string(b)
}

// diffOf is what the reference server answers to edit_file.
func diffOf(file, hunks string) string {
	return "```diff\nIndex: " + file + "\n" + strings.Repeat("=", 67) + "\n--- " + file + "\toriginal\n+++ " + file + "\tmodified\n" + hunks + "```\n\n"
}

const (
	hunk     = "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"
	twoToTWO = `"name":"mcp__files__edit_file","args":{"path":"/w/a","edits":[{"oldText":"two","newText":"TWO"}]}`
	writeHi  = `"name":"files_write_file","args":{"path":"n","content":"hi\n"}`
)

// TestForms reads what a server said out of all the forms in which clients write
// it down (recorded), by all the names that they give the tool.
func TestForms(t *testing.T) {
	answer := diffOf("/w/a", hunk)
	structured, err := json.Marshal(map[string]any{"content": answer})
	if err != nil {
		t.Fatal(err)
	}
	args := `{"path":"/w/a","edits":[{"oldText":"two","newText":"TWO"}]}`
	for name, c := range map[string]string{
		"Claude Code":      `{"name":"mcp__files__edit_file","args":` + args + `,"out":` + quote(string(structured)) + `}`,
		"Claude Code 2.0":  `{"name":"mcp__files__edit_file","args":` + args + `,"out":[{"type":"text","text":` + quote(answer) + `}]}`,
		"Codex":            `{"name":"mcp__files__edit_file","args":` + quote(args) + `,"out":` + quote("Wall time: 0.0192 seconds\nOutput:\n"+string(structured)) + `}`,
		"Codex, a list":    `{"name":"files__edit_file","args":` + quote(args) + `,"out":[{"type":"input_text","text":"Wall time: 0.1 seconds\nOutput:"},{"type":"input_text","text":` + quote(answer) + `}]}`,
		"Gemini CLI":       `{"name":"mcp_files_edit_file","args":` + args + `,"out":[{"functionResponse":{"id":"x","name":"edit_file","response":{"output":` + quote("<untrusted_context>\n"+answer+"\n</untrusted_context>") + `}}}]}`,
		"Gemini CLI 0.11":  `{"name":"edit_file","args":` + args + `,"out":[{"functionResponse":{"response":{"output":` + quote(answer) + `}}}]}`,
		"Qwen Code":        `{"name":"tool_call","args":{"name":"mcp__files__edit_file","arguments":` + args + `},"out":` + quote(answer) + `}`,
		"Cline":            `{"name":"use_mcp_tool","args":{"server_name":"files","tool_name":"edit_file","arguments":` + quote(args) + `},"out":` + quote(answer) + `}`,
		"OpenCode":         `{"name":"files_edit_file","args":` + args + `,"out":` + quote(answer) + `}`,
		"Copilot":          `{"name":"files-edit_file","args":` + args + `,"out":{"content":` + quote(answer) + `}}`,
		"a content object": `{"name":"mcp__files__edit_file","args":` + args + `,"out":` + quote(`{"content":[{"type":"text","text":`+quote(answer)+`}],"isError":false}`) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff([]string{"modify /w/a\n" + hunk}, told(t, c)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEdits(t *testing.T) {
	wrote := func(name string) string { return `"out":` + quote("Successfully wrote to "+name) + `}` }
	const created = "write /w/n\n@@ -0,0 +1 @@\n+hi\n"
	read := func(name, text string) string {
		return `{"name":"mcp__files__read_text_file","args":{"path":` + quote(name) + `},"out":` + quote(text) + `}`
	}
	edited := func(hunks string) string { return `{` + twoToTWO + `,"out":` + quote(diffOf("/w/a", hunks)) + `}` }
	for _, tc := range []struct {
		name  string
		calls []string
		want  []string
	}{
		{"a new file", []string{`{` + writeHi + "," + wrote("n")}, []string{created}},
		{"the same again", []string{`{` + writeHi + "," + wrote("n"), `{` + writeHi + "," + wrote("n")}, []string{created}},
		{"over what was read", []string{read("/w/n", "ho\n"), `{` + writeHi + "," + wrote("n")}, []string{"modify /w/n\n@@ -1 +1 @@\n-ho\n+hi\n"}},
		{"over what was read in part", []string{
			`{"name":"mcp__files__read_text_file","args":{"path":"/w/n","head":1},"out":"ho\n"}`, `{` + writeHi + "," + wrote("n"),
		}, []string{created}},
		{"ends of lines that the server makes anew", []string{read("/w/a", "one\r\ntwo\r\n"), edited(hunk)}, []string{"modify /w/a\n@@ -1,2 +1,2 @@\n-one\r\n-two\r\n+one\n+TWO\n"}},
		{"a link, which the server follows", []string{`{"name":"mcp__files__edit_file","args":{"path":"/w/link","edits":[{"oldText":"two","newText":"TWO"}]},"out":` + quote(diffOf("/w/a", hunk)) + `}`}, []string{"modify /w/a\n" + hunk}},
		{"a fence in the diff", []string{`{` + twoToTWO + `,"out":` + quote("````diff\nIndex: /w/a\n===\n--- /w/a\n+++ /w/a\n@@ -1,2 +1,2 @@\n ```\n-two\n+TWO\n````\n\n") + `}`}, []string{"modify /w/a\n@@ -1,2 +1,2 @@\n ```\n-two\n+TWO\n"}},
		{"cut off by the client", []string{`{` + twoToTWO + `,"out":` + quote(diffOf("/w/a", hunk)[:120]) + `}`}, []string{"modify /w/a\n@@ -1 +1 @@\n-two\n+TWO\n"}},
		{"an edit that changes nothing", []string{`{"name":"mcp__files__edit_file","args":{"path":"/w/a","edits":[{"oldText":"two","newText":"two"}]},"out":` + quote(diffOf("/w/a", "")) + `}`}, nil},
		{"a trial", []string{`{"name":"mcp__files__edit_file","args":{"path":"/w/a","dryRun":true,"edits":[{"oldText":"two","newText":"TWO"}]},"out":` + quote(diffOf("/w/a", hunk)) + `}`}, nil},
		{"a failure", []string{`{"failed":true,` + twoToTWO + `,"out":` + quote(diffOf("/w/a", hunk)) + `}`}, nil},
		{"a refusal that no client took for one", []string{`{` + writeHi + `,"out":"Access denied - path outside allowed directories: n not in /w"}`}, nil},
		{"a move", []string{`{` + writeHi + "," + wrote("n"), `{"name":"mcp__files__move_file","args":{"source":"/w/n","destination":"/w/m"},"out":"Successfully moved /w/n to /w/m"}`, read("/w/x", "x"), `{"name":"mcp__files__write_file","args":{"path":"/w/m","content":"ho\n"},` + wrote("/w/m")}, []string{created, "rename /w/n /w/m\n", "modify /w/m\n@@ -1 +1 @@\n-hi\n+ho\n"}},
		{"a move of a folder", []string{`{"name":"mcp__files__create_directory","args":{"path":"/w/d"},"out":"Successfully created directory /w/d"}`, `{"name":"mcp__files__move_file","args":{"source":"/w/d","destination":"/w/e"},"out":"Successfully moved /w/d to /w/e"}`}, nil},
		{"told of by the parser", []string{`{"own":"/w/a",` + twoToTWO + `,"out":` + quote(diffOf("/w/a", hunk)) + `}`}, []string{"create /w/a\n"}},
		{"a copy", []string{`{"copied":true,` + twoToTWO + `,"out":` + quote(diffOf("/w/a", hunk)) + `}`}, nil},
		{"a result that stands twice", []string{
			`{"id":"toolu_0123456789",` + writeHi + "," + wrote("n"), read("/w/n", "ho\n"), `{"id":"toolu_0123456789",` + writeHi + "," + wrote("n"),
		}, []string{created}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, told(t, tc.calls...)); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDesktopCommander wants its edits, and none where it says in words that it
// made none (recorded, 0.2.52).
func TestDesktopCommander(t *testing.T) {
	block := func(old, now, more, out string) string {
		return `{"name":"mcp__desk__edit_block","args":{"file_path":"/w/a","old_string":` + quote(old) + `,"new_string":` + quote(now) + more + `},"out":` + quote(out) + `}`
	}
	got := told(t,
		block("you", "YOU", "", "[Reading 4 lines from start (total: 4 lines, 0 remaining)]\n\nhi\nYOU\nmore\n"),
		block("nope", "x", "", "Search content not found in /w/a. The closest match was \"hi\" with only 14% similarity"),
		block("o", "0", `,"expected_replacements":2`, "Expected 2 occurrences but found 1 in /w/a."),
		block("more", "less", "", "Successfully applied 1 edit to /w/a"),
		`{"name":"mcp__desk__write_file","args":{"path":"/w/a","content":"end\n","mode":"append"},"out":"Successfully appended to /w/a (2 lines) "}`,
		`{"name":"mcp__desk__write_file","args":{"path":"/w/b","content":"end\n","mode":"append"},"out":"Successfully appended to /w/b (2 lines) "}`,
		`{"name":"mcp__desk__write_file","args":{"path":"/w/c","content":"x","mode":"rewrite"},"out":"Successfully wrote to /w/c (1 lines) "}`,
	)
	want := []string{
		"modify /w/a\n@@ -1,3 +1,3 @@\n hi\n-you\n+YOU\n more\n",
		"modify /w/a\n@@ -1,3 +1,3 @@\n hi\n YOU\n-more\n+less\n",
		"modify /w/a\n@@ -1,3 +1,4 @@\n hi\n YOU\n less\n+end\n",
		"modify /w/b\n@@ -0,0 +1,2 @@\n+end\n+\n",
		"write /w/c\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
}

// TestOthers wants no edit of a tool that only looks like one of a server for
// files.
func TestOthers(t *testing.T) {
	for _, c := range []string{
		`{"name":"mcp__sandbox__write_file","args":{"path":"/w/a","content":"x"},"out":"Successfully wrote to /w/a"}`,
		`{"name":"mcp_e2b_write_file","args":{"path":"/w/a","content":"x"},"out":"Successfully wrote to /w/a"}`,
		`{"name":"mcp__cloud__write_file","args":{"path":"/w/a","content":"x"},"out":"File written"}`,
		`{"name":"mcp__files__write_file","args":{"path":"/w/a","content":"x"},"out":"Successfully wrote to /w/abc"}`,
		`{"name":"write_file","args":{"path":"/w/a","content":"x"},"out":"Successfully wrote to /w/a"}`,
		`{"name":"overwrite_file","args":{"path":"/w/a","content":"x"},"out":"Successfully wrote to /w/a"}`,
		`{"name":"mcp__x__edit_file","args":{"path":"/w/a","edits":[{"old_text":"a","new_text":"b"}]},"out":` + quote(diffOf("/w/a", hunk)) + `}`,
		`{"name":"mcp__x__edit_file","args":"no object","out":"x"}`,
		`{"name":"mcp__x__move_file","args":{"source":"/w/a","destination":"/w/b"},"out":"Queued"}`,
		`{"name":"tool_call","args":{"name":"mcp__files__edit_file","arguments":7},"out":"x"}`,
	} {
		if got := told(t, c); got != nil {
			t.Errorf("%s: %q", c, got)
		}
	}
}
