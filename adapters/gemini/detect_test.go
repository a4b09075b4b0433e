package gemini_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/gemini"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

func TestDetect(t *testing.T) {
	const header = `{"sessionId":"s","projectHash":"h","startTime":"2026-06-01T10:00:00.000Z","lastUpdated":"2026-06-01T10:00:00.000Z","kind":"main"}`
	tests := []struct {
		name, head string
		want       core.Fit
	}{
		{"a header", header, core.NativeFit},
		{"a torn header", `"lastUpdated":"2026-06-01T10:00:00.000Z"}` + "\n" + says("g1", "Hello.", ""), core.NativeFit},
		{"a document", document(user("u1", "Hello.")), core.NativeFit},
		{"the beginning of one", "{\n  \"sessionId\": \"s\",\n  \"projectHash\": \"h\",\n  \"startTime\": \"x\",\n  \"messages\": [\n    {", core.NativeFit},
		{"the beginning of one, in one line", document(user("u1", "Hello."))[:150], core.NativeFit},
		{"an answer", says("g1", "Hello.", ""), core.NativeFit},
		{"all messages", list(user("u1", "Hello.")), core.NativeFit},
		{"a prompt", user("u1", "Hello."), core.ShapeFit},
		{"a change", `{"$set":{"lastUpdated":"x"}}`, core.ShapeFit},
		{"a rewind", `{"$rewindTo":"u1"}`, core.ShapeFit},
		{"Claude Code", `{"parentUuid":null,"uuid":"u","sessionId":"s","type":"user","cwd":"/w","message":{"role":"user","content":"Hello."}}`, core.NoFit},
		{"Qwen Code", `{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","cwd":"/w","message":{"role":"user","parts":[{"text":"Hello."}]}}`, core.NoFit},
		{"a list of prompts", `[{"sessionId":"s","messageId":0,"type":"user","message":"Hello.","timestamp":"x"}]`, core.NoFit}, // logs.json
		{"a checkpoint", `[{"role":"user","parts":[{"text":"Hello."}]}]`, core.ShapeFit},
		{"the beginning of one with a name", "{\n  \"history\": [\n    {\n      \"role\": \"user\",\n      \"parts\": [\n        {", core.ShapeFit},
		{"one before a call", `{"history":[{"type":"user","text":"Hello."}],"clientHistory":[{"role":"user","parts":[{"text":"Hello."}]}],"toolCall":{"name":"x","args":{}}}`, core.ShapeFit},
		{"a list of another API", `[{"role":"user","content":"Hello."}]`, core.NoFit},
		{"settings", "{\n  \"security\": {\"auth\": {}}\n}", core.NoFit},
		{"nothing", "", core.NoFit},
		{"a binary", "\x7fELF\x00\x00\n\x00", core.NoFit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (gemini.Adapter{}).Detect(core.Sample{Path: "x.txt", Head: []byte(tt.head)}); got != tt.want {
				t.Errorf("got fit %d, want %d", got, tt.want)
			}
			if got := (gemini.Adapter{}).Detect(core.Sample{Path: "/home/dev/.qwen/tmp/h/chats/session-x.json", Head: []byte(tt.head)}); got != core.NoFit {
				t.Errorf("in the folder of Qwen Code: got fit %d", got)
			}
		})
	}
}

func TestDetectByPath(t *testing.T) {
	for path, want := range map[string]core.Fit{
		"/home/dev/.gemini/tmp/h/chats/session-2026-06-01T10-00-55b0e10b.jsonl": core.PathFit,
		"/home/dev/.gemini/tmp/h/chats/session-2026-06-01T10-00-55b0e10b.json":  core.PathFit,
		"/home/dev/.gemini/tmp/h/chats/s/a1.jsonl":                              core.PathFit,
		"/home/dev/.gemini/tmp/h/logs.json":                                     core.NoFit,
		"/home/dev/.gemini/tmp/h/checkpoint-a.json":                             core.NoFit,
		"/home/dev/.gemini/settings.json":                                       core.NoFit,
		"/home/dev/.qwen/tmp/h/chats/session-2025-10-01T10-00-55b0e10b.json":    core.NoFit,
	} {
		if got := (gemini.Adapter{}).Detect(core.Sample{Path: path}); got != want {
			t.Errorf("%s: got fit %d, want %d", path, got, want)
		}
	}
}

// TestFraming tells documents from logs by what they hold, then by their name.
func TestFraming(t *testing.T) {
	const header = `{"sessionId":"s","projectHash":"h","startTime":"x","lastUpdated":"x","kind":"main"}`
	tests := []struct {
		name, path, head string
		want             core.Framing
	}{
		{"document", "x.json", document(), core.Document},
		{"empty document", "x.json", "", core.Document},
		{"log", "x.jsonl", header + "\n" + user("u1", "Hello.") + "\n", core.Lines},
		{"header alone", "x.jsonl", header, core.Lines},
		{"empty log", "x.jsonl", "", core.Lines},
		{"document under another name", "x.jsonl", "{\n  \"sessionId\": \"s\",\n", core.Document}, // wild
		{"document without a name", "stdin", document(user("u1", "Hello.")), core.Document},
		{"the beginning of one", "stdin", document(user("u1", strings.Repeat("Hello. ", 100)))[:300], core.Document},
		{"log without a name", "stdin", header + "\n" + user("u1", "Hello.") + "\n", core.Lines},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (gemini.Adapter{}).Framing(core.Sample{Path: tt.path, Head: []byte(tt.head)}); got != tt.want {
				t.Errorf("got framing %v, want %v", got, tt.want)
			}
		})
	}
}

// TestDetectCollected tells the collected transcripts of this client from those
// of others.
func TestDetectCollected(t *testing.T) {
	root := adaptertest.Shared(t, "wild")
	for _, file := range adaptertest.Files(t, root, isJSON) {
		name, _ := filepath.Rel(root, file)
		if name = filepath.ToSlash(name); strings.HasPrefix(name, "gemini/") {
			continue
		}
		data := adaptertest.Read(t, file)
		s := core.Sample{Path: "x.jsonl", Head: data[:min(len(data), 64<<10)]}
		if fit := (gemini.Adapter{}).Detect(s); fit > core.NoFit {
			t.Errorf("%s: fit %d", name, fit)
		}
	}
}

func TestPlaces(t *testing.T) {
	for _, p := range (gemini.Adapter{}).Places() {
		if len(p.Roots) == 0 || len(p.Patterns) == 0 {
			t.Errorf("%+v names no files", p)
		}
	}
	if (gemini.Adapter{}).Tool() != core.Gemini {
		t.Error("another tool")
	}
}
