package codex_test

import (
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/codex"
	"github.com/memscribe/memscribe/core"
)

func TestDetect(t *testing.T) {
	const path = "/h/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-019a0000-0000-7000-8000-000000000001.jsonl"
	tests := []struct {
		name, path, head string
		want             core.Fit
	}{
		{"header", "x", `{"timestamp":"t","type":"session_meta","payload":{"id":"x"}}` + "\n", core.NativeFit},
		{"header behind spaces", "x", "\ufeff\n" + `{ "type": "session_meta", "payload": { "id": "x" } }`, core.NativeFit},
		{"header that is cut", "x", `{"timestamp":"t","type":"session_meta","payload":{"id":"x","base_instructions":{"text":"` + strings.Repeat("a", 64<<10), core.NativeFit},
		{"first line lost", "x", "garbage\n" + `{"timestamp":"t","type":"response_item","payload":{"type":"message"}}`, core.NativeFit},
		{"bare header", "x", `{"id":"x","timestamp":"t","instructions":null}` + "\n", core.NativeFit},
		{"bare items", path, `{"type":"message","role":"user","content":[]}` + "\n", core.NativeFit},
		{"bare items of anybody", "x", `{"type":"message","role":"user","content":[]}` + "\n", core.NoFit},
		{"item that is cut", "x", `{"timestamp": "t", "ordinal": 7, "type": "response_item", "payload": {"type": "message", "content": [{"text": "` + strings.Repeat("a", 64<<10), core.NativeFit},
		{"bare item that is cut", path, `{"type":"message","role":"user","content":[{"text":"` + strings.Repeat("a", 64<<10), core.NativeFit},
		{"document", "x.json", `{"session":{"id":"x","instructions":""},"items":[]}`, core.NativeFit},
		{"document that is cut", "x.json", `{"session":{"id":"x","instructions":"` + strings.Repeat("a", 64<<10), core.ShapeFit},
		{"name only", path, "", core.PathFit},
		{"prompts", "/h/.codex/history.jsonl", `{"session_id":"x","ts":1,"text":"hi"}` + "\n", core.NoFit},
		{"names of threads", "/h/.codex/session_index.jsonl", `{"id":"x","thread_name":"y","updated_at":"t"}` + "\n", core.NoFit},
		{"Claude Code", "x", `{"type":"user","uuid":"x","sessionId":"y","message":{"role":"user","content":"hi"}}` + "\n", core.NoFit},
		{"events of another tool", "x", `{"type":"session.start","payload":{"sessionId":"x"}}` + "\n", core.NoFit},
		{"log of the interface", "x", `{"ts":"t","dir":"to_tui","kind":"codex_event","payload":{"id":"0"}}` + "\n", core.NoFit},
		{"nothing", "x", "", core.NoFit},
		{"binary", "x", "\x00\x01\x02", core.NoFit},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (codex.Adapter{}).Detect(core.Sample{Path: test.path, Head: []byte(test.head)}); got != test.want {
				t.Errorf("fit %d, want %d", got, test.want)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	places := codex.Adapter{}.Places()
	if len(places) != 1 || places[0].Roots[0].Env != "CODEX_HOME" || places[0].Roots[1].Path != ".codex" {
		t.Errorf("places are %+v", places)
	}
}
