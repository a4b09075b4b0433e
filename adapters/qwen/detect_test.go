package qwen_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/qwen"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

const legacy = `{"sessionId":"s","projectHash":"h","startTime":"2025-09-01T10:00:00.000Z","lastUpdated":"2025-09-01T10:00:00.000Z","messages":[` +
	`{"id":"u1","timestamp":"2025-09-01T10:00:00.000Z","type":"user","content":"Hello."},` +
	`{"id":"g1","timestamp":"2025-09-01T10:00:01.000Z","type":"gemini","content":"Hi.","model":"m1"}]}`

func TestDetect(t *testing.T) {
	const chained = `{"uuid":"u","parentUuid":null,"sessionId":"s","timestamp":"2026-06-01T10:00:00.000Z","cwd":"/w","version":"0.24.4",`
	tests := []struct {
		name, path, head string
		want             core.Fit
	}{
		{"a prompt", "x", chained + user("Hello.") + `}`, core.NativeFit},
		{"a notice", "x", chained + system("ui_telemetry", `{}`) + `}`, core.NativeFit},
		{"two records glued", "x", chained + user("Hello.") + `}` + chained + says("Hi.") + `}`, core.NativeFit},
		{"a torn line first", "x", `d":"/w"}` + "\n" + chained + says("Hi.") + `}`, core.NativeFit},
		{"a cut line", "x", (chained + user("Hello, "+strings.Repeat("x", 99)))[:180], core.ShapeFit},
		{"hardly any members", "x", `{"sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"Hello."}]}}`, core.ShapeFit},
		{"a document of the first versions", "/home/dev/.qwen/tmp/h/chats/session-2025-09-01T10-00-s.json", legacy, core.NativeFit},
		{"a document of Gemini CLI", "/home/dev/.gemini/tmp/h/chats/session-2025-09-01T10-00-s.json", legacy, core.NoFit},
		{"a document of either", "x.json", legacy, core.NoFit},
		{"Claude Code", "x", `{"parentUuid":null,"uuid":"u","sessionId":"s","type":"user","cwd":"/w","message":{"role":"user","content":"Hello."}}`, core.NoFit},
		{"Claude Code, system", "x", `{"parentUuid":null,"uuid":"u","sessionId":"s","type":"system","subtype":"init","cwd":"/w","content":"x"}`, core.NoFit},
		{"a count of tokens", "/home/dev/.qwen/usage_record.jsonl", `{"sessionId":"s","timestamp":1,"models":{}}`, core.NoFit},
		{"nothing", "x", "", core.NoFit},
		{"nothing yet", "/home/dev/.qwen/projects/-w/chats/s.jsonl", "", core.PathFit},
		{"nothing yet, of a subagent", "/home/dev/.qwen/projects/-w/subagents/s/agent-a1.jsonl", "", core.PathFit},
		{"what is noted of a subagent", "/home/dev/.qwen/projects/-w/subagents/s/agent-a1.meta.json", `{"agentId":"a1"}`, core.NoFit},
		{"a binary", "x", "\x7fELF\x00\x00\n\x00", core.NoFit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (qwen.Adapter{}).Detect(core.Sample{Path: tt.path, Head: []byte(tt.head)}); got != tt.want {
				t.Errorf("got fit %d, want %d", got, tt.want)
			}
		})
	}
}

// TestDetectCollected tells the transcripts of others from those of this client.
func TestDetectCollected(t *testing.T) {
	root := adaptertest.Shared(t, "wild")
	isJSON := func(path string) bool { return strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".jsonl") }
	for _, file := range adaptertest.Files(t, root, isJSON) {
		name, _ := filepath.Rel(root, file)
		if name = filepath.ToSlash(name); strings.HasPrefix(name, "qwen/") {
			continue
		}
		data := adaptertest.Read(t, file)
		if fit := (qwen.Adapter{}).Detect(core.Sample{Path: "x.jsonl", Head: data[:min(len(data), 64<<10)]}); fit > core.NoFit {
			t.Errorf("%s: fit %d", name, fit)
		}
	}
}

// TestLegacy reads a document of the first versions, and knows it for one.
func TestLegacy(t *testing.T) {
	const path = "/home/dev/.qwen/tmp/h/chats/session-2025-09-01T10-00-s.json"
	if got := (qwen.Adapter{}).Framing(core.Sample{Path: path}); got != core.Document {
		t.Errorf("got framing %v", got)
	}
	check(t, path, legacy, "turn Hello.", "said Hi.")
}

func TestPlaces(t *testing.T) {
	for _, p := range (qwen.Adapter{}).Places() {
		if len(p.Roots) == 0 || len(p.Patterns) == 0 {
			t.Errorf("%+v names no files", p)
		}
	}
	if (qwen.Adapter{}).Tool() != core.Qwen {
		t.Error("another tool")
	}
}
