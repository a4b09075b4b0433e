package gemini_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/pipeline"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

const context = "<session_context>\n- **Workspace Directories:**\n  - /w\n</session_context>"

// TestRewind goes back to before the message that the line names.
func TestRewind(t *testing.T) {
	started().
		line(user("u1", "One.")).line(says("g1", "First.", "")).
		line(user("u2", "Two.")).line(says("g2", "Second.", "")).
		line(`{"$rewindTo":"u2"}`).
		line(user("u3", "Three.")).
		line(`{"$rewindTo":"u1"}`).
		line(user("u4", "Four.")).
		line(`{"$rewindTo":"nobody"}`).
		check(t, "turn One.", "said First.", "turn Two.", "said Second.",
			"rewind to g1, 2", "turn Three.", "rewind to s, 0", "turn Four.", "rewind to s, 0")
}

// TestResume has a list of all messages, as the client writes it when it resumes,
// say nothing that was said before.
func TestResume(t *testing.T) {
	first := did("c1", "list_directory", `{}`, "success", "a.go", "")
	answers := message("x1", "user", `"content":[{"functionResponse":{"id":"c1","name":"list_directory","response":{"output":"a.go"}}}]`)
	started().
		line(list(user("k0", context))).
		line(user("u1", "One.")).
		line(says("g1", "Looking.", calls(first))).
		line(says("g2", "Done.", "")).
		line(`{"sessionId":"s","projectHash":"h","startTime":"2026-06-01T11:00:00.000Z","kind":"main"}`).
		line(list(user("k0", context), user("u1", "One."), says("g1", "Looking.", calls(first)), answers, says("g2", "Done.", ""))).
		line(user("u2", "One.")).
		line(says("g3", "Done.", "")).
		check(t, "put "+context, "turn One.", "said Looking.", "call list_directory c1", "result c1", "said Done.",
			"known header", "known $set", "turn One.", "said Done.")
}

// TestCompression has a list in which a summary stands for what was said be a
// compaction, and what is left of the messages, under new ids, be no new turns.
func TestCompression(t *testing.T) {
	const summary = "<state_snapshot>\nAll well.\n</state_snapshot>"
	const receipt = "Got it. Thanks for the additional context!"
	bare := func(id, text string) string { return message(id, "gemini", `"content":[{"text":`+quoted(text)+`}]`) }
	started().
		line(list(user("k0", context))).
		line(user("u1", "One.")).line(says("g1", "First.", "")).
		line(user("u2", "Two.")).line(says("g2", "Second.", "")).
		line(list(user("n1", summary), bare("n2", receipt), user("n3", "Two."), bare("n4", "Second."))).
		line(user("u3", "Three.")).line(says("g3", "Third.", "")).
		line(list(user("n5", "What was said before, in other words."), bare("n6", receipt), user("u3", "Three."), bare("g3", "Third."))).
		line(user("u4", "Four.")).
		check(t, "put "+context, "turn One.", "said First.", "turn Two.", "said Second.",
			"compaction of 1 to 3: "+summary, "put as assistant "+receipt,
			"turn Three.", "said Third.",
			"compaction of 4 to 7: What was said before, in other words.",
			"turn Four.")
}

// TestRewindAndCompression goes back to where a message was first said, also where
// the list of a compression has it under a new id; to the start, where it is the
// summary that is taken back; and has a compression after a rewind know what was
// typed again.
func TestRewindAndCompression(t *testing.T) {
	const summary = "<state_snapshot>\nAll well.\n</state_snapshot>"
	const receipt = "Got it. Thanks for the additional context!"
	bare := func(id, text string) string { return message(id, "gemini", `"content":[{"text":`+quoted(text)+`}]`) }
	compressed := func(to string) *log {
		return started().
			line(user("u1", "One.")).line(says("g1", "First.", "")).
			line(user("u2", "Two.")).line(says("g2", "Second.", "")).
			line(`{"$rewindTo":"u2"}`).
			line(user("u3", "Two.")).line(says("g3", "Again.", "")).
			line(list(user("n1", summary), bare("n2", receipt), user("n3", "Two."), bare("n4", "Again."))).
			line(user("u4", "Four.")).
			line(`{"$rewindTo":"` + to + `"}`)
	}
	before := []string{
		"turn One.", "said First.", "turn Two.", "said Second.", "rewind to g1, 2", "turn Two.", "said Again.",
		"compaction of 1 to 5: " + summary, "put as assistant " + receipt, "turn Four.",
	}
	compressed("u4").check(t, append(before, "rewind to n4, 9")...)
	compressed("n3").check(t, append(before, "rewind to g2, 5")...)
	compressed("n1").check(t, append(before, "rewind to s, 0")...)
}

// TestCopies has messages that are written again line by line under new ids,
// after the context of a new process, say nothing new.
func TestCopies(t *testing.T) {
	bare := func(id, text string) string { return message(id, "gemini", `"content":[{"text":`+quoted(text)+`}]`) }
	started().
		line(user("k0", context)).
		line(user("u1", "One.")).line(says("g1", "First.", "")).
		line(user("k1", context)).
		line(user("n1", "One.")).line(bare("n2", "First.")).
		line(user("u2", "One.")).line(says("g2", "Second.", "")).
		check(t, "put "+context, "turn One.", "said First.", "put "+context, "known user", "known gemini", "turn One.", "said Second.")
}

// of joins prompts as the client does, behind what it says itself.
func of(id string, texts ...string) string {
	parts := make([]string, len(texts))
	for i, text := range texts {
		parts[i] = `{"text":` + quoted(text) + `}`
	}
	return message(id, "user", `"content":[`+strings.Join(parts, ",")+`]`)
}

// TestJoinedCopies has prompts that were joined to the context when they were
// written again say nothing new, but for one that was not there before.
func TestJoinedCopies(t *testing.T) {
	started().
		line(user("k0", context)).
		line(of("u1", "Look at @a.go.", "\n--- Content from referenced files ---", "\nContent from @a.go:\n", "x")).line(says("g1", "First.", "")).
		line(user("u2", "Two.")).
		line(of("k1", context, "Look at @a.go.", "\n--- Content from referenced files ---", "\nContent from @a.go:\n", "x")).
		line(of("n2", "Two.", "Three.")).
		line(user("n3", "Four.")).
		check(t, "put "+context, "turn Look at @a.go.", "put \n--- Content from referenced files ---\n\n\nContent from @a.go:\n\n\nx", "said First.", "turn Two.",
			"known user", "turn Three.", "turn Four.")
}

// TestResumedCheckpoint has what a checkpoint of another session holds be the
// client's words, for nobody typed it here.
func TestResumedCheckpoint(t *testing.T) {
	started().
		line(`{"$set":{"messages":[`+user("k0", context)+`]}}`).
		line(of("k1", context, "One.")).line(message("n2", "gemini", `"content":[{"text":"First."}]`)).line(user("n3", "Two.")).
		line(`{"$set":{"messages":[`+of("k1", context, "One.")+`,`+message("n2", "gemini", `"content":[{"text":"First."}]`)+`,`+user("n3", "Two.")+`]}}`).
		line(user("u4", "Three.")).
		check(t, "put "+context, "put "+context+"\n\nOne.", "put as assistant First.", "put Two.", "known $set", "turn Three.")
}

// TestRestored has files and conversation go back to before a call.
func TestRestored(t *testing.T) {
	const asks = `"content":[{"functionCall":{"id":"c1","name":"list_directory","args":{}}}]`
	const note = "Restored project to the state before the tool call."
	session := func() *log {
		return started().
			line(user("k0", context)).line(user("u1", "One.")).
			line(says("g1", "", calls(did("c1", "list_directory", `{}`, "success", "a.go", "")))).
			line(user("u2", "Two.")).
			line(of("k1", context, "One.")).line(message("n1", "gemini", asks)).
			line(`{"$set":{"messages":[` + of("k1", context, "One.") + `,` + message("n1", "gemini", asks) + `]}}`)
	}
	before := []string{"put " + context, "turn One.", "call list_directory c1", "result c1", "turn Two.", "known user", "known gemini", "known $set"}
	session().line(message("i1", "info", `"content":`+quoted(note))).line(user("u3", "Three.")).
		check(t, append(before, "rewind to call:c1, 3", "turn Three.")...)
	session().line(message("i1", "info", `"content":"Update available."`)).
		check(t, append(before, "known info")...)
	started().line(user("u1", "One.")).line(message("i1", "info", `"content":`+quoted(note))).
		check(t, "turn One.", "known info")
}

// TestRestoredAgain has the call that the client makes again tell what was put
// back, where the client writes nothing else of it (recorded 0.41.2).
func TestRestoredAgain(t *testing.T) {
	const note = "Restored project to the state before the tool call."
	writes := func(id, call, content string) string {
		return says(id, "", calls(did(call, "write_file", `{"file_path":"/w/a.go","content":`+quoted(content)+`}`, "error", "no", "")))
	}
	info := func(id, text string) string { return message(id, "info", `"content":`+quoted(text)) }
	first := []string{"turn One.", "call write_file c1", "result c1 failed", "turn Two.", "call write_file c2", "result c2 failed"}
	begin := []string{user("u1", "One."), writes("g1", "c1", "a"), user("u2", "Two."), writes("g2", "c2", "b")}
	again := []string{"call write_file c3", "result c3 failed"}
	tests := []struct {
		name string
		then []string
		want []string
	}{
		{"the first", []string{info("i1", note), writes("g3", "c3", "a")}, append([]string{"known info", "rewind to call:c1, 2"}, again...)},
		{"the second", []string{info("i1", note), writes("g3", "c3", "b")}, append([]string{"known info", "rewind to call:c2, 5"}, again...)},
		{
			"twice",
			[]string{info("i1", note), writes("g3", "c3", "a"), info("i2", note), writes("g4", "c4", "a")},
			append(append([]string{"known info", "rewind to call:c1, 2"}, again...), "known info", "rewind to call:c3, 9", "call write_file c4", "result c4 failed"),
		},
		{"another call", []string{info("i1", note), writes("g3", "c3", "c")}, append([]string{"known info"}, again...)},
		{"no note", []string{info("i1", "Update available."), writes("g3", "c3", "a")}, append([]string{"known info"}, again...)},
		{
			"a later call",
			[]string{info("i1", note), says("g3", "", calls(did("c3", "list_directory", `{}`, "success", "a", ""))), writes("g4", "c4", "a")},
			[]string{"known info", "call list_directory c3", "result c3", "call write_file c4", "result c4 failed"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			messages := append(slices.Clone(begin), tt.then...)
			check(t, "x.json", document(messages...), append(slices.Clone(first), tt.want...)...)
			l := started()
			for _, m := range messages {
				l = l.line(m)
			}
			l.check(t, append(slices.Clone(first), tt.want...)...)
		})
	}
}

// TestNotes has the note that a document keeps of a compression be a compaction.
func TestNotes(t *testing.T) {
	const long = "IMPORTANT: This conversation approached the input token limit for m1. A compressed context will be sent for future messages (compressed from: 900 to 300 tokens)."
	data := document(user("u1", "One."), says("g1", "First.", ""), message("i1", "info", `"content":""`),
		user("u2", "Two."), message("i2", "info", `"content":`+quoted(long)), says("g2", "Second.", ""), message("i3", "info", `"content":"Update available."`))
	check(t, "x.json", data, "turn One.", "said First.", "compaction of 1 to 2:", "turn Two.", "compaction of 3 to 4:", "said Second.", "known info")
}

// TestSubagents says which line of which session a transcript is.
func TestSubagents(t *testing.T) {
	const logHead = `{"sessionId":"a1","projectHash":"h","startTime":"2026-06-01T10:00:00.000Z","kind":"subagent"}`
	old := `{"sessionId":"s","projectHash":"h","startTime":"x","lastUpdated":"x","kind":"subagent","messages":[` + user("u1", "Find it. ") + `]}`
	tests := []struct {
		name, path, data, session, thread string
	}{
		{"log", ".gemini/tmp/w/chats/s/a1.jsonl", logHead + "\n" + user("u1", "Find it."), "s", "a1"},
		{"document", ".gemini/tmp/w/chats/s/a1.json", `{"sessionId":"a1","projectHash":"h","startTime":"x","kind":"subagent","messages":[` + user("u1", "Find it.") + `]}`, "s", "a1"}, // source, 0.37
		{"elsewhere", "saved/a1.jsonl", logHead + "\n" + user("u1", "Find it."), "a1", "a1"},
		{"beside its session", ".gemini/tmp/w/chats/session-2026-03-01T10-00-s.json", old, "s", thread("Find it.")},                                                                                                                                                            // source, 0.31
		{"the investigator's", ".gemini/tmp/w/chats/session-2026-03-01T10-00-s.json", strings.Replace(old, "Find it.", `Your task is to do a deep investigation of the codebase to find all relevant files\n<objective>\nFind it.\n</objective>`, 1), "s", thread("Find it.")}, // source, 0.31
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			events(t, tt.path, []byte(tt.data), func(ev *core.Event) {
				if n++; ev.Session != tt.session || ev.Thread != tt.thread {
					t.Errorf("%s: session %q, thread %q, want %q, %q", adaptertest.Summary(ev), ev.Session, ev.Thread, tt.session, tt.thread)
				}
				if _, ok := ev.Body.(*core.UserTurn); ok && !ev.Injected {
					t.Error("what the parent says is taken for a person's")
				}
			})
			if n != 2 {
				t.Errorf("got %d events", n)
			}
		})
	}
}

// TestHelpers has what subagents said into the document of their session stand on
// their lines, and the calls that started them on the session's.
func TestHelpers(t *testing.T) {
	errand := func(id, what string) string {
		return message(id, "user", `"content":`+quoted("Your task is to do a deep investigation of the codebase to find all relevant files\n<objective>\n"+what+"\n</objective>"))
	}
	const warning = "You have stopped calling tools without finishing. You have one final chance to complete the task"
	delegated := did("c1", "delegate_to_agent", `{"agent_name":"codebase_investigator","objective":"Find it."}`, "success", "Subagent 'codebase_investigator' finished.\nResult:\nFound.", "")
	find, mapped := thread("Find it.")+": ", thread("Map it.")+": "
	put := "put Your task is to do a deep investigation of the codebase to find all relevant files\n<objective>\n"
	data := document(user("u1", "Where is it?"), says("g1", "I shall have it found.", ""),
		errand("x1", "Find it."), says("g2", "Looking.", ""), user("x2", warning), says("g3", "Found.", calls(delegated)),
		says("g4", "It is there.", ""),
		errand("x3", "Map it."), says("g5", "Mapping.", ""), user("u2", "Stop."), says("g6", "Stopped.", ""))
	check(t, "x.json", data, "turn Where is it?", "said I shall have it found.",
		find+put+"Find it.\n</objective>", find+"said Looking.", find+"put "+warning, find+"said Found.",
		"call delegate_to_agent c1", "result c1 spawned "+thread("Find it."), "said It is there.",
		mapped+put+"Map it.\n</objective>", mapped+"said Mapping.", "turn Stop.", "said Stopped.")
}

// TestHelpersOfOneMinute has subagents that share a document stand on a line each.
func TestHelpersOfOneMinute(t *testing.T) {
	data := strings.Replace(document(user("u1", "Find it."), says("g1", "Found.", ""), user("u2", "Map it."), user("u3", "System: Please continue."), says("g2", "Mapped.", "")),
		`"messages"`, `"kind":"subagent","messages"`, 1)
	find, mapped := thread("Find it.")+": ", thread("Map it.")+": "
	check(t, ".gemini/tmp/w/chats/session-2026-03-01T10-00-s.json", data, find+"start", find+"put Find it.", find+"said Found.",
		mapped+"put Map it.", mapped+"put System: Please continue.", mapped+"said Mapped.")
}

// thread is the line of a subagent that is known by its prompt only.
func thread(prompt string) string { return "subagent-" + core.ContentID([]byte(prompt))[:16] }

// TestSpawned links the call that started a subagent with its line.
func TestSpawned(t *testing.T) {
	const args = `{"request":"Find it."}`
	const told = "Subagent 'codebase_investigator' finished.\nTermination Reason: GOAL\nResult:\nFound."
	tests := []struct{ name, call, want string }{
		{"by its id", did("c", "codebase_investigator", args, "success", told, `,"agentId":"a1"`), "result c spawned a1"},
		{"by its calls", did("c", "codebase_investigator", args, "success", told, `,"resultDisplay":{"isSubagentProgress":true,"recentActivity":[{"id":"t1","type":"thought"},{"id":"a1#0-1","type":"tool_call"}]}`), "result c spawned a1"},
		{"by its prompt", did("c", "codebase_investigator", args, "success", told, ""), "result c spawned " + thread("Find it.")},
		{"another tool", did("c", "google_web_search", args, "success", "x", ""), "result c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			started().line(says("g1", "", calls(tt.call))).check(t, "call "+nameOf(tt.name), tt.want)
		})
	}
}

func nameOf(test string) string {
	if test == "another tool" {
		return "google_web_search c"
	}
	return "codebase_investigator c"
}

// TestCheckpoints reads a list of contents, which has neither ids nor times.
func TestCheckpoints(t *testing.T) {
	const contents = `[{"role":"user","parts":[{"text":"This is the Gemini CLI. We are setting up the context for our chat."}]},` +
		`{"role":"model","parts":[{"text":"Got it. Thanks for the context!"}]},` +
		`{"role":"user","parts":[{"text":"Fix it."}]},` +
		`{"role":"model","parts":[{"text":"On it."},{"functionCall":{"name":"write_file","args":{"file_path":"/w/a.go","content":"a\n"}}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"name":"write_file","response":{"output":"Successfully created and wrote to new file: /w/a.go."}}}]},` +
		`{"role":"model","parts":[{"text":"Done."}]}]`
	for _, data := range []string{contents, `{"history":` + contents + `,"authType":"x"}`, `{"history":[{"type":"user","text":"Fix it."}],"clientHistory":` + contents + `,"toolCall":{"name":"x","args":{}}}`} {
		got := summarize(t, "checkpoint-a.json", data)
		if len(got) < 9 || got[3] != "turn Fix it." || got[7] != "edit write_file /w/a.go create +1 -0" {
			t.Errorf("got %q", got)
		}
	}
}

// TestRecordedCheckpoints reads what the client kept of a session: nothing in it is
// new to the table, and all of it stands in the session, too.
func TestRecordedCheckpoints(t *testing.T) {
	for name, want := range map[string][]string{
		"0.61.0-checkpoint.json": {
			"start", "turn Add a /healthz route to index.js, we decided.",
			"call read_file read_file__read_file_1795366338903_0", "result read_file__read_file_1795366338903_0",
			"call replace replace__replace_1795366339261_0", "result replace__replace_1795366339261_0",
			"edit replace /home/dev/work/orders-service/src/index.js modify +1 -0",
			"said Added /healthz.", "turn Cache for a minute, we decided.",
			"call read_file read_file__read_file_1795366343275_0", "result read_file__read_file_1795366343275_0",
			"known checkpoint/history", "known checkpoint/toolCall", "known checkpoint/commitHash", "known checkpoint/messageId",
		},
		"0.61.0-saved.json": {
			"start", "turn Cache for a minute, we decided.",
			"call read_file read_file__read_file_1795366286434_0", "result read_file__read_file_1795366286434_0",
			"call replace replace__replace_1795366286920_0", "result replace__replace_1795366286920_0",
			"edit replace /home/dev/work/orders-service/src/config.js modify +1 -1",
			"said A minute it is.", "known checkpoint/authType",
		},
	} {
		var got []string
		stats := events(t, "/home/dev/.gemini/tmp/orders-service/"+name, adaptertest.Read(t, "testdata/"+name), func(ev *core.Event) {
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

// TestPartedCalls has calls and responses that stand among the parts alone count
// once.
func TestPartedCalls(t *testing.T) {
	asks := message("g1", "gemini", `"content":[{"text":"Looking."},{"functionCall":{"id":"c1","name":"list_directory","args":{}}}]`)
	answer := message("x1", "user", `"content":[{"functionResponse":{"id":"c1","name":"list_directory","response":{"output":"a.go"}}}]`)
	failed := message("x2", "user", `"content":[{"functionResponse":{"id":"c1","name":"list_directory","response":{"error":"no"}}}]`)
	started().line(asks).line(answer).line(answer).
		check(t, "said Looking.", "call list_directory c1", "result c1", "known user/functionResponse")
	started().line(asks).line(failed).
		check(t, "said Looking.", "call list_directory c1", "result c1 failed")
	started().line(asks).line(says("g1", "Looking.", calls(did("c1", "list_directory", `{}`, "success", "a.go", "")))).line(answer).
		check(t, "said Looking.", "call list_directory c1", "result c1", "known user/functionResponse")
}

// TestFolder finds where the work happens: in the files beside the transcript, or
// above a path that a call names, proven by the hash that the transcript has.
func TestFolder(t *testing.T) {
	const hash = "f1354283d0b03c950685b25af95fa2cea3414a7207c58301690288b0679d3c9e" // of the folder below
	const work = "/home/dev/work/orders-service"
	const windowsHash = "1719e63d947bba08b3d4029d56186c8321eb19bc7ccd85db17082b9ef862c290"
	windowsRead := says("g1", "Looking.", calls(did("c1", "read_file", `{"file_path":"C:\\Users\\Dev\\a.go"}`, "success", "x", "")))
	header := func(hash string) string {
		return `{"sessionId":"s","projectHash":"` + hash + `","startTime":"2026-06-01T10:00:00.000Z","kind":"main"}`
	}
	reads := says("g1", "Looking.", calls(did("c1", "read_file", `{"file_path":"`+work+`/src/a.go"}`, "success", "x", "")))
	tests := []struct {
		name, path, data, want string
		beside                 map[string]string
	}{
		{"a path below it", "s.jsonl", header(hash) + "\n" + reads, work, nil},
		{"a path elsewhere", "s.jsonl", header(strings.Repeat("0", 64)) + "\n" + reads, "", nil},
		{"no hash", "s.jsonl", header("orders") + "\n" + reads, "", nil},
		{"a document", "s.json", `{"sessionId":"s","projectHash":"` + hash + `","startTime":"x","messages":[` + user("u1", "Hello.") + "," + reads + `]}`, work, nil},
		{"its file", "tmp/o/chats/s.jsonl", header("x"), "/w", map[string]string{"../.project_root": "/w\n"}},
		{"a subagent's", "tmp/o/chats/p/s.jsonl", header("x"), "/w", map[string]string{"../../.project_root": "/w"}},
		{"the list", "tmp/o/chats/s.jsonl", header("x"), "/w", map[string]string{"../../../projects.json": `{"projects":{"/v":"p","/w":"o"}}`}},
		{"the list, by the hash", "tmp/" + hash + "/chats/s.jsonl", header(hash), work, map[string]string{"../../../projects.json": `{"projects":{"/v":"p","` + work + `":"orders-service"}}`}},
		{"on Windows, in lower case", "tmp/o/chats/s.jsonl", header("x"), `c:\users\dev`, map[string]string{"../.project_root": `c:\users\dev`}},
		{"on Windows, as it is", "tmp/o/chats/s.json", `{"sessionId":"s","projectHash":"` + windowsHash + `","startTime":"x","messages":[` + windowsRead + `]}`, `C:\Users\Dev`, map[string]string{"../.project_root": `c:\users\dev`}},
		{"on Windows, as the client says", "tmp/o/chats/s.jsonl", header("x") + "\n" + user("u0", "<session_context>\n- **Workspace Directories:**\n  - C:\\Users\\Dev\n</session_context>"), `C:\Users\Dev`, map[string]string{"../.project_root": `c:\users\dev`}},
		{"another list", "tmp/o/chats/s.jsonl", header("x"), "", map[string]string{"../../../projects.json": `{"projects":{"/v":"p"}}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			info := core.StreamInfo{Path: tt.path, Sidecars: map[string][]byte{}}
			for name, content := range tt.beside {
				info.Sidecars[name] = []byte(content)
			}
			set, err := pipeline.NewSet(pipeline.Options{})
			if err != nil {
				t.Fatal(err)
			}
			st, got := set.Open(gemini.Adapter{}, info, tt.path), ""
			st.OnEvent(func(ev *core.Event) {
				if ev.Project != nil {
					got = ev.Project.Cwd
				}
			})
			records(tt.path, []byte(tt.data), st.Line)
			if got != tt.want {
				t.Errorf("works in %q, want %q", got, tt.want)
			}
		})
	}
}
