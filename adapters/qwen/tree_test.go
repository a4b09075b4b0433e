package qwen_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// talk is a session of two turns: the prompts are r1 and r3.
func talk() *log {
	return new(log).add(user("One.")).add(says("First.")).add(user("Two.")).add(says("Second."))
}

// TestRewinds goes back to the record on which what follows hangs.
func TestRewinds(t *testing.T) {
	all := func(more ...string) []string {
		return append([]string{"turn One.", "said First.", "turn Two.", "said Second."}, more...)
	}
	tests := []struct {
		name string
		log  *log
		want []string
	}{
		{"a notice", talk().on(`"r2"`, system("rewind", `{"truncatedCount":2}`)).add(user("Three.")), all("rewind to r2, 2", "turn Three.")},
		{"to the beginning", talk().on(`null`, system("rewind", `{"truncatedCount":4}`)).add(user("Three.")), all("rewind to s, 0", "turn Three.")},
		{"to a record that is named", talk().on(`"gone"`, system("rewind", `{"targetUuid":"r2"}`)).add(user("Three.")), all("rewind to r2, 2", "turn Three.")},
		{"without a notice", talk().on(`"r2"`, user("Three.")).add(says("Third.")), all("rewind to r2, 2", "turn Three.", "said Third.")},
		{"twice", talk().on(`"r2"`, user("Three.")).on(`"r2"`, user("Four.")), all("rewind to r2, 2", "turn Three.", "rewind to r2, 2", "turn Four.")},
		{"none", talk().add(user("Three.")), all("turn Three.")},
		{"a new root", talk().on("null", user("Three.")), all("turn Three.")}, // a resumed process that lost its place
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.log.check(t, tt.want...) })
	}
}

// TestRestore goes back to before the edit that the name of a checkpoint tells.
func TestRestore(t *testing.T) {
	edits := func(id, file string) string {
		return calls(id, "edit", `{"file_path":"/w/src/`+file+`","old_string":"a","new_string":"b"}`)
	}
	asks := func(name, phase, text string) string {
		return system("slash_command", `{"phase":"`+phase+`","rawCommand":"/restore `+name+`","outputHistoryItems":[{"type":"info","text":"`+text+`"}]}`)
	}
	const note = "Restored project to the state at the start of this turn."
	session := func() *log {
		return new(log).add(user("One.")).add(edits("c1", "a.js")).add(user("Two.")).add(edits("c2", "b.js")).add(user("Three."))
	}
	before := []string{"turn One.", "said", "call edit c1", "turn Two.", "said", "call edit c2", "turn Three."}
	for _, tt := range []struct{ name, record, want string }{
		{"the first", asks("2026-06-01T10-00-00_000Z-a.js-edit", "result", note), "rewind to r2, 3"},
		{"the second, as a file", asks("2026-06-01T10-05-00_123Z-b.js-edit.json", "result", note), "rewind to r4, 6"},
		{"before there was one", asks("2026-06-01T09-59-59_000Z-a.js-edit", "result", note), "known system/slash_command"},
		{"of another file", asks("2026-06-01T10-05-00_123Z-c.js-edit", "result", note), "known system/slash_command"},
		{"no name", asks("a.js", "result", note), "known system/slash_command"},
		{"asked for", asks("2026-06-01T10-00-00_000Z-a.js-edit", "invocation", note), "known system/slash_command"},
		{"not done", asks("2026-06-01T10-00-00_000Z-a.js-edit", "result", "Could not restore files: x"), "known system/slash_command"},
	} {
		t.Run(tt.name, func(t *testing.T) { session().add(tt.record).check(t, append(before, tt.want)...) })
	}
	measured := func(file string, success bool) string {
		return system("ui_telemetry", fmt.Sprintf(`{"uiEvent":{"event.name":"qwen-code.tool_call","call_id":"m1","function_name":"edit","function_args":{"file_path":"/w/src/%s","old_string":"a","new_string":"b"},"success":%t}}`, file, success))
	}
	again := func(more string) *log {
		return session().add(asks("2026-06-01T10-00-00_000Z-a.js-edit", "result", note)).add(more)
	}
	again(measured("a.js", true)).add(measured("a.js", true)).check(t, append(before, "rewind to r2, 3",
		"call edit m1", "result m1", "edit edit /w/src/a.js modify +1 -1", "known system/ui_telemetry")...)
	again(measured("a.js", false)).check(t, append(before, "rewind to r2, 3", "known system/ui_telemetry")...)
	again(measured("b.js", true)).check(t, append(before, "rewind to r2, 3", "known system/ui_telemetry")...)
}

// TestCompression reads the notice of a compression, of one that succeeded.
func TestCompression(t *testing.T) {
	payload := func(status string) string {
		return `{"info":{"originalTokenCount":900,"newTokenCount":300,"compressionStatus":` + status + `},"compressedHistory":[{"role":"user","parts":[{"text":"<summary>All well.</summary>"}]},{"role":"model","parts":[{"text":"Got it."}]}]}`
	}
	talk().add(system("chat_compression", payload("2"))).
		add(system("chat_compression", payload("1"))).
		add(user("Three.")).
		add(system("chat_compression", payload("1"))).
		check(t, "turn One.", "said First.", "turn Two.", "said Second.",
			"known system/chat_compression", "compaction of 1 to 5: <summary>All well.</summary>",
			"turn Three.", "compaction of 7 to 7: <summary>All well.</summary>")
}

// TestFork has the records of a branch be copies, with the ids of the originals.
func TestFork(t *testing.T) {
	l := &log{path: ".qwen/projects/-w/chats/fork.jsonl"}
	copied := func(uuid, fields string) string {
		return `{"uuid":"` + uuid + `","parentUuid":null,"sessionId":"fork","cwd":"/w",` + fields + `,"forkedFrom":{"sessionId":"s","messageUuid":"` + uuid + `"}}`
	}
	l.line(copied("r1", user("One."))).line(copied("r2", calls("c1", "list_directory", `{}`))).
		line(`{"uuid":"n1","parentUuid":"r2","sessionId":"fork","cwd":"/w",`+user("Else.")+`}`).
		check(t, "turn One. (copy of r1)", "said  (copy of r2)", "call list_directory c1 (copy of r2)", "turn Else.")
	calls := map[string]string{}
	for _, data := range []string{
		l.b.String(),
		`{"uuid":"r2","parentUuid":null,"sessionId":"s","cwd":"/w",` + callsOf("c1") + "}\n",
	} {
		events(t, "x.jsonl", []byte(data), func(ev *core.Event) {
			if b, ok := ev.Body.(*core.ToolCall); ok {
				calls[ev.CallIdentity(b.CallID)] = ev.Session
			}
		})
	}
	if len(calls) != 1 {
		t.Errorf("a call and its copy are known by %v", calls)
	}
}

func callsOf(id string) string { return calls(id, "list_directory", `{}`) }

// TestSubagents says which line of which session a transcript is.
func TestSubagents(t *testing.T) {
	const path = ".qwen/projects/-w/subagents/s/agent-general-purpose-c1.jsonl"
	record := func(uuid, fields string) string {
		return `{"uuid":"` + uuid + `","parentUuid":null,"sessionId":"s","cwd":"/w","isSidechain":true,"agentId":"general-purpose-c1","agentName":"general-purpose",` + fields + "}\n"
	}
	data := record("r1", user("Find it.")) + record("r2", says("Found."))
	check(t, path, data, "general-purpose-c1: start /w", "general-purpose-c1: put Find it.", "general-purpose-c1: said Found.")
	events(t, path, []byte(data), func(ev *core.Event) {
		if ev.Session != "s" {
			t.Errorf("%s: session %q", adaptertest.Summary(ev), ev.Session)
		}
	})
}

// TestRecordedCheckpoints reads what the client kept of a session: nothing in it is
// new to the table, and all of it stands in the session, too.
func TestRecordedCheckpoints(t *testing.T) {
	for name, want := range map[string][]string{
		"0.24.4-checkpoint.json": {
			"start", "turn Add a /healthz route to index.js, we decided.",
			"call read_file call_cnVYiYAwVCqjxI3n4H52zamN", "result call_cnVYiYAwVCqjxI3n4H52zamN",
			"call edit call_pH4qlN1d76oJWsgF0zRYzwbm", "result call_pH4qlN1d76oJWsgF0zRYzwbm",
			"edit edit /home/dev/work/orders-service/src/index.js modify +1 -0",
			"said Added /healthz.", "turn Cache for a minute, we decided.",
			"call read_file call_jlytZpF5eMIQECywtMXhr8ig", "result call_jlytZpF5eMIQECywtMXhr8ig",
			"known checkpoint/history", "known checkpoint/toolCall", "known checkpoint/promptId", "known checkpoint/filePath",
		},
	} {
		var got []string
		stats := events(t, "/home/dev/.qwen/tmp/h/checkpoints/"+name, adaptertest.Read(t, "testdata/"+name), func(ev *core.Event) {
			if !ev.Echo {
				t.Errorf("%s: no echo: %s", name, adaptertest.Summary(ev))
			}
			if !ev.Injected {
				got = append(got, adaptertest.Summary(ev))
			}
		})
		if diff := cmp.Diff(want, got); diff != "" || len(stats.Unseen) > 0 {
			t.Errorf("%s: unseen %v; events (-want +got):\n%s", name, stats.Unseen, diff)
		}
	}
}
