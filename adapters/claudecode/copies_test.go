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
		{"a resume without a title", copied("1.0.81"), []string{"turn Cap it at 100.", "turn Make it 200."}, 0},
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
