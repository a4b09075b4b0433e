package claudecode_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCopiesOfOldResumes: until 1.0.87 a resume wrote the session again, under
// ids of its own and with the time of the resume. What it copied was said and done
// in the other session.
func TestCopiesOfOldResumes(t *testing.T) {
	const (
		title  = `{"type":"summary","summary":"Page size","leafUuid":"x"}`
		then   = "2025-07-26T10:00:00.000Z"
		soon   = "2025-07-26T10:00:00.001Z"
		now    = "2025-07-26T10:00:00.020Z"
		asked  = `{"role":"user","content":[{"type":"text","text":"Cap it at 100."}]}`
		called = `{"role":"assistant","id":"msg_1","content":[{"type":"tool_use","id":"toolu_1","name":"Write","input":{"file_path":"/w/a","content":"a\n"}}]}`
		result = `{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"File created successfully at: /w/a"}]}`
		again  = `{"role":"user","content":"Make it 200."}`
	)
	n := 0
	record := func(version, kind, time, message, more string) string {
		n++
		return fmt.Sprintf(`{"type":%q,"uuid":"u%d","sessionId":"s","version":%q,"cwd":"/w","timestamp":%q,"message":%s%s}`, kind, n, version, time, message, more)
	}
	structured := `,"toolUseResult":{"type":"create","filePath":"/w/a","content":"a\n","structuredPatch":[]}`
	copied := func(version string) []string {
		return []string{
			record(version, "user", then, asked, ""), record(version, "assistant", then, called, ""),
			record(version, "user", then, result, ""), record(version, "user", then, asked, ""), record(version, "user", now, again, ""),
		}
	}
	for _, tc := range []struct {
		name    string
		records []string
		turns   []string
		edits   int
	}{
		{"a resume", append([]string{title}, copied("1.0.81")...), []string{"turn Make it 200."}, 0},
		{"a resume without a title", copied("1.0.81"), []string{"turn Make it 200."}, 0},
		{"a resume in which the clock goes on", []string{
			record("1.0.51", "user", then, asked, ""), record("1.0.51", "assistant", soon, called, ""), record("1.0.51", "user", soon, result, ""),
			record("1.0.51", "user", now, again, ""),
		}, []string{"turn Make it 200."}, 0},
		{"a session of its own in the form of a copy", []string{
			record("1.0.81", "user", then, asked, ""), record("1.0.81", "assistant", now, called, ""), record("1.0.81", "user", now+"1", result, structured),
		}, []string{"turn Cap it at 100."}, 1},
		{"a session of its own that is only begun", []string{record("1.0.81", "user", then, asked, "")}, nil, 0},
		{"a resume that keeps ids", append([]string{title}, copied("1.0.88")...), []string{"turn Cap it at 100.", "turn Cap it at 100.", "turn Make it 200."}, 1},
		{"no version", append([]string{title}, copied("")...), []string{"turn Cap it at 100.", "turn Cap it at 100.", "turn Make it 200."}, 1},
		{"a session of its own", []string{
			record("1.0.81", "user", then, `{"role":"user","content":"Cap it at 100."}`, ""), record("1.0.81", "assistant", now, called, ""),
			record("1.0.81", "user", now+"1", result, structured), record("1.0.81", "user", now+"2", asked, ""),
		}, []string{"turn Cap it at 100.", "turn Cap it at 100."}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var turns []string
			edits := 0
			for _, line := range summarize(t, "s.jsonl", strings.Join(tc.records, "\n")+"\n") {
				if strings.HasPrefix(line, "turn ") {
					turns = append(turns, line)
				}
				if strings.HasPrefix(line, "edit ") {
					edits++
				}
			}
			if !slices.Equal(turns, tc.turns) || edits != tc.edits {
				t.Errorf("turns are %q, want %q; %d edits, want %d", turns, tc.turns, edits, tc.edits)
			}
		})
	}
}

// TestCopiedCommand: what a command stands for is the client's text, in a copy
// that has lost the mark of it too (recorded 1.0.109).
func TestCopiedCommand(t *testing.T) {
	const (
		command = `{"role":"user","content":[{"type":"text","text":"<command-message>change is running…</command-message>\n<command-name>/change</command-name>\n<command-args>the port</command-args>"}]}`
		prompt  = `{"role":"user","content":[{"type":"text","text":"Make this change: the port"}]}`
	)
	record := func(uuid, parent, time, message, more string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"parentUuid":%q,"sessionId":"s","version":"1.0.109","cwd":"/w","timestamp":%q,"message":%s%s}`, uuid, parent, time, message, more)
	}
	const then, now = "2025-09-06T10:00:00.000Z", "2025-09-06T10:00:01.000Z"
	for name, tc := range map[string]struct {
		records []string
		want    []string
	}{
		"as it was":           {[]string{record("a", "", then, command, ""), record("b", "a", then, prompt, `,"isMeta":true`)}, []string{"turn the port"}},
		"copied":              {[]string{record("a", "", then, command, ""), record("b", "a", then, prompt, "")}, []string{"turn the port"}},
		"said afterwards":     {[]string{record("a", "", then, command, ""), record("b", "a", now, prompt, "")}, []string{"turn the port", "turn Make this change: the port"}},
		"in answer to others": {[]string{record("a", "", then, command, ""), record("b", "x", then, prompt, "")}, []string{"turn the port", "turn Make this change: the port"}},
	} {
		var turns []string
		for _, line := range summarize(t, "s.jsonl", strings.Join(tc.records, "\n")+"\n") {
			if strings.HasPrefix(line, "turn ") {
				turns = append(turns, line)
			}
		}
		if !slices.Equal(turns, tc.want) {
			t.Errorf("%s: turns are %q, want %q", name, turns, tc.want)
		}
	}
}

// TestToldCompacted: old versions wrote nothing down of a compaction but that they
// told of it.
func TestToldCompacted(t *testing.T) {
	const told = `{"role":"user","content":"<local-command-stdout>Compacted. ctrl+r to see full summary</local-command-stdout>"}`
	const copied = `{"role":"user","content":[{"type":"text","text":"<local-command-stdout>Compacted. ctrl+r to see full summary</local-command-stdout>"}]}`
	const summary = `{"type":"user","uuid":"y","sessionId":"s","version":"1.0.60","cwd":"/w","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued."}}`
	record := func(uuid, version, message string) string {
		return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":"s","version":%q,"cwd":"/w","message":%s}`, uuid, version, message)
	}
	for name, tc := range map[string]struct {
		lines []string
		want  int
	}{
		"told":               {[]string{record("x", "1.0.60", told)}, 1},
		"told twice":         {[]string{record("x", "1.0.60", told), record("z", "1.0.60", told)}, 1},
		"copied":             {[]string{record("x", "1.0.60", copied)}, 0},
		"written down too":   {[]string{summary, record("x", "1.0.60", told)}, 1},
		"of a later version": {[]string{record("x", "1.0.128", told)}, 0},
	} {
		n := 0
		for _, line := range summarize(t, "s.jsonl", strings.Join(tc.lines, "\n")+"\n") {
			if strings.HasPrefix(line, "compact") {
				n++
			}
		}
		if n != tc.want {
			t.Errorf("%s: %d compactions, want %d", name, n, tc.want)
		}
	}
}

// TestCopiesOfStreams: until 1.0.87 a client to which prompts are streamed wrote all
// that was before each of them once more, into the same transcript. What is typed
// twice is still typed twice.
func TestCopiesOfStreams(t *testing.T) {
	s := &session{version: "1.0.70"}
	s.on("null", user("One.")).add(says("1")).
		on("null", user("One.")).add(says("1")).add(user("Two.")).add(says("2")).
		on("null", user("One.")).add(says("1")).add(user("Two.")).add(says("2")).add(user("Two.")).add(says("3")).add(user("One.")).check(t,
		"turn One.", "said 1", "put One.", "said 1", "turn Two.", "said 2",
		"put One.", "said 1", "put Two.", "said 2", "turn Two.", "said 3", "turn One.")
}
