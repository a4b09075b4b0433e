package e2e_test

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memscribe/memscribe/core"
)

// TestAgentsAreTold installs the server and the hooks into the settings of real clients,
// has each ask a model, and wants the first request to hold what is in force, and to
// offer what the server answers.
func TestAgentsAreTold(t *testing.T) {
	if !*wanted {
		t.Skip("runs with -clients only (make e2e): it installs real clients from npm")
	}
	program := filepath.Join(t.TempDir(), "memscribe")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/memscribe").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		beside
		run []string // behind the client's folder
		env func(model string) []string
	}{
		{
			beside{core.ClaudeCode, "2.1.330", nil},
			[]string{"claude", "-p", "--dangerously-skip-permissions", "How many functions has src/pages.js?"},
			func(model string) []string {
				return []string{"ANTHROPIC_BASE_URL=" + model, "ANTHROPIC_API_KEY=sk-test-000", "IS_SANDBOX=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1"}
			},
		},
		{
			beside{core.Codex, "0.166.0", nil},
			[]string{
				"codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust", "-c", `model="gpt-5"`, "-c", `model_provider="local"`,
				"-c", `model_providers.local.name="local"`, "-c", `model_providers.local.wire_api="responses"`, "-c", `model_providers.local.base_url="{model}/v1"`,
				"-c", "mcp_servers.memscribe.required=true", // it would begin without
				"How many functions has src/pages.js?",
			},
			func(string) []string { return nil },
		},
		{
			beside{core.Gemini, "0.61.0", nil},
			[]string{"gemini", "--yolo", "-p", "How many functions has src/pages.js?"},
			func(model string) []string {
				return []string{"GEMINI_API_KEY=sk-test-000", "GOOGLE_GEMINI_BASE_URL=" + model, "GEMINI_MODEL=gemini-2.5-pro", "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_TELEMETRY_ENABLED=false"}
			},
		},
		{
			beside{core.Qwen, "0.24.4", nil},
			[]string{"qwen", "--yolo", "--auth-type", "openai", "-p", "How many functions has src/pages.js?"},
			func(model string) []string {
				return []string{"OPENAI_API_KEY=sk-test-000", "OPENAI_BASE_URL=" + model + "/v1", "OPENAI_MODEL=qwen3-coder-plus", "QWEN_TELEMETRY_ENABLED=false"}
			},
		},
		{
			beside{core.OpenCode, "1.18.34", nil}, // it has no hooks that could tell it something
			[]string{"opencode", "run", "--model", "local/x", "How many functions has src/pages.js?"},
			func(model string) []string {
				return []string{
					`OPENCODE_CONFIG_CONTENT={"share":"disabled","small_model":"local/x","provider":{"local":{"npm":"@ai-sdk/openai-compatible","options":{"baseURL":"` + model + `/v1","apiKey":"sk-test-000"},"models":{"x":{"tool_call":true}}}}}`,
					"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
				}
			},
		},
	} {
		t.Run(string(c.tool), func(t *testing.T) {
			dir, home := install(t, c.beside), t.TempDir()
			work, model := decidedIn(t, program, home), newEar(t)
			installs := [][]string{{"mcp", "install", string(c.tool)}, {"hooks", "install", string(c.tool), "--recall"}}
			want := []string{"[memscribe recall: decided in this project", "Never use lodash in this repo"}
			if c.tool == core.OpenCode {
				installs, want = installs[:1], nil
			}
			for _, args := range installs {
				runAs(t, home, work, nil, append([]string{program}, args...)...)
			}
			args := append([]string{filepath.Join(dir, "node_modules", ".bin", c.run[0])}, c.run[1:]...)
			for tool, at := range map[core.Tool]string{core.ClaudeCode: "@anthropic-ai/claude-code-*/claude", core.OpenCode: "opencode-*/bin/opencode"} {
				if found, _ := filepath.Glob(filepath.Join(dir, "node_modules", filepath.FromSlash(at))); c.tool == tool && len(found) > 0 {
					args[0] = found[0]
				}
			}
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "{model}", model.url)
			}
			said := runAs(t, home, work, c.env(model.url), args...)
			server := map[core.Tool]string{core.Gemini: "mcp_memscribe_why", core.OpenCode: "memscribe_why"}[c.tool]
			for _, want := range append(want, cmp.Or(server, "mcp__memscribe")) {
				if !strings.Contains(model.heard(), want) {
					t.Errorf("the model is not asked with %q; the client said %s", want, said)
				}
			}
		})
	}
}

// decidedIn makes a repository with a database in which something was decided.
func decidedIn(t *testing.T, program, home string) (work string) {
	t.Helper()
	work = filepath.Join(home, "work", "app")
	said, err := os.ReadFile("../../cmd/memscribe/testdata/agents/session.jsonl")
	if err == nil {
		err = os.MkdirAll(filepath.Join(work, ".git"), 0o755)
	}
	for _, tool := range []string{".claude", ".codex", ".gemini", ".qwen"} {
		if err == nil {
			err = os.MkdirAll(filepath.Join(home, tool), 0o755)
		}
	}
	for tool, auth := range map[string]string{".gemini": "gemini-api-key", ".qwen": "openai"} { // nothing is asked at the beginning
		settings := `{"security":{"auth":{"selectedType":"` + auth + `"}},"telemetry":{"enabled":false},"privacy":{"usageStatisticsEnabled":false},"general":{"enableAutoUpdate":false}}` + "\n"
		if err == nil {
			err = os.WriteFile(filepath.Join(home, tool, "settings.json"), []byte(settings), 0o600)
		}
	}
	transcript := filepath.Join(t.TempDir(), "s.jsonl")
	if err == nil {
		err = os.WriteFile(transcript, []byte(strings.ReplaceAll(string(said), "/home/dev/work/app", work)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	runAs(t, home, work, nil, program, "replay", transcript, "--sink", "sqlite", "--out", filepath.Join(home, ".local", "share", "memscribe", "nodes.db"))
	return work
}

// runAs runs a program in a home of its own.
func runAs(t *testing.T, home, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir()}, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// ear is a model that listens, and says "ok".
type ear struct {
	url string

	mu   sync.Mutex
	said strings.Builder
}

func newEar(t *testing.T) *ear {
	t.Helper()
	e := new(ear)
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

func (e *ear) heard() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.said.String()
}

func (e *ear) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // of half a request the half counts
	e.mu.Lock()
	e.said.Write(body)
	e.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	type object = map[string]any
	send := func(events ...object) {
		for _, v := range events {
			text, _ := json.Marshal(v)
			_, _ = io.WriteString(w, "event: "+v["type"].(string)+"\ndata: "+string(text)+"\n\n")
		}
	}
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/messages"):
		send(
			object{"type": "message_start", "message": object{"id": "m", "type": "message", "role": "assistant", "model": "x", "content": []any{}, "usage": object{"input_tokens": 1, "output_tokens": 1}}},
			object{"type": "content_block_start", "index": 0, "content_block": object{"type": "text", "text": ""}},
			object{"type": "content_block_delta", "index": 0, "delta": object{"type": "text_delta", "text": "ok"}},
			object{"type": "content_block_stop", "index": 0},
			object{"type": "message_delta", "delta": object{"stop_reason": "end_turn"}, "usage": object{"output_tokens": 1}},
			object{"type": "message_stop"},
		)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/responses"):
		send(
			object{"type": "response.created", "response": object{"id": "r"}},
			object{"type": "response.output_item.done", "output_index": 0, "item": object{"type": "message", "role": "assistant", "id": "m", "content": []any{object{"type": "output_text", "text": "ok"}}}},
			object{"type": "response.completed", "response": object{"id": "r", "usage": object{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}},
		)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, ":streamGenerateContent"):
		_, _ = io.WriteString(w, `data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"ok"}]},"finishReason":"STOP"}]}`+"\n\n")
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
		_, _ = io.WriteString(w, `data: {"id":"c","object":"chat.completion.chunk","model":"x","choices":[{"index":0,"delta":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	default:
		http.NotFound(w, r)
	}
}
