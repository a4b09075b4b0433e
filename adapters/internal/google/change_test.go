package google_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/core"
)

// replace is a call of the tool of that name which replaces a string.
func replace(t testing.TB, tool, from, to, more string) google.Edit {
	return google.Edit{
		Tool: tool, Args: value(t, fmt.Sprintf(`{"file_path":"/w/a","old_string":%s,"new_string":%s%s}`, quoted(from), quoted(to), more)),
		Told: body("Successfully modified file: /w/a (1 replacements)."), Qwen: tool == "edit",
	}
}

// TestReplace does a replacement as the client does it, in a file that was read.
func TestReplace(t *testing.T) {
	const smart = `,"instruction":"x"`
	tests := []struct {
		name, tool, text, from, to, more, want string
	}{
		{"the string", "replace", "a\nb\nc\n", "b", "B", smart, "a\nB\nc\n"},
		{"every one", "replace", "b\nb\n", "b", "B", `,"expected_replacements":2`, "B\nB\n"},
		{"every one, newer", "replace", "b\nb\n", "b", "B", smart + `,"allow_multiple":true`, "B\nB\n"},
		{"every one, Qwen", "edit", "b\nb\n", "b", "B", `,"replace_all":true`, "B\nB\n"},
		{"space around it, first tool", "replace", "a\n  b\nc\n", "b  ", "B\n", "", "a\n  B\nc\n"},
		{"other indentation", "replace", "f {\n\tb\n\tc\n}\n", "  b\n  c", "d", smart, ""}, // what 0.10 to 0.24 wrote there is not known
		{"nowhere", "replace", "a\n", "b", "B", smart, ""},
		{"a line deleted, Qwen", "edit", "a\nb\nc\n", "b", "", "", "a\nc\n"},
		{"a line deleted with its end, Qwen", "edit", "a\nb\nc\n", "b\n", "", "", "a\nc\n"},
		{"line ends of Windows", "replace", "a\r\nb\r\n", "b", "B\nC", smart, "a\r\nB\r\nC\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var f google.Files
			f.WasRead(value(t, `{"file_path":"/w/a"}`), body(tt.text))
			d, ok := f.Of(replace(t, tt.tool, tt.from, tt.to, tt.more))
			if !ok {
				t.Fatal("no edit")
			}
			if tt.want == "" {
				if *d.Old != tt.from || *d.New != tt.to {
					t.Errorf("got %q for %q", *d.New, *d.Old)
				}
				return
			}
			after, err := edit.Apply(tt.text, d.Unified)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, after); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// TestKnowledge has what is known of a file be right or nothing.
func TestKnowledge(t *testing.T) {
	read := func(f *google.Files, args, text string) { f.WasRead(value(t, args), body(text)) }
	shell := func(f *google.Files, command string) { f.RanShell(value(t, `{"command":`+quoted(command)+`}`)) }
	const whole = `{"file_path":"/w/a"}`
	tests := []struct {
		name  string
		what  func(*google.Files)
		known bool
	}{
		{"read", func(f *google.Files) { read(f, whole, "a\nb\n") }, true},
		{"read by another name", func(f *google.Files) { read(f, `{"absolute_path":"/w/a"}`, "a\nb\n") }, true},
		{"another file", func(f *google.Files) { read(f, `{"file_path":"/w/b"}`, "a\nb\n") }, false},
		{"a part", func(f *google.Files) { read(f, `{"file_path":"/w/a","offset":1,"limit":2}`, "a\nb\n") }, false},
		{"all, said so", func(f *google.Files) { read(f, `{"file_path":"/w/a","offset":null}`, "a\nb\n") }, true},
		{"cut", func(f *google.Files) { read(f, whole, "IMPORTANT: The file content has been truncated.\na\nb\n") }, false},
		{"looked at since", func(f *google.Files) { read(f, whole, "a\nb\n"); shell(f, "cat /w/a 2>&1 | head") }, true},
		{"written since", func(f *google.Files) { read(f, whole, "a\nb\n"); shell(f, "echo x >> a") }, false},
		{"another one written since", func(f *google.Files) { read(f, whole, "a\nb\n"); shell(f, "echo x > /w/zzz") }, true},
		{"reset since", func(f *google.Files) { read(f, whole, "a\nb\n"); shell(f, "git checkout .") }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var f google.Files
			tt.what(&f)
			d, ok := f.Of(replace(t, "edit", "b", "B", ""))
			if !ok {
				t.Fatal("no edit")
			}
			if known := *d.Old == "a\nb\n"; known != tt.known {
				t.Errorf("known: %v, old text %q", known, *d.Old)
			}
		})
	}
}

// TestPaths says which file an edit is of.
func TestPaths(t *testing.T) {
	tests := []struct{ args, display, told, cwd, want string }{
		{`"/w/a"`, "", "", "", "/w/a"},
		{`"a"`, "", "", "/w", "/w/a"},
		{`"./a"`, "", "", "/w/", "/w/a"},
		{`"a"`, "", "", "", "a"},
		{`"a"`, "", "Successfully modified file: /w/a (1 replacements).", "", "/w/a"},
		{`"a"`, `{"fileDiff":"","fileName":"a","filePath":"/w/a","originalContent":"x","newContent":"y"}`, "", "", "/w/a"},
		{`"C:\\w\\a"`, "", "", "", `C:\w\a`},
		{`"a"`, "", "", `C:\w`, `C:\w\a`},
		{`null`, `{"fileDiff":"","fileName":"a","originalContent":"x","newContent":"y"}`, "", "", "a"},
	}
	for _, tt := range tests {
		e := google.Edit{Tool: "edit", Args: value(t, `{"file_path":`+tt.args+`,"old_string":"x","new_string":"y"}`), Told: body(tt.told), Cwd: tt.cwd}
		if tt.display != "" {
			e.Display = value(t, tt.display)
		}
		d, ok := new(google.Files).Of(e)
		if !ok || d.Path != tt.want {
			t.Errorf("%s %s: got %q, want %q", tt.args, tt.told, d.Path, tt.want)
		}
	}
}

// FuzzOf has no call, answer or record break the making of a diff, and a diff
// between known texts lead from one to the other.
func FuzzOf(f *testing.F) {
	f.Add("a\nb\n", `{"file_path":"/w/a","old_string":"b","new_string":"B"}`, `null`, "The file: /w/a has been updated. Showing lines 1-3 of 3 from the edited file:\n\n---\n\na\nB\n", true)
	f.Add("a\r\n  b\r\n", `{"file_path":"/w/a","instruction":"x","old_string":"b\n","new_string":"B"}`, `null`, "Successfully modified file: /w/a (1 replacements).", false)
	f.Add("", `{"file_path":"/w/a","content":"x"}`, `{"fileDiff":"@@ -1 +1 @@\n-a\n+b\n","fileName":"a","originalContent":"a\n","newContent":"b\n","truncatedForSession":true}`, "", true)
	f.Add("a\n", `{"file_path":"/w/a"}`, `{"fileDiff":"","fileName":"a","originalContent":null,"newContent":"b\n"}`, "Successfully created and wrote to new file: /w/a.", false)
	f.Fuzz(func(t *testing.T, text, args, display, told string, qwen bool) {
		for _, tool := range []string{"replace", "write_file", "edit"} {
			var files google.Files
			files.WasRead(value(t, `{"file_path":"/w/a"}`), body(text))
			e := google.Edit{Tool: tool, Told: []byte(told), Qwen: qwen}
			if a, ok := parsed(args); ok {
				e.Args = a
			}
			if d, ok := parsed(display); ok {
				e.Display = d
			}
			d, ok := files.Of(e)
			if !ok {
				continue
			}
			if d.Path == "" || d.Unified == "" {
				t.Errorf("no diff, or none of a file: %+v", d)
			}
			check(t, &d)
		}
	})
}

// check holds that a diff leads from one text to the other if both are whole.
func check(t *testing.T, d *core.Diff) {
	if d.Old == nil || d.New == nil {
		return
	}
	if after, err := edit.Apply(*d.Old, d.Unified); err == nil && after != *d.New {
		t.Errorf("the diff leads from %q to %q, not to %q:\n%s", *d.Old, after, *d.New, d.Unified)
	}
}
