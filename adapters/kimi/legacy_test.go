package kimi_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/adapters/kimi"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// TestLegacyEdits has calls of the Kimi CLI as it records them: a file that no read has shown
// is changed where the client says, one that was read as its text says, and what an older
// version shows has no place.
func TestLegacyEdits(t *testing.T) {
	const (
		placed = `,"display":[{"type":"diff","path":"/w/a","old_text":"x\ny\nz","new_text":"x\nY\nz","old_start":7,"new_start":7,"is_summary":false}]`
		bare   = `,"display":[{"type":"diff","path":"/w/a","old_text":"x\ny\nz","new_text":"x\nY\nz"}]`
		long   = `,"display":[{"type":"diff","path":"/w/a","old_text":"(9 lines)","new_text":"(9 lines, modified)","old_start":1,"new_start":1,"is_summary":true}]`
		made   = `,"display":[{"type":"diff","path":"/w/a","old_text":"","new_text":"n","old_start":1,"new_start":1,"is_summary":false}]`
	)
	read := call(0, "ReadFile", `{"path":"/w/a"}`) + result(0, `,"output":"     1\ty\n     2\tz","message":"2 lines read from file starting from line 1. Total lines in file: 2. End of file reached."`)
	first := call(1, "StrReplaceFile", `{"path":"/w/a","edit":{"old":"y","new":"Y"}}`)
	for _, c := range []struct{ name, log, want string }{
		{"shown with its place", first + result(1, placed), "modify \n--- a/w/a\n+++ b/w/a\n@@ -7,3 +7,3 @@\n x\n-y\n+Y\n z\n"},
		{"shown without", first + result(1, bare), "modify told\n--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-y\n+Y\n"},
		{"too long to be shown", first + result(1, long), "modify told\n--- a/w/a\n+++ b/w/a\n@@ -1 +1 @@\n-y\n+Y\n"},
		{"read before", read + first + result(1, ""), "modify \n--- a/w/a\n+++ b/w/a\n@@ -1,2 +1,2 @@\n-y\n+Y\n z\n\\ No newline at end of file\n"},
		{"read before, and shown to be another text", read + first + result(1, placed), "modify \n--- a/w/a\n+++ b/w/a\n@@ -7,3 +7,3 @@\n x\n-y\n+Y\n z\n"},
		{"written, and nothing is known", call(1, "WriteFile", `{"path":"/w/a","content":"n\n"}`) + result(1, made), "write \n--- a/w/a\n+++ b/w/a\n@@ -0,0 +1 @@\n+n\n"},
		{"written over what is shown", call(1, "WriteFile", `{"path":"/w/a","content":"x\nY\nz\n"}`) + result(1, placed), "modify \n--- a/w/a\n+++ b/w/a\n@@ -7,3 +7,3 @@\n x\n-y\n+Y\n z\n"},
		{"a person's turn that is none", `{"timestamp":1.5,"message":{"type":"TurnBegin","payload":{"user_input":"<system-reminder>Done.</system-reminder>"}}}`, "put <system-reminder>Done.</system-reminder>"},
	} {
		var got []string
		adaptertest.Parse(kimi.Adapter{}, "/home/dev/.kimi/sessions/0cc175b9/6f1c/wire.jsonl", []byte(c.log), func(ev *core.Event) {
			switch b := ev.Body.(type) {
			case *core.FileEdit:
				got = append(got, fmt.Sprintf("%s %s\n%s", b.Diff.Change, b.Diff.Certainty, b.Diff.Unified))
			case *core.UserTurn:
				if ev.Injected {
					got = append(got, "put "+b.Text.String())
				}
			}
		})
		if !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// call is a call by its number.
func call(n int, tool, args string) string {
	return fmt.Sprintf(`{"timestamp":%d.5,"message":{"type":"ToolCall","payload":{"type":"function","id":"c%d","function":{"name":"%s","arguments":%q}}}}`+"\n", n, n, tool, args)
}

// result is the result of a call that succeeded.
func result(n int, more string) string {
	return fmt.Sprintf(`{"timestamp":%d.6,"message":{"type":"ToolResult","payload":{"tool_call_id":"c%d","return_value":{"is_error":false%s}}}}`+"\n", n, n, more)
}
