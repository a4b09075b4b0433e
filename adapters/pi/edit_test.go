package pi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

func TestEdits(t *testing.T) {
	one := obj{"path": "a", "oldText": "b", "newText": "x"}
	list := obj{"path": "/w/a", "edits": []obj{{"oldText": "5", "newText": "five"}, {"oldText": "1", "newText": "one"}}}
	shown := func(diff string) obj { return obj{"diff": diff, "firstChangedLine": 1} }
	head := "--- a/w/a\n+++ b/w/a\n"
	read := func(s *script, text string) *script {
		return s.call("r", "read", obj{"path": "a"}).done("r", "read", text, nil)
	}
	tests := []struct {
		name string
		s    *script
		want string
	}{
		{
			name: "by the numbers of the screen",
			s:    header("").call("e", "edit", one).done("e", "edit", "ok", shown("    ...\n  9 a\n-10 b\n+10 x\n+11 y\n 11 c\n    ...")),
			want: "edit e modify /w/a\n" + head + "@@ -9,3 +9,4 @@\n a\n-b\n+x\n+y\n c\n",
		},
		{
			name: "two places, and a file that was empty",
			s: header("").call("e", "edit", list).done("e", "edit", "ok", shown("-1 1\n+1 one\n 2 2\n   ...\n 4 4\n-5 5\n+5 five")).
				call("f", "edit", one).done("f", "edit", "ok", shown("+1 x")),
			want: "edit e modify /w/a\n" + head + "@@ -1,2 +1,2 @@\n-1\n+one\n 2\n@@ -4,2 +4,2 @@\n 4\n-5\n+five\n" +
				"edit f modify /w/a\n" + head + "@@ -0,0 +1 @@\n+x\n",
		},
		{
			name: "the file was read before: all places are looked for in the old text",
			s:    read(header(""), "1\n2\n3\n4\n5").call("e", "edit", list).done("e", "edit", "ok", shown("-1 1\n+1 one\n 2 2\n 3 3\n 4 4\n-5 5\n+5 five")),
			want: "edit e modify /w/a\n" + head + "@@ -1,5 +1,5 @@\n-1\n+one\n 2\n 3\n 4\n-5\n\\ No newline at end of file\n+five\n\\ No newline at end of file\n",
		},
		{
			name: "carriage returns stay",
			s:    read(header(""), "a\r\nb\r\n").call("e", "edit", one).done("e", "edit", "ok", shown(" 1 a\n-2 b\n+2 x")),
			want: "edit e modify /w/a\n" + head + "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+x\r\n",
		},
		{
			name: "carriage returns alone become line ends",
			s:    read(header(""), "a\rb\r").call("e", "edit", one).done("e", "edit", "ok", shown(" 1 a\n-2 b\n+2 x")),
			want: "edit e modify /w/a\n" + head + "@@ -1 +1,2 @@\n-a\rb\r\n\\ No newline at end of file\n+a\n+x\n",
		},
		{
			name: "what was read does not stand any more",
			s:    read(header(""), "b\n").call("e", "edit", one).done("e", "edit", "ok", shown(" 1 new\n-2 b\n+2 x")),
			want: "edit e modify /w/a\n" + head + "@@ -1,2 +1,2 @@\n new\n-b\n+x\n",
		},
		{
			name: "part of a file is not its text",
			s: header("").call("r", "read", obj{"path": "a", "offset": 3}).done("r", "read", "b\n", nil).call("e", "edit", one).
				done("e", "edit", "ok", shown("-3 b\n+3 x")),
			want: "edit e modify /w/a\n" + head + "@@ -3 +3 @@\n-b\n+x\n",
		},
		{
			name: "no diff; edits in a string",
			s: header("").call("e", "edit", one).done("e", "edit", "ok", nil).
				call("f", "edit", obj{"path": "@a", "edits": `[{"oldText":"p","newText":"q"},{"oldText":"r","newText":"s"}]`}).done("f", "edit", "ok", nil),
			want: "edit e modify /w/a\n" + head + "@@ -1 +1 @@\n-b\n+x\n" +
				"edit f modify /w/a\n" + head + "@@ -1 +1 @@\n-p\n+q\n@@ -2 +2 @@\n-r\n+s\n",
		},
		{
			name: "written, then written again",
			s: header("").call("w", "write", obj{"path": "a", "content": "1\n"}).done("w", "write", "ok", nil).
				call("v", "write", obj{"path": "a", "content": "2\n"}).done("v", "write", "ok", nil),
			want: "edit w write /w/a\n--- a/w/a\n+++ b/w/a\n@@ -0,0 +1 @@\n+1\nedit v modify /w/a\n" + head + "@@ -1 +1 @@\n-1\n+2\n",
		},
		{
			name: "sloppy: found only in the smoothed text, which is then written",
			s: header("").call("r", "read", obj{"path": "a"}).done("r", "read", "a “b”  \nc\n", nil).
				call("e", "edit", obj{"path": "a", "oldText": "a \"b\"", "newText": "d"}).done("e", "edit", "ok", obj{"diff": "-1 a \"b\"\n+1 d\n 2 c"}),
			want: "edit e modify /w/a\n" + head + "@@ -1,2 +1,2 @@\n-a “b”  \n+d\n c\n",
		},
		{
			name: "sloppy: characters are composed, too",
			s: header("").call("r", "read", obj{"path": "a"}).done("r", "read", "a “b”…\nc\n", nil).
				call("e", "edit", obj{"path": "a", "oldText": "a \"b\"...", "newText": "d"}).done("e", "edit", "ok", obj{"diff": "-1 a \"b\"...\n+1 d\n 2 c"}),
			want: "edit e modify /w/a\n" + head + "@@ -1,2 +1,2 @@\n-a “b”…\n+d\n c\n",
		},
		{
			name: "written after a shell command",
			s: header("").call("r", "read", obj{"path": "a"}).done("r", "read", "1\n", nil).
				call("s", "bash", obj{"command": "make"}).done("s", "bash", "ok", nil).
				call("w", "write", obj{"path": "a", "content": "2\n"}).done("w", "write", "ok", nil),
			want: "edit w write /w/a\n" + head + "@@ -0,0 +1 @@\n+2\n",
		},
		{
			name: "written after a shell command that only reads",
			s: header("").call("r", "read", obj{"path": "a"}).done("r", "read", "1\n", nil).
				call("s", "bash", obj{"command": "ls"}).done("s", "bash", "ok", nil).
				call("w", "write", obj{"path": "a", "content": "2\n"}).done("w", "write", "ok", nil),
			want: "edit w modify /w/a\n" + head + "@@ -1 +1 @@\n-1\n+2\n",
		},
		{
			name: "failed, or never answered",
			s: header("").call("e", "edit", one).message("toolResult", obj{"toolCallId": "e", "toolName": "edit", "content": []obj{}, "isError": true}).
				call("f", "edit", one),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, part := range strings.Split("\n"+tt.s.events(t), "\nedit ")[1:] {
				for _, end := range []string{"\nsays ", "\nresult ", "\ncall "} {
					part, _, _ = strings.Cut(part, end)
				}
				got += "edit " + strings.TrimRight(part, "\n") + "\n"
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("edits (-want +got):\n%s", diff)
			}
		})
	}
}

// TestMixedEnds: of a file whose lines end in several ways, versions that record a patch do not
// tell what they made of the ends.
func TestMixedEnds(t *testing.T) {
	details := obj{"diff": " 1 a\n-2 b\n+2 x", "patch": "@@ -1,2 +1,2 @@\n a\n-b\n+x\n"}
	for text, want := range map[string]core.Certainty{"a\nb\n": "", "a\r\nb\r\n": "", "a\rb\r": core.Told, "a\r\nb\n": core.Told} {
		s := header("").call("r", "read", obj{"path": "a"}).done("r", "read", text, nil).
			call("e", "edit", obj{"path": "a", "oldText": "b", "newText": "x"}).done("e", "edit", "ok", details)
		edits := 0
		capture(t, "/h/2026_s.jsonl", []byte(strings.Join(s.lines, "\n")), func(ev *core.Event) {
			if b, ok := ev.Body.(*core.FileEdit); ok {
				if edits++; b.Diff.Certainty != want {
					t.Errorf("%q: the edit is %q, want %q", text, b.Diff.Certainty, want)
				}
			}
		})
		if edits != 1 {
			t.Errorf("%q: %d edits", text, edits)
		}
	}
}
