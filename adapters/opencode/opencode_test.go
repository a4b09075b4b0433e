package opencode_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/opencode"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// tables are the client's, as far as they are read.
const tables = `
CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL, title text NOT NULL, version text NOT NULL,
  revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE session_message (id text PRIMARY KEY, session_id text NOT NULL, type text NOT NULL, seq integer NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
`

func session(id, more string) string {
	return fmt.Sprintf("INSERT INTO session (id, project_id, directory, title, version, time_created, time_updated%s);\n", fmt.Sprintf(strings.Replace(more, "VALUES (", "VALUES ('%s', 'p', '/w', ", 1), id))
}

// message is a message with a part for each document.
func message(id, session string, at int, data string, parts ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "INSERT INTO message VALUES ('%s', '%s', %d, %d, '%s');\n", id, session, at, at, data)
	for i, p := range parts {
		fmt.Fprintf(&b, "INSERT INTO part VALUES ('%s_%d', '%s', '%s', %d, %d, '%s');\n", strings.Replace(id, "msg", "prt", 1), i, id, session, at, at, strings.ReplaceAll(p, "'", "''"))
	}
	return b.String()
}

func user(at int) string { return fmt.Sprintf(`{"role":"user","time":{"created":%d}}`, at) }

func read(t *testing.T, script, want string) {
	t.Helper()
	if diff := cmp.Diff(want, adaptertest.Database(t, opencode.Adapter{}, "opencode.db", tables+script)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

const text = `{"type":"text","text":"%s"}`

func said(s string) string { return fmt.Sprintf(text, s) }

// TestFork: copies fall together with what they are copies of, also those of a
// copy; what a fork adds is its own.
func TestFork(t *testing.T) {
	read(t, session("ses_c", ") VALUES ('t', '1', 1, 1")+
		session("ses_b", ") VALUES ('t (fork #1)', '1', 2, 2")+
		session("ses_a", ") VALUES ('t (fork #2)', '1', 3, 3")+
		message("msg_1", "ses_c", 10, user(10), said("one"), `{"type":"file","mime":"image/png"}`)+
		message("msg_2", "ses_b", 10, user(10), said("one"), `{"type":"file","mime":"image/png"}`)+
		message("msg_3", "ses_b", 20, user(20), said("two"))+
		message("msg_4", "ses_a", 10, user(10), said("one"), `{"type":"file","mime":"image/png"}`)+
		message("msg_5", "ses_a", 20, user(20), said("two")), `# ses_c
start ses_c /w 
user "one"
put ""
# ses_b
start ses_b /w 
user "one" copy of prt_1_0
put "" copy of prt_1_1
user "two"
# ses_a
start ses_a /w 
user "one" copy of prt_1_0
put "" copy of prt_1_1
user "two" copy of prt_3_0
`)
}

// TestRevert: what was taken back stays where it is, and behind all of it stands
// what the session goes back to.
func TestRevert(t *testing.T) {
	read(t, session("ses_a", ", revert) VALUES ('t', '1', 1, 1, '{\"messageID\":\"msg_2\"}'")+
		message("msg_1", "ses_a", 10, user(10), said("one"))+message("msg_2", "ses_a", 20, user(20), said("two")), `# ses_a
start ses_a /w 
user "one"
user "two"
rewind to prt_1_0
`)
}

// TestTyped: what the run command adds is taken off, what a person quoted is not.
func TestTyped(t *testing.T) {
	read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+
		message("msg_1", "ses_a", 10, user(10), said(`\"say \\\"hi\\\" twice\"\n`), said(`\"one\" and \"two\"`), said(`\"word\"`), `{"type":"text","text":"x","synthetic":true}`), `# ses_a
start ses_a /w 
user "say \"hi\" twice"
user "\"one\" and \"two\""
user "\"word\""
put "x"
`)
}

// TestCommands: the prompt that the client has for a command is nobody's, what was
// typed behind the command's name is.
func TestCommands(t *testing.T) {
	read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+message("msg_1", "ses_a", 10, user(10),
		said("Create or update `AGENTS.md` for this repository.\\n\\nUser-provided focus or constraints (honor these):\\nkeep it short\\n\\n## How to investigate\\n"),
		said(`Please analyze this codebase and create an AGENTS.md file containing:\n1. x\nIf there's already an AGENTS.md, improve it if it's located in /w\n\n`),
		said(`Please analyze this codebase and create an AGENTS.md file containing:\nIf there's already an AGENTS.md, improve it if it's located in /w\n\nuse pnpm`),
		said(`Please analyze this codebase`)), "# ses_a\n"+
		"start ses_a /w \n"+
		"put \"Create or update `AGENTS.md` for this repository.\\n\\nUser-provided focus or constraints (honor these):\\nkeep it short\\n\\n## How to investigate\\n\"\n"+
		"user \"keep it short\"\n"+
		"put \"Please analyze this codebase and create an AGENTS.md file containing:\\n1. x\\nIf there's already an AGENTS.md, improve it if it's located in /w\\n\\n\"\n"+
		"put \"Please analyze this codebase and create an AGENTS.md file containing:\\nIf there's already an AGENTS.md, improve it if it's located in /w\\n\\nuse pnpm\"\n"+
		"user \"use pnpm\"\n"+
		"user \"Please analyze this codebase\"\n")
}

// TestUnfinished: a text of the model is not whole while neither it nor its message has an end.
func TestUnfinished(t *testing.T) {
	for _, c := range []struct{ name, message, text, want string }{
		{"being written", "", `,"time":{"start":1}`, "is saying"},
		{"whole", "", `,"time":{"start":1,"end":2}`, "says"},
		{"of a message that is done", `,"completed":3`, `,"time":{"start":1}`, "says"},
		{"of a version without times", "", "", "says"},
	} {
		t.Run(c.name, func(t *testing.T) {
			read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+
				message("msg_1", "ses_a", 10, `{"role":"assistant","time":{"created":10`+c.message+`}}`, `{"type":"text","text":"Left"`+c.text+`}`),
				"# ses_a\nstart ses_a /w \n"+c.want+" \"Left\" thinking \"\"\n")
		})
	}
	entry := func(end string) string {
		return fmt.Sprintf(`INSERT INTO session_message VALUES ('msg_1', 'ses_a', 'assistant', 1, 10, 10, '{"time":{"created":10%s},"model":{"id":"m"},"content":[{"type":"text","text":"Left"}]}');`, end)
	}
	read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+entry(""), "# ses_a\nstart ses_a /w \nis saying \"Left\" thinking \"\"\n")
	read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+entry(`,"completed":11`), "# ses_a\nstart ses_a /w \nsays \"Left\" thinking \"\"\n")
}

// TestTransient: what Kilo shows while it is at something, in the place of the model's words, is
// nobody's. It is deleted a moment later.
func TestTransient(t *testing.T) {
	read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+
		message("msg_1", "ses_a", 10, user(10), said("Just leave it in."))+
		message("msg_2", "ses_a", 11, `{"role":"assistant","time":{"created":11}}`,
			`{"type":"text","text":"⠋ Initializing snapshot…","synthetic":true,"metadata":{"kilocode.lifecycle":"transient"}}`),
		"# ses_a\nstart ses_a /w \nuser \"Just leave it in.\"\n")
}

// tool is a part that is a call which came to its end.
func tool(name, input, meta string) string {
	return fmt.Sprintf(`{"type":"tool","tool":"%s","callID":"c","state":{"status":"completed","input":%s,"output":"","metadata":%s,"time":{"start":1,"end":2}}}`, name, input, meta)
}

// TestIndentation: what was taken off all lines of a diff comes back from the strings of
// the call; where a line looks as if it lacked some, but does not, it stays.
func TestIndentation(t *testing.T) {
	for _, c := range []struct{ name, shown, asked, lacks string }{
		{"nothing, though a brace looks like it", "@@ -1,1 +1,3 @@\n x\n+  }\n+}\n", "x\n\nx\n}\n  }\n", ""},
		{"by the strings", "@@ -2,3 +2,3 @@\n for (a of b) {\n-  s += a;\n-}\n+  t += a;\n+}\n return s;\n", "      s += a;\n    }\n\n      t += a;\n    }\n", "    "},
		{"nothing is named", "@@ -4,2 +4,1 @@\n }\n-return s;\n", "return s;", ""},
	} {
		got := opencode.Indented(c.shown, c.asked)
		want := strings.NewReplacer("\n ", "\n "+c.lacks, "\n-", "\n-"+c.lacks, "\n+", "\n+"+c.lacks).Replace(c.shown)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestForeseen: the message of a turn shows the files as they were before it, with
// their line ends, which no call shows; a file that is written over has its diff
// against that.
func TestForeseen(t *testing.T) {
	asked := `{"role":"user","time":{"created":10},"summary":{"diffs":[
		{"file":"a.txt","status":"modified","patch":"Index: a.txt\n===\n--- a.txt\t\n+++ a.txt\t\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n"},
		{"file":"\"b \\\"b\\\".txt\"","status":"modified","patch":"Index: b\n===\n--- b\t\n+++ b\t\n@@ -1,1 +1,1 @@\n-old\n\\ No newline at end of file\n+new\n"},
		{"file":"c.txt","status":"modified","patch":"Index: c.txt\n===\n--- c.txt\t\n+++ c.txt\t\n@@ -0,0 +1,1 @@\n+new\n"},
		{"file":"d.txt","status":"modified","patch":"diff --git a/d.txt b/d.txt\n--- a/d.txt\n+++ b/d.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n"}]}}`
	answer := `{"role":"assistant","time":{"created":20},"modelID":"m","path":{"cwd":"/w","root":"/"}}`
	read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+message("msg_1", "ses_a", 10, asked)+message("msg_2", "ses_a", 20, answer,
		tool("read", `{"filePath":"/w/a.txt"}`, `{}`),
		tool("edit", `{"filePath":"/w/a.txt","oldString":"one\ntwo","newString":"one\n2"}`, `{"diff":"Index: a.txt\n===\n--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"}`),
		tool("write", `{"filePath":"/w/b \"b\".txt","content":"new\n"}`, `{"exists":true}`),
		tool("write", `{"filePath":"/w/c.txt","content":"new\n"}`, `{"exists":true}`),
		tool("write", `{"filePath":"/w/d.txt","content":"new\n"}`, `{"exists":true}`)), "# ses_a\n"+
		"start ses_a /w \n"+
		"call \"c\" read\n"+
		"result \"c\" true\n"+
		"call \"c\" edit\n"+
		"result \"c\" true\n"+
		"modify /w/a.txt by \"c\"\n"+
		"--- a/w/a.txt\n"+
		"+++ b/w/a.txt\n"+
		"@@ -1,2 +1,2 @@\n"+
		" one\r\n"+
		"-two\r\n"+
		"+2\r\n"+
		"call \"c\" write\n"+
		"result \"c\" true\n"+
		"modify /w/b \"b\".txt by \"c\"\n"+
		"--- a/w/b \"b\".txt\t\n"+
		"+++ b/w/b \"b\".txt\t\n"+
		"@@ -1 +1 @@\n"+
		"-old\n"+
		"\\ No newline at end of file\n"+
		"+new\n"+
		"call \"c\" write\n"+
		"result \"c\" true\n"+
		"modify /w/c.txt by \"c\"\n"+
		"--- a/w/c.txt\n"+
		"+++ b/w/c.txt\n"+
		"@@ -0,0 +1 @@\n"+
		"+new\n"+
		"call \"c\" write\n"+
		"result \"c\" true\n"+
		"write /w/d.txt by \"c\"\n"+
		"--- a/w/d.txt\n"+
		"+++ b/w/d.txt\n"+
		"@@ -0,0 +1 @@\n"+
		"+new\n")
}

// TestEdits: the client takes off the indentation that all lines of a diff
// share; other tools record whole texts, or each file of a patch.
func TestEdits(t *testing.T) {
	assistant := `{"role":"assistant","time":{"created":10},"modelID":"m","path":{"cwd":"/w","root":"/"}}`
	read(t, session("ses_a", ") VALUES ('t', '1', 1, 1")+message("msg_1", "ses_a", 10, assistant,
		tool("edit", `{"filePath":"/w/a","oldString":"\t\tx = 1","newString":"\t\tx = 2"}`, `{"diff":"Index: a\n===\n--- a\n+++ a\n@@ -4,3 +4,3 @@\n if y {\n-\tx = 1\n+\tx = 2\n }\n"}`),
		tool("multiedit", `{"filePath":"b","edits":[{"oldString":"1","newString":"2"},{"oldString":"3","newString":"4"}]}`, `{"results":[{},{}]}`),
		tool("apply_patch", `{"patchText":""}`, `{"files":[{"filePath":"/w/n","type":"add","patch":"@@ -0,0 +1 @@\n+n\n"},{"filePath":"/w/d","type":"delete","patch":"@@ -1 +0,0 @@\n-d\n"},{"filePath":"/w/o","type":"move","movePath":"/w/p","before":"1\n","after":"2\n"}]}`),
		tool("bash", `{"command":"false"}`, `{"exit":1}`),
		tool("invalid", `{}`, `{}`),
		`{"type":"tool","tool":"edit","callID":"e","state":{"status":"error","input":{},"error":"The user rejected permission to use this specific tool call with the following feedback: no"}}`,
		`{"type":"tool","tool":"edit","callID":"r","state":{"status":"running","input":{}}}`,
		`{"type":"later"}`), `# ses_a
start ses_a /w 
call "c" edit
result "c" true
modify /w/a by "c"
--- a/w/a
+++ b/w/a
@@ -4,3 +4,3 @@
 	if y {
-		x = 1
+		x = 2
 	}
call "c" multiedit
result "c" true
modify /w/b by "c"
--- a/w/b
+++ b/w/b
@@ -1 +1 @@
-1
+2
@@ -2 +2 @@
-3
+4
call "c" apply_patch
result "c" true
write /w/n by "c"
--- a/w/n
+++ b/w/n
@@ -0,0 +1 @@
+n
delete /w/d by "c"
--- a/w/d
+++ /dev/null
@@ -1 +0,0 @@
-d
rename /w/p by "c"
--- a/w/o
+++ b/w/p
@@ -1 +1 @@
-1
+2
call "c" bash
result "c" false
call "c" invalid
result "c" false
call "e" edit
result "e" false
call "r" edit
unknown part/later 
unseen kind data:later
`)
}

// TestWriteOverShown: a file that was read whole is known when a write over it
// records nothing of before; one of which a part was read is not.
func TestWriteOverShown(t *testing.T) {
	assistant := `{"role":"assistant","time":{"created":10},"modelID":"m","path":{"cwd":"/w","root":"/"}}`
	shown := func(file, output string) string {
		return fmt.Sprintf(`{"type":"tool","tool":"read","callID":"r","state":{"status":"completed","input":{"filePath":"/w/%s"},"output":%q,"metadata":{},"time":{"start":1,"end":2}}}`, file, output)
	}
	written := func(file string) string {
		return tool("write", `{"filePath":"/w/`+file+`","content":"new\n"}`, `{"exists":true}`)
	}
	for _, tt := range []struct{ name, output, want string }{
		{"until 0.5", "<file>\n00001| old\n00002| \n</file>", "@@ -1 +1 @@\n-old\n+new\n"},
		{"until 1.1, no line end", "<file>\n00001| old\n\n(End of file - total 1 lines)\n</file>", "@@ -1 +1 @@\n-old\n\\ No newline at end of file\n+new\n"},
		{"since 1.2", "<path>/w/a</path>\n<type>file</type>\n<content>1: old\n2: 2: x\n\n(End of file - total 2 lines)\n</content>", "@@ -1,2 +1 @@\n-old\n-2: x\n+new\n"},
		{"its beginning", "<path>/w/a</path>\n<type>file</type>\n<content>\n1: old\n\n(Showing lines 1-1 of 9. Use offset=2 to continue.)\n</content>", "@@ -0,0 +1 @@\n+new\n"},
		{"its end", "<path>/w/a</path>\n<type>file</type>\n<content>\n2: old\n\n(End of file - total 2 lines)\n</content>", "@@ -0,0 +1 @@\n+new\n"},
		{"a long line", "<file>\n00001| " + strings.Repeat("x", 2000) + "...\n</file>", "@@ -0,0 +1 @@\n+new\n"},
		{"a folder", "<path>/w/a</path>\n<type>directory</type>\n<entries>\n", "@@ -0,0 +1 @@\n+new\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := session("ses_a", ") VALUES ('t', '1', 1, 1") + message("msg_1", "ses_a", 10, assistant, shown("a", tt.output), written("a"))
			got := adaptertest.Database(t, opencode.Adapter{}, "opencode.db", tables+script)
			if !strings.HasSuffix(got, tt.want) {
				t.Errorf("want %q at the end of\n%s", tt.want, got)
			}
		})
	}
}

// TestEntries reads the later layout.
func TestEntries(t *testing.T) {
	entry := func(seq int, kind, data string) string {
		return fmt.Sprintf("INSERT INTO session_message VALUES ('m%d', 'ses_a', '%s', %d, %d, 1, '%s');\n", seq, kind, seq, seq, data)
	}
	read(t, session("ses_a", ") VALUES ('t', '2', 1, 1")+
		entry(1, "user", `{"text":"one","files":[{"uri":"x"}]}`)+
		entry(2, "assistant", `{"model":{"id":"m"},"content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"ok"},{"type":"tool","id":"c1","name":"write","state":{"status":"completed","input":{"filePath":"/w/a","content":"x\n"},"content":[],"metadata":{"exists":false}}},{"type":"tool","id":"c2","name":"bash","state":{"status":"error","input":{},"error":{"message":"no"}}}]}`)+
		entry(3, "compaction", `{"status":"running"}`)+entry(4, "compaction", `{"status":"completed","summary":"sum"}`)+
		entry(5, "idle", `{"outcome":"succeeded"}`)+entry(6, "synthetic", `{"text":"put"}`)+entry(7, "later", `{}`), `# ses_a
start ses_a /w 
user "one"
says "" thinking "hm"
says "ok" thinking ""
call "c1" write
result "c1" true
create /w/a by "c1"
--- /dev/null
+++ b/w/a
@@ -0,0 +1 @@
+x
call "c2" bash
result "c2" false
compaction 0-10 "sum"
put "put"
unknown entry/later 
unseen kind later
`)
}

// TestWildExports reads sessions that people exported and published.
func TestWildExports(t *testing.T) {
	dir := adaptertest.Shared(t, "wild/opencode")
	for _, path := range adaptertest.Files(t, dir, adaptertest.Ending(".json")) {
		data := adaptertest.Read(t, path)
		if fit := adaptertest.Fit(opencode.Adapter{}, filepath.ToSlash(path), data); fit != core.NativeFit {
			t.Errorf("%s: fit %d", path, fit)
		}
		var edits, unknown int
		adaptertest.Events(t, opencode.Adapter{}, filepath.ToSlash(path), data, func(ev *core.Event) {
			switch b := ev.Body.(type) {
			case *core.FileEdit:
				edits++
				adaptertest.Sound(t, path, &b.Diff)
			case *core.Unknown:
				if !b.Bookkeeping {
					unknown++
				}
			}
		})
		if edits == 0 || unknown > 0 {
			t.Errorf("%s: %d edits, %d records that no one has described", path, edits, unknown)
		}
	}
}

// FuzzParse reads anything at all as records.
func FuzzParse(f *testing.F) {
	row := func(table, key, data string) string {
		return fmt.Sprintf(`{"table":%q,"key":%q,"data":%s}`, table, key, data) + "\n"
	}
	f.Add("opencode.db", []byte(row("session", "ses_a", `{"id":"ses_a","directory":"/w","version":"1","revert":{"messageID":"m2"}}`)+
		row("message", "m1", user(1))+row("part", "p1", said("x"))+row("message", "m2", `{"role":"assistant","summary":true}`)+row("part", "p2", said("s"))+
		row("part", "p3", tool("edit", `{"filePath":"a","oldString":"1","newString":"2"}`, `{"diff":"@@ -1 +1 @@\n-1\n+2\n"}`))+
		row("part", "p4", tool("apply_patch", `{"patchText":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}`, `{}`))+
		row("part", "p5", tool("question", `{"questions":[{"question":"q","options":[{"label":"a"}]}]}`, `{"answers":[["a","b"]]}`))+
		row("session_message", "e1", `{"content":[]}`)+row("revert", "ses_a", `{"revert":{"messageID":"m2"}}`)))
	f.Add("export.json", []byte(`{"info":{"id":"ses_a","version":"1","projectID":"p"},"messages":[{"info":{"id":"m","role":"user"},"parts":[{"id":"p","type":"text","text":"x"}]}]}`))
	adaptertest.Fuzz(f, opencode.Adapter{})
}
