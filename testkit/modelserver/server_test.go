package modelserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memscribe/memscribe/testkit/script"
)

// agent is the least that an agent does, in one of the APIs: it asks, does what
// the answer calls for, and asks again with that in the conversation.
type agent struct {
	t       *testing.T
	history []object
	url     string
	api     api
}

type api struct {
	path  string
	ask   func(history []object) object
	says  func(role, text string) object
	heard func(events []object) (said string, calls []asked)
	// answered is what the agent adds for the calls of an answer and their results.
	answered func(calls []asked) []object
}

type asked struct {
	id, name string
	raw      string // its input
	result   string
	failed   bool
}

// perCall is for an API with messages for each call.
func perCall(one func(c asked) []object) func(calls []asked) []object {
	return func(calls []asked) []object {
		var all []object
		for _, c := range calls {
			all = append(all, one(c)...)
		}
		return all
	}
}

// post asks, and returns the status and the events of the answer.
func (a *agent) post(v any) (status int, events []object) {
	a.t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		a.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(a.t.Context(), http.MethodPost, a.url+a.api.path, bytes.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		var ev object
		if ok && json.Unmarshal([]byte(text), &ev) == nil {
			events = append(events, ev)
		}
	}
	return resp.StatusCode, events
}

// turn works on a prompt until the model calls for nothing, and returns all that
// it said.
func (a *agent) turn(prompt string, do func(asked) (text string, failed bool)) string {
	a.t.Helper()
	a.history = append(a.history, a.api.says("user", prompt))
	var said []string
	for range 20 {
		status, events := a.post(a.api.ask(a.history))
		if status != http.StatusOK {
			said = append(said, http.StatusText(status))
			continue
		}
		text, calls := a.api.heard(events)
		said = append(said, text)
		if len(calls) == 0 {
			return strings.Join(said, "|")
		}
		for i := range calls {
			calls[i].result, calls[i].failed = do(calls[i])
		}
		a.history = append(a.history, a.api.answered(calls)...)
	}
	a.t.Fatalf("the model never ends: %q", said)
	return ""
}

func schema(names ...string) object {
	p := object{}
	for _, n := range names {
		p[n] = object{"type": "string"}
	}
	return object{"type": "object", "properties": p}
}

func inner(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			list, _ := v.([]any)
			if p >= len(list) {
				return nil
			}
			v = list[p]
		}
	}
	return v
}

func str(v any) string { s, _ := v.(string); return s }

func decoded(raw string) map[string]any {
	var in map[string]any
	_ = json.Unmarshal([]byte(raw), &in)
	return in
}

func functions() []object {
	return []object{
		{"name": "read_file", "parameters": schema("absolute_path")},
		{"name": "write_file", "parameters": schema("file_path", "content")},
		{"name": "edit", "parameters": schema("file_path", "old_string", "new_string")},
	}
}

func anthropicAPI() api {
	return api{
		path: "/v1/messages",
		ask: func(history []object) object {
			return object{"model": "m", "stream": true, "messages": history, "tools": []object{
				{"name": "Read", "input_schema": schema("file_path")},
				{"name": "Write", "input_schema": schema("file_path", "content")},
				{"name": "Edit", "input_schema": schema("file_path", "old_string", "new_string")},
				{"name": "Bash", "input_schema": schema("command", "description")},
			}}
		},
		says: func(role, text string) object { return object{"role": role, "content": text} },
		heard: func(events []object) (said string, calls []asked) {
			for _, e := range events {
				switch e["type"] {
				case "content_block_start":
					if b := inner(e, "content_block"); inner(b, "type") == "tool_use" {
						calls = append(calls, asked{id: str(inner(b, "id")), name: str(inner(b, "name"))})
					}
				case "content_block_delta":
					said += str(inner(e, "delta", "text"))
					if part := str(inner(e, "delta", "partial_json")); part != "" {
						calls[len(calls)-1].raw += part
					}
				}
			}
			return said, calls
		},
		answered: perCall(func(c asked) []object {
			return []object{
				{"role": "assistant", "content": []object{{"type": "tool_use", "id": c.id, "name": c.name, "input": decoded(c.raw)}}},
				{"role": "user", "content": []object{{"type": "tool_result", "tool_use_id": c.id, "is_error": c.failed, "content": c.result}}},
			}
		}),
	}
}

func chatAPI() api {
	return api{
		path: "/v1/chat/completions",
		ask: func(history []object) object {
			var tools []object
			for _, f := range functions() {
				tools = append(tools, object{"type": "function", "function": f})
			}
			return object{"model": "m", "stream": true, "messages": history, "tools": tools}
		},
		says: func(role, text string) object { return object{"role": role, "content": text} },
		heard: func(events []object) (said string, calls []asked) {
			for _, e := range events {
				delta := inner(e, "choices", 0, "delta")
				said += str(inner(delta, "content"))
				call := inner(delta, "tool_calls", 0)
				if id := str(inner(call, "id")); id != "" {
					calls = append(calls, asked{id: id, name: str(inner(call, "function", "name"))})
				}
				if call != nil {
					calls[len(calls)-1].raw += str(inner(call, "function", "arguments"))
				}
			}
			return said, calls
		},
		answered: perCall(func(c asked) []object {
			text := c.result
			if c.failed {
				text = "Error: " + text
			}
			return []object{
				{"role": "assistant", "tool_calls": []object{{"id": c.id, "function": object{"name": c.name, "arguments": c.raw}}}},
				{"role": "tool", "tool_call_id": c.id, "content": text},
			}
		}),
	}
}

func geminiAPI() api {
	return api{
		path: "/v1beta/models/m:streamGenerateContent",
		ask: func(history []object) object {
			return object{"contents": history, "tools": []object{{"functionDeclarations": functions()}}}
		},
		says: func(role, text string) object { return object{"role": role, "parts": []object{{"text": text}}} },
		heard: func(events []object) (said string, calls []asked) {
			for _, e := range events {
				part := inner(e, "candidates", 0, "content", "parts", 0)
				if inner(part, "thought") != true {
					said += str(inner(part, "text"))
				}
				if f := inner(part, "functionCall"); f != nil {
					raw, _ := json.Marshal(inner(f, "args"))
					calls = append(calls, asked{name: str(inner(f, "name")), raw: string(raw)})
				}
			}
			return said, calls
		},
		answered: func(calls []asked) []object {
			var asked, results []object
			for _, c := range calls {
				key := "output"
				if c.failed {
					key = "error"
				}
				asked = append(asked, object{"functionCall": object{"name": c.name, "args": decoded(c.raw)}})
				results = append(results, object{"functionResponse": object{"name": c.name, "response": object{key: c.result}}})
			}
			return []object{{"role": "model", "parts": asked}, {"role": "user", "parts": results}}
		},
	}
}

func responsesAPI() api {
	return api{
		path: "/v1/responses",
		ask: func(history []object) object {
			return object{"model": "m", "stream": true, "input": history, "tools": []object{
				{"type": "function", "name": "shell", "parameters": schema("command")},
				{"type": "custom", "name": "apply_patch"},
			}}
		},
		says: func(role, text string) object {
			return object{"type": "message", "role": role, "content": []object{{"type": "input_text", "text": text}}}
		},
		heard: func(events []object) (said string, calls []asked) {
			for _, e := range events {
				said += str(e["delta"])
				if id := str(inner(e, "item", "call_id")); id != "" && e["type"] == "response.output_item.done" {
					calls = append(calls, asked{id: id, name: str(inner(e, "item", "name")), raw: str(inner(e, "item", "arguments")) + str(inner(e, "item", "input"))})
				}
			}
			return said, calls
		},
		answered: perCall(func(c asked) []object {
			return []object{
				{"type": "custom_tool_call", "call_id": c.id, "name": c.name, "input": c.raw},
				{"type": "custom_tool_call_output", "call_id": c.id, "output": fmt.Sprintf("Exit code: %d\n%s", map[bool]int{true: 1}[c.failed], c.result)},
			}
		}),
	}
}

func apis() map[string]api {
	return map[string]api{"messages": anthropicAPI(), "responses": responsesAPI(), "chat": chatAPI(), "gemini": geminiAPI()}
}

// begin starts a server of a scenario in a work tree of its own.
func begin(t *testing.T, name string, a api) (*Server, *agent, *script.Scenario, string) {
	t.Helper()
	s, err := script.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	tree, err := s.WorkTree()
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range tree {
		file := filepath.Join(work, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	server := New(s, work, "seed")
	h := httptest.NewServer(server)
	t.Cleanup(h.Close)
	return server, &agent{t: t, url: h.URL, api: a}, s, work
}

// TestEveryAPIPlaysTheScript: whatever the API, a tool is asked for the same, and
// what it changes is seen.
func TestEveryAPIPlaysTheScript(t *testing.T) {
	for name, a := range apis() {
		t.Run(name, func(t *testing.T) {
			server, agent, s, work := begin(t, "happy_path", a)
			said := agent.turn(s.Turns[0].Prompt, func(c asked) (string, bool) {
				for _, path := range []string{"src/db.js", "src/config.js"} {
					if strings.Contains(c.raw, path) && !strings.Contains(strings.ToLower(c.name), "read") && c.name != "shell" {
						if err := os.WriteFile(filepath.Join(work, path), []byte(c.raw), 0o644); err != nil {
							t.Fatal(err)
						}
					}
				}
				return "done", false
			})
			steps := s.Turns[0].Steps
			if last := steps[len(steps)-1]; !strings.HasSuffix(said, last[0].Text) || !strings.Contains(said, steps[1][0].Text) {
				t.Errorf("it said %q", said)
			}
			if err := server.Await(t.Context(), script.Moment{Step: 3}); err != nil {
				t.Error(err)
			}
			log, err := server.Log()
			if err != nil {
				t.Fatal(err)
			}
			var changed []string
			for i := range log.Calls {
				c := &log.Calls[i]
				if !c.Answered || c.Failed {
					t.Errorf("call %s of %s: answered %t, failed %t", c.ID, c.Tool, c.Answered, c.Failed)
				}
				for _, p := range c.Paths {
					if c.Changed(p) {
						changed = append(changed, p)
					}
				}
			}
			if got := strings.Join(changed, " "); got != "src/db.js src/config.js" || len(log.Calls) != 4 || len(log.Starts) != 1 {
				t.Errorf("changed: %s; %d calls, %d turns", got, len(log.Calls), len(log.Starts))
			}
		})
	}
}

// TestFailuresAreSeen: that a call failed is told to the server in each API's way.
func TestFailuresAreSeen(t *testing.T) {
	for name, a := range apis() {
		t.Run(name, func(t *testing.T) {
			server, agent, s, _ := begin(t, "tool_failure", a)
			agent.turn(s.Turns[0].Prompt, func(asked) (string, bool) { return "no such thing", true })
			log, err := server.Log()
			if err != nil {
				t.Fatal(err)
			}
			for i := range log.Calls {
				if c := &log.Calls[i]; !c.Failed || len(c.Paths) > 0 && c.Changed(c.Paths[0]) {
					t.Errorf("call of %s: failed %t", c.Tool, c.Failed)
				}
			}
			if len(log.Calls) < 4 {
				t.Errorf("%d calls", len(log.Calls))
			}
		})
	}
}

// TestStepsLeftOut: a step for which the tool has no words is left out once, also where
// nothing but the number of calls tells how far a conversation is.
func TestStepsLeftOut(t *testing.T) {
	for name, a := range apis() {
		t.Run(name, func(t *testing.T) {
			server, agent, s, _ := begin(t, "notebook_cells", a)
			agent.turn(s.Turns[0].Prompt, func(asked) (string, bool) { return "done", false })
			log, err := server.Log()
			if err != nil {
				t.Fatal(err)
			}
			played := map[int]int{}
			for i := range log.Calls {
				played[log.Calls[i].Step]++
			}
			for step, times := range played {
				if times > 1 {
					t.Errorf("step %d is played %d times", step, times)
				}
			}
			if len(played) < 3 {
				t.Errorf("%d steps with calls", len(played))
			}
		})
	}
}

// TestRefusedAsScripted: a refused request is played again, and refused no more
// often than the script says; a step is found again after the tool ended.
func TestRefusedAsScripted(t *testing.T) {
	server, agent, s, _ := begin(t, "api_error", anthropicAPI())
	agent.history = append(agent.history, agent.api.says("user", s.Turns[0].Prompt))
	status, _ := agent.post(agent.api.ask(agent.history))
	if status != 529 {
		t.Errorf("the status of the first answer is %d", status)
	}
	for range 2 { // the same question has the same answer
		_, events := agent.post(agent.api.ask(agent.history))
		if _, calls := agent.api.heard(events); len(calls) != 1 || calls[0].name != "Read" {
			t.Errorf("calls are %v", calls)
		}
	}
	if log, err := server.Log(); err != nil || len(log.Calls) != 2 || log.Calls[0].Answered {
		t.Errorf("log is %+v, %v", log, err)
	}
}

func TestSummaryAndAsides(t *testing.T) {
	server, agent, _, _ := begin(t, "compaction", anthropicAPI())
	ask := func(text string, tools bool) string {
		req := agent.api.ask([]object{agent.api.says("user", text)})
		if !tools {
			delete(req, "tools")
		}
		_, events := agent.post(req)
		said, _ := agent.api.heard(events)
		return said
	}
	if got := ask("Your task is to create a detailed summary of it", true); got != summary {
		t.Errorf("summary is %q", got)
	}
	req := agent.api.ask([]object{agent.api.says("user", "Your task is to create a detailed summary of it"), agent.api.says("system", "15000000 tokens left")})
	if got, _ := agent.api.heard(second(agent.post(req))); got != summary {
		t.Errorf("before a note of the client, the summary is %q", got)
	}
	if got := ask("Write a title for this", false); got != title {
		t.Errorf("title is %q", got)
	}
	if got := ask("Nothing of the script", true); got != "OK." {
		t.Errorf("to a stranger it says %q", got)
	}
	if log, err := server.Log(); err != nil || log.Compactions != 2 {
		t.Errorf("log is %+v, %v", log, err)
	}
}

func second[A, B any](_ A, b B) B { return b }

// TestNothingPastLoopback: as a proxy, the server refuses and remembers.
func TestNothingPastLoopback(t *testing.T) {
	server, agent, _, _ := begin(t, "ban", anthropicAPI())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodConnect, agent.url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "example.com:443"
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("answer is %s", resp.Status)
	}
	if log, err := server.Log(); err != nil || len(log.Outside) != 1 || log.Outside[0] != "example.com:443" {
		t.Errorf("log is %+v, %v", log, err)
	}
}

func TestAwaitEnds(t *testing.T) {
	server, _, _, _ := begin(t, "ban", anthropicAPI())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := server.Await(ctx, script.Moment{}); err == nil {
		t.Error("a step was played that was not")
	}
}

func TestHunk(t *testing.T) {
	got := strings.Join(hunk("a\nb\nc\n", "a\nx\nc\n"), "\n")
	if want := "@@\n a\n-b\n+x\n c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
