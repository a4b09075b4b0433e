package claudecode_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
)

// TestLines keeps what is no record of a conversation.
func TestLines(t *testing.T) {
	tests := []struct {
		name, line string
		want       []string
	}{
		{"a torn line", `{"type":"user","message":{"role":"us`, []string{"unknown unreadable"}},
		{"a comment", `// Source: somewhere`, []string{"unknown unreadable"}},
		{"NULs before a record", "\x00\x00\x00" + `{"type":"mode","mode":"normal"}`, []string{"known mode"}},
		{"two records on a line", `{"type":"mode"}{"type":"summary","summary":"x"}`, []string{"known mode", "known summary"}},
		{"a number", `17`, []string{"unknown number"}},
		{"a list", `[1]`, []string{"unknown array"}},
		{"no type", `{"a":1}`, []string{"unknown"}},
		{"a type that is no string", `{"type":1}`, []string{"unknown"}},
		{"a new type", `{"type":"brand-new"}`, []string{"unknown brand-new"}},
		{"a new attachment", `{"type":"attachment","attachment":{"type":"brand-new"}}`, []string{"unknown attachment/brand-new"}},
		{"a new notice", `{"type":"system","subtype":"brand_new"}`, []string{"unknown system/brand_new"}},
		{"a new report", `{"type":"progress","data":{"type":"brand_new"}}`, []string{"unknown progress/brand_new"}},
		{"a new queue operation", `{"type":"queue-operation","operation":"brand_new"}`, []string{"unknown queue-operation/brand_new"}},
		{"an error of the API", `{"type":"assistant","isApiErrorMessage":true,"message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error"}],"usage":{"output_tokens":0}}}`, []string{"put as assistant API Error"}},
		{"output of a local command", `{"type":"system","subtype":"local_command","content":"done"}`, []string{"put done"}},
		{"a response of nothing", `{"type":"assistant","message":{"content":[]}}`, []string{"known assistant"}},
		{"a search of the provider's", `{"type":"assistant","message":{"content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}}`, []string{"said", "call web_search srvtoolu_1", "result srvtoolu_1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, summarize(t, "s.jsonl", tt.line+"\n")); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTimes reads timestamps to the digit, and only those that are any.
func TestTimes(t *testing.T) {
	for give, want := range map[string]string{
		"2026-06-22T10:00:00.123Z":    "2026-06-22T10:00:00.123Z",
		"2024-02-29T23:59:59.000Z":    "2024-02-29T23:59:59.000Z",
		"2026-06-22T12:00:00+02:00":   "2026-06-22T10:00:00Z",
		"2026-06-22T10:00:00.123456Z": "2026-06-22T10:00:00.123456Z",
		"2026-02-29T10:00:00.000Z":    "",
		"2026-13-01T10:00:00.000Z":    "",
		"2026-06-22T25:00:00.000Z":    "",
		"[trimmed for fixture]":       "",
		"2026-06-22 10:00:00.123Z":    "",
	} {
		events(t, "s.jsonl", []byte(`{"type":"mode","timestamp":"`+give+`"}`+"\n"), func(ev *core.Event) {
			if got := ev.Time.String(); got != want {
				t.Errorf("%s: got %q, want %q", give, got, want)
			}
		})
	}
}

// TestEnvelope reads where a record belongs.
func TestEnvelope(t *testing.T) {
	const id = "11111111-2222-3333-4444-555555555555"
	data := strings.Join([]string{
		`{"type":"mode"}`,
		`{"type":"user","uuid":"u1","sessionId":"s2","cwd":"/a","gitBranch":"main","version":"2.1.1","timestamp":"2026-06-22T10:00:00.000Z","message":{"content":"One."}}`,
		`{"type":"user","uuid":"u2","parentUuid":"u1","cwd":"C:\\b","gitBranch":"fix","message":{"content":"Two."}}`,
		`{"type":"user","uuid":"u3","parentUuid":"u2","message":{"content":"Three."}}`,
	}, "\n")
	var got []string
	events(t, "projects/w/"+id+".jsonl", []byte(data), func(ev *core.Event) {
		line := ev.Session + " " + ev.ID[:2] + " " + ev.ParentID
		if p := ev.Project; p != nil {
			line += " " + p.Cwd + " " + p.Git.Branch
		}
		got = append(got, line)
	})
	got[0] = strings.Replace(got[0], got[0][len(id)+1:len(id)+3], "..", 1)
	want := []string{id + " .. ", "s2 s2  /a main", "s2 u1  /a main", `s2 u2 u1 C:\b fix`, `s2 u3 u2 C:\b fix`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("session, id, parent and project (-want +got):\n%s", diff)
	}
}
