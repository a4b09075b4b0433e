package claudecode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const system = `"type":"system","subtype":"turn_duration"`

// TestRewinds finds where a person took the conversation back, and only there.
func TestRewinds(t *testing.T) {
	t.Run("to an earlier turn", func(t *testing.T) {
		new(session).add(user("One.")).add(says("1")).add(user("Two.")).add(says("2")).on(`"r2"`, user("Three.")).check(t,
			"turn One.", "said 1", "turn Two.", "said 2", "rewind to r2, 2", "turn Three.")
	})
	t.Run("before an answer came", func(t *testing.T) {
		new(session).add(user("One.")).add(says("1")).add(user("Tow.")).on(`"r2"`, user("Two.")).check(t,
			"turn One.", "said 1", "turn Tow.", "rewind to r2, 2", "turn Two.")
	})
	t.Run("twice", func(t *testing.T) {
		new(session).add(user("One.")).add(says("1")).add(user("Two.")).add(says("2")).on(`"r2"`, user("Three.")).
			add(says("3")).on(`"r2"`, user("Four.")).add(says("4")).add(user("Five.")).check(t,
			"turn One.", "said 1", "turn Two.", "said 2", "rewind to r2, 2", "turn Three.", "said 3",
			"rewind to r2, 2", "turn Four.", "said 4", "turn Five.")
	})
	t.Run("over a command that the model answered", func(t *testing.T) {
		new(session).add(user("One.")).add(says("1")).add(user("<command-message>x</command-message>")).add(says("2")).
			on(`"r2"`, user("Three.")).check(t,
			"turn One.", "said 1", "put <command-message>x</command-message>", "said 2", "rewind to r2, 2", "turn Three.")
	})
	t.Run("with a command first on the new branch", func(t *testing.T) {
		new(session).add(user("One.")).add(says("1")).add(user("Two.")).add(says("2")).
			on(`"r2"`, user("<bash-input>ls</bash-input>")).add(user("Three.")).check(t,
			"turn One.", "said 1", "turn Two.", "said 2", "rewind to r2, 2", "put <bash-input>ls</bash-input>", "turn Three.")
	})
	t.Run("to the start", func(t *testing.T) {
		new(session).add(user("One.")).add(says("1")).on("null", user("Two.")).check(t,
			"turn One.", "said 1", "rewind to s, 0", "turn Two.")
	})
}

// TestNoRewinds has what looks like one and is none.
func TestNoRewinds(t *testing.T) {
	none := func(name string, s *session) {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(summarize(t, "s.jsonl", s.b.String()), "\n"); strings.Contains(got, "rewind") {
				t.Errorf("a rewind in\n%s", got)
			}
		})
	}
	none("results of parallel calls", new(session).add(user("One.")).add(calls("toolu_1", "Read", "{}")).add(calls("toolu_2", "Read", "{}")).
		on(`"r3"`, answers("toolu_2", `""`, "")).on(`"r2"`, answers("toolu_1", `""`, "")).on(`"r4"`, user("Two.")))
	none("a call that was never answered", new(session).add(user("One.")).add(says("1")).add(calls("toolu_1", "Bash", "{}")).on(`"r2"`, user("Two.")))
	none("a compaction", new(session).add(user("One.")).add(says("1")).add(user("Two.")).
		on("null", `"type":"system","subtype":"compact_boundary","logicalParentUuid":"r3"`).
		add(user("Summary")+`,"isCompactSummary":true`).add(user("Three.")))
	none("a parent that is in no line", new(session).add(user("One.")).add(says("1")).add(user("Two.")).on(`"gone"`, user("Three.")))
	none("reports in between", new(session).add(user("One.")).add(`"type":"progress","data":{"type":"hook_progress"}`).
		on(`"r1"`, says("1")).on(`"r2"`, system).on(`"r3"`, user("Two.")))
	none("old files without parents", (&session{version: "1.0.0"}).on("null", user("One.")).on("null", user("Two.")))
	none("a record that stands there twice", new(session).add(user("One.")).add(says("1")).add(user("Two.")).add(says("2")).
		line(`{"parentUuid":"r2","uuid":"r3","sessionId":"s","cwd":"/w",`+user("Two.")+`}`).on(`"r4"`, user("Three.")))
	none("a command that the model did not answer", new(session).add(user("One.")).add(says("1")).
		add(user("<command-name>/model</command-name>")).on(`"r2"`, user("Two.")))
}

// TestRetracted takes back what a model said before another one took over.
func TestRetracted(t *testing.T) {
	new(session).add(user("One.")).add(says("1")).
		add(`"type":"system","subtype":"model_refusal_fallback","retractedMessageUuids":["r2"],"refusedUserMessageUuid":"r1"`).
		add(says("2")).check(t,
		"turn One.", "said 1", "rewind to r1, 1", "known system/model_refusal_fallback", "said 2")
}

func TestCompaction(t *testing.T) {
	boundary := `"type":"system","subtype":"compact_boundary","logicalParentUuid":"r2","compactMetadata":{"trigger":"auto"}`
	t.Run("boundary and summary", func(t *testing.T) {
		new(session).add(user("One.")).add(says("1")).on("null", boundary).
			add(user("This session is being continued.")+`,"isCompactSummary":true`).add(says("2")).check(t,
			"turn One.", "said 1", "known system/compact_boundary", "compaction of 0 to 2: This session is being continued.", "said 2")
	})
	t.Run("a summary that is not marked", func(t *testing.T) {
		text := "This session is being continued from a previous conversation that ran out of context."
		new(session).add(user("One.")).add(says("1")).add(user(text)).check(t, "turn One.", "said 1", "compaction of 0 to 2: "+text)
	})
	t.Run("a boundary whose summary is missing", func(t *testing.T) {
		new(session).add(user("One.")).add(says("1")).on("null", boundary).add(user("Two.")).check(t,
			"turn One.", "said 1", "known system/compact_boundary", "compaction of 0 to 2:", "turn Two.")
	})
	t.Run("the second one begins at the first", func(t *testing.T) {
		new(session).add(user("One.")).add(user("a")+`,"isCompactSummary":true`).add(says("1")).
			add(user("b")+`,"isCompactSummary":true`).check(t,
			"turn One.", "compaction of 0 to 1: a", "said 1", "compaction of 2 to 3: b")
	})
}

// TestSidechains follows subagents that are written into the main file.
func TestSidechains(t *testing.T) {
	var s session
	task := func(id, prompt string) string { return calls(id, "Task", fmt.Sprintf(`{"prompt":%q}`, prompt)) }
	side := func(uuid, parent, fields string) {
		s.line(fmt.Sprintf(`{"isSidechain":true,"sessionId":"s","uuid":"%s","parentUuid":%s,%s}`, uuid, parent, fields))
	}
	s.add(user("One.")).add(task("toolu_1", "Look at a.")).add(task("toolu_2", "Look at b."))
	side("b1", "null", user("Look at b."))
	side("a1", "null", user("Look at a."))
	side("b2", `"b1"`, says("b"))
	side("a2", `"a1"`, says("a"))
	side("x2", `"lost"`, says("a, too"))
	s.add(answers("toolu_2", `"done"`, "")).add(answers("toolu_1", `"done"`, "")).add(user("Two."))
	s.check(t,
		"turn One.", "said", "call Task toolu_1", "said", "call Task toolu_2",
		"b1: put Look at b.", "a1: put Look at a.", "b1: said b", "a1: said a", "a1: said a, too",
		"result toolu_2 spawned b1", "result toolu_1 spawned a1", "turn Two.")
}

// TestSubagentFiles has the records of a subagent's own file carry its thread.
func TestSubagentFiles(t *testing.T) {
	data := `{"isSidechain":true,"agentId":"a1","sessionId":"s","uuid":"u1","cwd":"/w","version":"2.1.220","type":"user","message":{"role":"user","content":"Look."}}
{"type":"api-request","sessionId":"s"}
{"isSidechain":true,"agentId":"a1","sessionId":"s","uuid":"u2","parentUuid":"u1","type":"user","promptSource":"typed","message":{"role":"user","content":"Look there, too."}}
`
	want := []string{"a1: start /w  2.1.220", "a1: put Look.", "a1: known api-request", "a1: turn Look there, too."}
	for _, path := range []string{
		"projects/w/agent-a1.jsonl",
		"projects/w/11111111-2222-3333-4444-555555555555/subagents/agent-a1.jsonl",
		"projects/w/11111111-2222-3333-4444-555555555555/subagents/workflows/run/agent-a1.jsonl",
	} {
		if diff := cmp.Diff(want, summarize(t, path, data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}
