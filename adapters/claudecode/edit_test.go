package claudecode_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/core"
)

// quoted is a string in JSON.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// diffs are the edits of a session.
func (s *session) diffs(t *testing.T) []core.Diff {
	t.Helper()
	var list []core.Diff
	events(t, "s.jsonl", []byte(s.b.String()), func(ev *core.Event) {
		if e, ok := ev.Body.(*core.FileEdit); ok {
			list = append(list, e.Diff)
		}
	})
	return list
}

// one is the only edit of a session. It has to lead from the one text to the
// other.
func (s *session) one(t *testing.T, before, after string) core.Diff {
	t.Helper()
	list := s.diffs(t)
	if len(list) != 1 {
		t.Fatalf("got %d edits, want 1, of\n%s", len(list), s.b.String())
	}
	got, err := edit.Apply(before, list[0].Unified)
	if err != nil {
		t.Fatalf("%v\n%s", err, list[0].Unified)
	}
	if diff := cmp.Diff(after, got); diff != "" {
		t.Errorf("text after the edit (-want +got):\n%s\n%s", diff, list[0].Unified)
	}
	return list[0]
}

// file is a Go file whose lines begin with tabs.
func file(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func f%d() {\n\tif x {\n\t\tg(%d)\n\t}\n}\n\n", i, i)
	}
	return b.String()
}

// numberedText is a text as the model is shown it.
func numberedText(text string, from int, arrow string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if arrow == "→" {
			fmt.Fprintf(&b, "%6d", from+i)
		} else {
			fmt.Fprintf(&b, "%d", from+i)
		}
		b.WriteString(arrow + line)
	}
	return b.String()
}

// patch is the client's structuredPatch of a change: tabs that a line begins
// with are two spaces in it.
func patch(before, after string) string {
	type hunk struct {
		OldStart int      `json:"oldStart"`
		OldLines int      `json:"oldLines"`
		NewStart int      `json:"newStart"`
		NewLines int      `json:"newLines"`
		Lines    []string `json:"lines"`
	}
	var hunks []hunk
	for line := range strings.Lines(edit.FromTexts("f", before, after).Unified) {
		line = strings.TrimSuffix(line, "\n")
		var h hunk
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		case strings.HasPrefix(line, "@@"):
			if n, _ := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &h.OldStart, &h.OldLines, &h.NewStart, &h.NewLines); n != 4 {
				panic(line)
			}
			hunks = append(hunks, h)
		default:
			rest := strings.TrimLeft(line[1:], "\t")
			shown := line[:1] + strings.Repeat("  ", len(line)-1-len(rest)) + rest
			hunks[len(hunks)-1].Lines = append(hunks[len(hunks)-1].Lines, shown)
		}
	}
	b, err := json.Marshal(hunks)
	if err != nil {
		panic(err)
	}
	return string(b)
}

const path = "/w/a.go"

// edits is a session with an Edit of which the result tells what more says.
func edits(before []string, from, to, more string) *session {
	s := new(session).add(user("One."))
	for _, r := range before {
		s.add(r)
	}
	return s.add(calls("toolu_0000000000001", "Edit", `{"file_path":"`+path+`","old_string":`+quoted(from)+`,"new_string":`+quoted(to)+`}`)).
		add(answers("toolu_0000000000001", `"The file has been updated."`, more))
}

// structured is the structured result of an Edit.
func structured(from, to, original, hunks string) string {
	return `,"toolUseResult":{"filePath":"` + path + `","oldString":` + quoted(from) + `,"newString":` + quoted(to) +
		`,"originalFile":` + original + `,"structuredPatch":` + hunks + `,"userModified":false,"replaceAll":false}`
}

// read is a Read with a result in one of the forms.
func read(result, more string) []string {
	return []string{
		calls("toolu_0000000000000", "Read", `{"file_path":"`+path+`"}`),
		answers("toolu_0000000000000", quoted(result), more),
	}
}

func TestEdit(t *testing.T) {
	before := file(9)
	from, to := "\t\tg(4)\n", "\t\tg(4)\n\t\th(4)\n"
	after := strings.Replace(before, from, to, 1)
	hunks := patch(before, after)
	shown := fmt.Sprintf(`,"toolUseResult":{"type":"text","file":{"filePath":"%s","content":%s,"numLines":55,"startLine":1,"totalLines":55}}`, path, quoted(before))
	lines := strings.SplitAfter(before, "\n")
	part := strings.TrimSuffix(strings.Join(lines[20:40], ""), "\n")
	tests := map[string]*session{
		"the original is recorded":                    edits(nil, from, to, structured(from, to, quoted(before), hunks)),
		"the original is recorded, and no patch":      edits(nil, from, to, structured(from, to, quoted(before), "[]")),
		"the file was read":                           edits(read("x", shown), from, to, structured(from, to, "null", hunks)),
		"the file was read, no structured result":     edits(read("x", shown), from, to, ""),
		"read as numbered lines":                      edits(read(numberedText(before, 1, "→"), ""), from, to, ""),
		"read as numbered lines, with a reminder":     edits(read(numberedText(before, 1, "→")+"\n\n<system-reminder>\nx\n</system-reminder>\n", ""), from, to, ""),
		"read as numbered lines of 2.1":               edits(read(numberedText(before, 1, "\t"), ""), from, to, ""),
		"a part was read":                             edits(read(numberedText(part, 21, "\t"), `,"toolUseResult":{"type":"text","file":{"filePath":"`+path+`","content":`+quoted(part)+`,"numLines":20,"startLine":21,"totalLines":55}}`), from, to, ""),
		"a part was read, and there is a patch":       edits(read(numberedText(part, 21, "\t"), `,"toolUseResult":{"type":"text","file":{"filePath":"`+path+`","content":`+quoted(part)+`,"numLines":20,"startLine":21,"totalLines":55}}`), from, to, structured(from, to, "null", hunks)),
		"nothing but a patch":                         edits(nil, from, to, structured(from, to, "null", hunks)),
		"the result shows the lines after, as in 1.0": edits(nil, from, to, "").snippet(after, 24, 32),
		"the call is not in the transcript":           new(session).add(user("One.")).add(answers("toolu_0000000000001", `"x"`, structured(from, to, quoted(before), hunks))),
		"the person changed the proposal":             edits(nil, from, "\t\twrong\n", strings.Replace(structured(from, "\t\twrong\n", quoted(before), hunks), `"userModified":false`, `"userModified":true`, 1)),
		"what was read is not what is there any more": edits(read(numberedText("package other\n", 1, "\t"), ""), from, to, structured(from, to, "null", hunks)),
	}
	for name, s := range tests {
		t.Run(name, func(t *testing.T) {
			d := s.one(t, before, after)
			if d.Path != path || d.Change != core.Modify || d.Added != 1 || d.Removed != 0 {
				t.Errorf("got %s %s +%d -%d", d.Path, d.Change, d.Added, d.Removed)
			}
		})
	}
}

// TestEditOfQuotes: the client may write curly quotation marks where the call has straight
// ones, and shows them (recorded 2.1.176); where the kind of mark is another it writes them as
// they are (recorded 2.1.332). It shows tabs as spaces all the same.
func TestEditOfQuotes(t *testing.T) {
	before := "f {\n\tq = ‘a’;\n\treturn;\n}\ng {\n  return;\n}\n"
	for to, written := range map[string]string{"q = 'b';": "q = ‘b’;", "q = \"b\";": "q = \"b\";"} {
		after := strings.Replace(before, "q = ‘a’;", written, 1)
		d := edits(nil, "q = ‘a’;", to, structured("q = ‘a’;", to, quoted(before), patch(before, after))).one(t, before, after)
		if d.Added != 1 || d.Removed != 1 || d.Certainty != "" {
			t.Errorf("%s: %+v", to, d)
		}
	}
}

// snippet replaces the result of the last edit by one that shows lines of the
// new text.
func (s *session) snippet(after string, from, to int) *session {
	lines := strings.Split(after, "\n")
	text := "The file has been updated. Here's the result of running `cat -n` on a snippet of the edited file:\n" +
		numberedText(strings.Join(lines[from-1:to], "\n"), from, "→")
	data := strings.Replace(s.b.String(), quoted("The file has been updated."), quoted(text), 1)
	s.b.Reset()
	s.b.WriteString(data)
	return s
}

// TestEditOfNothingKnown keeps the strings where nothing tells their place.
func TestEditOfNothingKnown(t *testing.T) {
	d := edits(nil, "a", "b", "").diffs(t)
	want := core.Diff{
		Path: path, Old: new("a"), New: new("b"), Change: core.Modify, Added: 1, Removed: 1,
		Unified:   "--- a/w/a.go\n+++ b/w/a.go\n@@ -1 +1 @@\n-a\n+b\n",
		Certainty: core.Told,
	}
	if diff := cmp.Diff([]core.Diff{want}, d); diff != "" {
		t.Errorf("edits (-want +got):\n%s", diff)
	}
}

// TestEditOfUnknownOutcome knows a file no longer after an edit of which the client
// cannot say whether it was made: it was killed, and resumed.
func TestEditOfUnknownOutcome(t *testing.T) {
	const lost = "toolu_0000000000002"
	for name, tt := range map[string]struct{ said, unified string }{
		"not known":     {"[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check it.]", "@@ -1 +1 @@\n-d\n+D\n"},
		"known to fail": {"<tool_use_error>File has been modified since read</tool_use_error>", "@@ -1,4 +1,4 @@\n a\n b\n c\n-d\n+D\n"},
	} {
		t.Run(name, func(t *testing.T) {
			before := append(read(numberedText("a\nb\nc\nd\n", 1, "\t"), ""),
				calls(lost, "Edit", `{"file_path":"`+path+`","old_string":"a","new_string":"a1\na2"}`), fails(lost, tt.said), user("Two."))
			d := edits(before, "d", "D", "").diffs(t)
			if len(d) != 1 {
				t.Fatalf("got %d edits, want 1", len(d))
			}
			if diff := cmp.Diff("--- a/w/a.go\n+++ b/w/a.go\n"+tt.unified, d[0].Unified); diff != "" {
				t.Errorf("diff (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEditForms reads the other ways in which files are edited.
func TestEditForms(t *testing.T) {
	const text = "one\ntwo\nthree\n"
	result := func(tool, input, data string) *session {
		if data != "" {
			data = `,"toolUseResult":` + data
		}
		return new(session).add(user("One.")).add(calls("toolu_0000000000001", tool, input)).
			add(answers("toolu_0000000000001", `"ok"`, data))
	}
	t.Run("everywhere", func(t *testing.T) {
		result("Edit", `{}`, `{"filePath":"/w/a","oldString":"t","newString":"T","originalFile":`+quoted(text)+`,"structuredPatch":[],"replaceAll":true}`).
			one(t, text, "one\nTwo\nThree\n")
	})
	t.Run("the first of several", func(t *testing.T) {
		result("Edit", `{}`, `{"filePath":"/w/a","oldString":"t","newString":"T","originalFile":`+quoted(text)+`,"structuredPatch":[],"replaceAll":false}`).
			one(t, text, "one\nTwo\nthree\n")
	})
	t.Run("a removed line takes its end along", func(t *testing.T) {
		result("Edit", `{}`, `{"filePath":"/w/a","oldString":"two","newString":"","originalFile":`+quoted(text)+`,"structuredPatch":[{"oldStart":1,"oldLines":3,"newStart":1,"newLines":2,"lines":[" one","-two"," three"]}]}`).
			one(t, text, "one\nthree\n")
	})
	t.Run("several edits", func(t *testing.T) {
		result("MultiEdit", `{}`, `{"filePath":"/w/a","edits":[{"old_string":"one","new_string":"1"},{"old_string":"1\ntwo","new_string":"1\n2"}],"originalFileContents":`+quoted(text)+`,"structuredPatch":[]}`).
			one(t, text, "1\n2\nthree\n")
	})
	t.Run("written anew", func(t *testing.T) {
		d := result("Write", `{"file_path":"/w/a","content":"new\n"}`, `{"type":"create","filePath":"/w/a","content":"new\n","structuredPatch":[]}`).one(t, "", "new\n")
		if d.Change != core.Create || d.Old != nil {
			t.Errorf("got %s from %v, want create from nothing", d.Change, d.Old)
		}
	})
	t.Run("written over, with a wrong patch", func(t *testing.T) {
		result("Write", `{}`, `{"type":"update","filePath":"/w/a","content":"new\n","originalFile":`+quoted(text)+`,"structuredPatch":[]}`).one(t, text, "new\n")
	})
	t.Run("written over what was read", func(t *testing.T) {
		s := new(session).add(user("One."))
		for _, r := range read(numberedText(text, 1, "\t"), "") {
			s.add(r)
		}
		s.add(calls("toolu_0000000000001", "Write", `{"file_path":"`+path+`","content":"new\n"}`)).add(answers("toolu_0000000000001", `"updated"`, ""))
		s.one(t, text, "new\n")
	})
	t.Run("written over, with a patch alone", func(t *testing.T) {
		before, after := file(3), strings.Replace(file(3), "g(1)", "h(1)", 1)
		result("Write", `{}`, `{"type":"update","filePath":"/w/a","content":`+quoted(after)+`,"originalFile":null,"structuredPatch":`+patch(before, after)+`}`).
			one(t, before, after)
	})
	t.Run("nothing changed", func(t *testing.T) {
		if d := result("Write", `{}`, `{"type":"update","filePath":"/w/a","content":"x","originalFile":"x","structuredPatch":[]}`).diffs(t); len(d) > 0 {
			t.Errorf("got %v, want no edit", d)
		}
	})
	t.Run("notebook", func(t *testing.T) {
		result("NotebookEdit", `{}`, `{"notebook_path":"/w/a.ipynb","cell_id":"c1","original_file":"{\n1\n}\n","updated_file":"{\n2\n}\n","error":""}`).one(t, "{\n1\n}\n", "{\n2\n}\n")
	})
	t.Run("cell of a notebook that was read", func(t *testing.T) {
		s := new(session).add(user("One.")).add(calls("toolu_0", "Read", `{"file_path":"/w/a.ipynb"}`)).
			add(answers("toolu_0", `[{"type":"text","text":"<cell id=\"c1\">print(1)\nx</cell id=\"c1\">"}]`, "")).
			add(calls("toolu_0000000000001", "NotebookEdit", `{"notebook_path":"/w/a.ipynb","cell_id":"c1","new_source":"print(2)\nx","edit_mode":"replace"}`)).
			add(answers("toolu_0000000000001", `"Updated cell c1"`, ""))
		s.one(t, "print(1)\nx\n", "print(2)\nx\n")
	})
}

// TestNoEdit has calls that changed nothing give no edit.
func TestNoEdit(t *testing.T) {
	call := calls("toolu_0000000000001", "Edit", `{"file_path":"/w/a","old_string":"a","new_string":"b"}`)
	tests := map[string]*session{
		"failed":     new(session).add(user("One.")).add(call).add(fails("toolu_0000000000001", "String to replace not found in file.")),
		"unanswered": new(session).add(user("One.")).add(call).add(user("Two.")),
		"refused":    new(session).add(user("One.")).add(call).add(fails("toolu_0000000000001", "The user doesn't want to proceed with this tool use.")),
		"a notebook's error": new(session).add(user("One.")).add(calls("toolu_0000000000001", "NotebookEdit", `{"notebook_path":"/w/a.ipynb","new_source":"x"}`)).
			add(answers("toolu_0000000000001", `"x"`, `,"toolUseResult":{"notebook_path":"/w/a.ipynb","new_source":"x","error":"no such cell"}`)),
		"a shell command that edits": new(session).add(user("One.")).add(calls("toolu_0000000000001", "Bash", `{"command":"sed -i s/a/b/ a"}`)).
			add(answers("toolu_0000000000001", `""`, `,"toolUseResult":{"stdout":"","bashEditDiff":{"files":[{"filePath":"/w/a","hunks":[]}],"changedFiles":["/w/a"]}}`)),
	}
	for name, s := range tests {
		t.Run(name, func(t *testing.T) {
			if d := s.diffs(t); len(d) > 0 {
				t.Errorf("got %v, want no edit", d)
			}
		})
	}
}

// TestEditOnce has an edit whose result is repeated count once.
func TestEditOnce(t *testing.T) {
	s := edits(nil, "a", "b", structured("a", "b", `"a\n"`, "[]"))
	s.add(answers("toolu_0000000000001", `"The file has been updated."`, structured("a", "b", `"a\n"`, "[]")))
	if d := s.diffs(t); len(d) != 1 {
		t.Errorf("got %d edits, want 1", len(d))
	}
}

// TestCommit has events know of a commit that the client saw.
func TestCommit(t *testing.T) {
	s := new(session).add(user("One.")).add(calls("toolu_1", "Bash", `{"command":"git commit"}`)).
		add(answers("toolu_1", `"ok"`, `,"toolUseResult":{"gitOperation":{"commit":{"sha":"abc1234","kind":"committed","branch":"main"}}}`)).add(says("1"))
	var got []string
	events(t, "s.jsonl", []byte(s.b.String()), func(ev *core.Event) {
		got = append(got, ev.Project.Git.Branch+" "+ev.Project.Git.SHA)
	})
	want := []string{"main ", "main ", "main ", "main ", "main ", "main abc1234"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("branch and commit of the events (-want +got):\n%s", diff)
	}
}

// TestWriteOfEmptyFile: to the client a file without content is none (recorded
// 2.1.330), but a read has shown it.
func TestWriteOfEmptyFile(t *testing.T) {
	write := func(s *session) *session {
		return s.add(calls("toolu_0000000000001", "Write", `{"file_path":"`+path+`","content":"a\n"}`)).
			add(answers("toolu_0000000000001", `"File created successfully at: `+path+`"`,
				`,"toolUseResult":{"type":"create","filePath":"`+path+`","content":"a\n","structuredPatch":[],"originalFile":null}`))
	}
	s := new(session).add(user("One."))
	for _, r := range read("<system-reminder>the contents are empty.</system-reminder>",
		`,"toolUseResult":{"type":"text","file":{"filePath":"/w/b/../a.go","content":"","numLines":1,"startLine":1,"totalLines":1}}`) {
		s.add(r)
	}
	if d := write(s).one(t, "", "a\n"); d.Change != core.Modify {
		t.Errorf("a file that was there: %s", d.Change)
	}
	if d := write(new(session).add(user("One."))).one(t, "", "a\n"); d.Change != core.Create {
		t.Errorf("a file that was not there: %s", d.Change)
	}
}
