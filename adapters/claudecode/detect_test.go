package claudecode_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/adapters/claudecode"
	"github.com/memscribe/memscribe/core"
)

func TestDetect(t *testing.T) {
	const chained = `"uuid":"u1","parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/w","sessionId":"s","version":"2.1.220"`
	tests := []struct {
		name, head string
		want       core.Fit
	}{
		{"a prompt", `{` + chained + `,"type":"user","message":{"role":"user","content":"Hello."}}`, core.NativeFit},
		{"modes, then a prompt", `{"type":"mode","mode":"normal","sessionId":"s"}` + "\n" + `{` + chained + `,"type":"user","message":{"role":"user","content":"Hello."}}`, core.NativeFit},
		{"modes alone", `{"type":"mode","mode":"normal","sessionId":"s"}`, core.ShapeFit},
		{"a summary", `{"type":"summary","summary":"x","leafUuid":"u"}`, core.NativeFit},
		{"a snapshot", `{"type":"file-history-snapshot","messageId":"u","snapshot":{"trackedFileBackups":{}}}`, core.NativeFit},
		{"a queue", `{"type":"queue-operation","operation":"dequeue","sessionId":"s"}`, core.NativeFit},
		{"comments on top", "// Source: somewhere\n" + `{` + chained + `,"type":"user","message":{"role":"user","content":"Hello."}}`, core.NativeFit},
		{"a cut line", `{` + chained + `,"type":"user","message":{"role":"user","content":"Hel`, core.ShapeFit},
		{"a cut line, its session behind", `{"parentUuid":null,"isSidechain":false,"promptId":"p","type":"user","message":{"role":"user","content":[{"type":"image","source":{"data":"iVBO`, core.ShapeFit},
		{"a cut line, with spaces", `{"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "Hel`, core.ShapeFit},
		{"Qwen Code, a cut prompt", `{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","message":{"role":"user","parts":[{"text":"Hel`, core.NoFit},
		{"hardly any members", `{"type":"user","timestamp":"2024-01-01T10:00:00Z","message":{"content":"Hello."}}`, core.ShapeFit},
		{"Amp", `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"ok"}]}}`, core.NoFit},
		{"few members", `{"type":"user","sessionId":"s","message":{"role":"user","content":"Hello."}}`, core.ShapeFit},
		{"Qwen Code", `{"uuid":"u","parentUuid":null,"sessionId":"s","type":"user","cwd":"/w","version":"0.21.13","message":{"role":"user","parts":[{"text":"Hello."}]}}`, core.NoFit},
		{"Qwen Code, telemetry", `{"uuid":"u","parentUuid":null,"sessionId":"s","type":"system","cwd":"/w","version":"0.21.13","subtype":"ui_telemetry","systemPayload":{}}`, core.NoFit},
		{"Qwen Code, telemetry of a subagent", `{"uuid":"u","parentUuid":null,"sessionId":"s","type":"system","isSidechain":true,"subtype":"ui_telemetry","systemPayload":{}}`, core.NoFit},
		{"Qwen Code, cut", `{"uuid":"u","parentUuid":null,"sessionId":"s","type":"system","isSidechain":true,"subtype":"ui_telemetry","systemPayload":{"x`, core.NoFit},
		{"Cursor", `{"role":"user","message":{"content":[{"type":"text","text":"Hello."}]}}`, core.NoFit},
		{"prompt history", `{"display":"Hello.","pastedContents":{},"timestamp":1,"project":"/w","sessionId":"s"}`, core.NoFit},
		{"settings", "{\n  \"permissions\": {\"allow\": []},\n  \"model\": \"opus\"\n}", core.NoFit},
		{"a sidecar", `{"agentType":"general-purpose","spawnDepth":1}`, core.NoFit},
		{"nothing", "", core.NoFit},
		{"a binary", "\x7fELF\x00\x00\n\x00", core.NoFit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := (claudecode.Adapter{}).Detect(core.Sample{Path: "x.jsonl", Head: []byte(tt.head)}); got != tt.want {
				t.Errorf("got fit %d, want %d", got, tt.want)
			}
		})
	}
}

func TestDetectByPath(t *testing.T) {
	const id = "11111111-2222-3333-4444-555555555555"
	for path, want := range map[string]core.Fit{
		"/home/dev/.claude/projects/-w/" + id + ".jsonl":                             core.PathFit,
		"/home/dev/.claude/projects/-w/agent-a1b2c3d4.jsonl":                         core.PathFit,
		"/home/dev/.claude/projects/-w/" + id + "/subagents/agent-a1.jsonl":          core.PathFit,
		"/home/dev/.claude/projects/-w/" + id + "/subagents/agent-a1.meta.json":      core.NoFit,
		"/home/dev/.qwen/projects/-w/subagents/s/agent-a1.jsonl":                     core.NoFit,
		"/home/dev/.claude/history.jsonl":                                            core.NoFit,
		"/home/dev/.cursor/projects/w/agent-transcripts/" + id + "/" + id + ".jsonl": core.NoFit,
	} {
		if got := (claudecode.Adapter{}).Detect(core.Sample{Path: path}); got != want {
			t.Errorf("%s: got fit %d, want %d", path, got, want)
		}
	}
}

// TestDetectCollected tells the collected transcripts of this client from those
// of others.
func TestDetectCollected(t *testing.T) {
	root := sharedDir(t, "wild")
	own, others := 0, 0
	for _, file := range jsonlFiles(t, root) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(root, file)
		fit := claudecode.Adapter{}.Detect(core.Sample{Path: filepath.ToSlash(file), Head: head(data)})
		if strings.HasPrefix(filepath.ToSlash(name), "claude-code/") {
			own++
			if fit < core.ShapeFit && len(data) > 0 {
				t.Logf("not detected: %s", name)
				own--
			}
			continue
		}
		if fit == core.NativeFit {
			t.Errorf("taken for its own: %s", name)
		} else if fit > core.NoFit {
			others++
			t.Logf("could be: %s", name)
		}
	}
	if own < 180 {
		t.Errorf("detected %d transcripts, want 180", own)
	}
}

// head is what Detect sees of a file.
func head(data []byte) []byte {
	if len(data) <= 64<<10 {
		return data
	}
	data = data[:64<<10]
	if at := strings.LastIndexByte(string(data), '\n'); at > 0 {
		data = data[:at+1]
	}
	return data
}

func TestPlaces(t *testing.T) {
	for _, p := range (claudecode.Adapter{}).Places() {
		if len(p.Roots) == 0 || len(p.Patterns) == 0 {
			t.Errorf("place without roots or patterns: %+v", p)
		}
		for _, r := range p.Roots {
			if strings.HasPrefix(r.Path, "/") || strings.Contains(r.Path, `\`) {
				t.Errorf("root %q is not slash-separated and relative", r.Path)
			}
		}
	}
}
