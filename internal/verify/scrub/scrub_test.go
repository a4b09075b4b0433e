package scrub_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/internal/verify/scrub"
)

var prose = strings.Repeat("Always do as the vendor says. ", 20) // 600 bytes

func TestTranscript(t *testing.T) {
	tests := []struct {
		name, tool, in, want string
	}{
		{
			"person's words stay, with their spaces and escapes", "claude_code",
			`{ "type":"user", "message":{"role":"user","content":"caf\u00e9 ` + prose + `"}}` + "\r\n",
			"",
		},
		{
			"reminder among them goes", "claude_code",
			`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>` + prose + `</system-reminder>"},{"type":"text","text":"hi"}]},"uuid":"u1"}`,
			`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>[left out: 600 bytes]</system-reminder>"},{"type":"text","text":"hi"}]},"uuid":"u1"}`,
		},
		{
			"tools keep the shape of the first", "claude_code",
			`{"type":"api-request-shape","shape":{"system":[{"text":"short"}],"tools":[{"name":"Edit","description":"` + prose + `","n":1e400},{"name":"Bash"}]}}`,
			`{"type":"api-request-shape","shape":{"system":[{"text":"short"}],"tools":[{"name":"Edit","description":"[left out: 600 bytes]","n":1e400}]}}`,
		},
		{
			"instructions of a session", "codex",
			`{"type":"session_meta","payload":{"id":"s","base_instructions":{"text":"` + prose + `"},"cwd":"/w"}}`,
			`{"type":"session_meta","payload":{"id":"s","base_instructions":{"text":"[left out: 600 bytes]"},"cwd":"/w"}}`,
		},
		{
			"heading and tags by which a reader knows the text stay", "codex",
			`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\n` + prose + `\n</INSTRUCTIONS>"}]}}`,
			`{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\n[left out: 601 bytes]</INSTRUCTIONS>"}]}}`,
		},
		{"not JSON", "codex", `{"type":"session_meta","payload":{"base_instructions":{"text":"` + prose, ""},
		{"two values on a line", "codex", `{"type":"a"}{"type":"b"}`, ""},
		{"empty", "codex", "", ""},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			want := tc.want
			if want == "" {
				want = tc.in
			}
			got, err := scrub.Transcript(core.Tool(tc.tool), []byte(tc.in))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			again, err := scrub.Transcript(core.Tool(tc.tool), got)
			if err != nil || string(again) != string(got) {
				t.Errorf("second time: %v\n%s", err, again)
			}
		})
	}
}

func TestTranscriptWithoutRules(t *testing.T) {
	if _, err := scrub.Transcript("nobody", []byte("{}")); err == nil {
		t.Error("no error for a tool without rules")
	}
}
