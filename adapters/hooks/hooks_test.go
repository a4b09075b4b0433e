package hooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/adapters/hooks"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/encode"
	"github.com/memscribe/memscribe/core/jsondoc"
	"github.com/memscribe/memscribe/testkit/adaptertest"
)

// shared is the folder of recorded transcripts, beside the repository.
const shared = "../../../shared"

// read reads payloads as one stream, as if their sessions had no transcripts, and
// returns what a sink would hold. It shows each event to f.
func read(t testing.TB, data []byte, f func(*core.Event)) map[string]*core.Node {
	t.Helper()
	a, fit := hooks.Detect(core.Sample{Path: "x.jsonl", Head: data})
	if fit == core.NoFit {
		a = hooks.Of(hooks.Unnamed)
	}
	return adaptertest.Pushed(t, a, data, f)
}

// tale writes down what events tell, one a line.
func tale(t testing.TB, data []byte) string {
	t.Helper()
	var b strings.Builder
	read(t, data, func(ev *core.Event) {
		fmt.Fprintf(&b, "%s", ev.Name())
		switch body := ev.Body.(type) {
		case *core.UserTurn:
			fmt.Fprintf(&b, " %q", body.Text.String())
		case *core.AssistantTurn:
			fmt.Fprintf(&b, " %q", body.Text.String()+body.Thinking.String())
		case *core.ToolCall:
			fmt.Fprintf(&b, " %s", body.Name)
		case *core.ToolResult:
			fmt.Fprintf(&b, " ok=%t", body.OK)
		case *core.FileEdit:
			fmt.Fprintf(&b, " %s %s +%d -%d", body.Diff.Change, body.Diff.Path, body.Diff.Added, body.Diff.Removed)
		case *core.SessionEnd:
			fmt.Fprintf(&b, " %s", body.Reason)
		case *core.Unknown:
			fmt.Fprintf(&b, " %s bookkeeping=%t", body.RawType, body.Bookkeeping)
		}
		if ev.Injected {
			b.WriteString(" injected")
		}
		if ev.Echo {
			b.WriteString(" echo")
		}
		b.WriteByte('\n')
	})
	return b.String()
}

func TestPayloads(t *testing.T) {
	const claude = `"session_id":"s","transcript_path":"/h/.claude/projects/-w/s.jsonl","cwd":"/w"`
	tests := []struct{ name, payloads, want string }{
		{
			"Claude Code: a prompt, an edit, an end",
			`{` + claude + `,"hook_event_name":"UserPromptSubmit","prompt":"Use Postgres."}
{` + claude + `,"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/w/a"},"tool_use_id":"c1"}
{` + claude + `,"hook_event_name":"PostToolUse","tool_name":"Edit","tool_input":{"file_path":"/w/a"},"tool_use_id":"c1","tool_response":{"filePath":"/w/a","oldString":"1","newString":"2","originalFile":"1\n","replaceAll":false}}
{` + claude + `,"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{},"tool_use_id":"c2","error":"Exit code 1"}
{` + claude + `,"hook_event_name":"NeverHeardOf"}
{` + claude + `,"hook_event_name":"SessionEnd","reason":"other"}
`,
			`user_turn "Use Postgres." echo
tool_call Edit echo
tool_result ok=true echo
file_edit modify /w/a +1 -1 echo
tool_call Bash echo
tool_result ok=false echo
unknown NeverHeardOf bookkeeping=false echo
session_end other echo
`,
		},
		{
			"Codex: a patch of two files, one that failed, a session without a transcript",
			`{"session_id":"s","turn_id":"t","transcript_path":null,"cwd":"/w","hook_event_name":"PostToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** Add File: b\n+x\n*** End Patch"},"tool_response":"Exit code: 0\nOutput:\nSuccess. Updated the following files:\nM a\nA b\n","tool_use_id":"c1"}
{"session_id":"s","turn_id":"t","transcript_path":"/h/.codex/sessions/r.jsonl","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** End Patch"},"tool_response":"Exit code: 1\nOutput:\nFailed to find expected lines","tool_use_id":"c2"}
`,
			`tool_call apply_patch
tool_result ok=true
file_edit modify /w/a +1 -1
file_edit create /w/b +1 -0
tool_call apply_patch echo
tool_result ok=false echo
`,
		},
		{
			"Windsurf: nothing else can be read",
			`{"agent_action_name":"pre_user_prompt","trajectory_id":"t","execution_id":"e1","timestamp":"2026-01-01T00:00:00Z","model_name":"m","tool_info":{"user_prompt":"Use Postgres."}}
{"agent_action_name":"post_write_code","trajectory_id":"t","execution_id":"e2","timestamp":"2026-01-01T00:00:01Z","model_name":"m","tool_info":{"file_path":"/w/a","edits":[{"old_string":"1","new_string":"2"},{"old_string":"3\n4\n","new_string":""}]}}
{"agent_action_name":"post_cascade_response","trajectory_id":"t","execution_id":"e3","timestamp":"2026-01-01T00:00:02Z","model_name":"m","tool_info":{"response":"Done."}}
`,
			`user_turn "Use Postgres."
tool_call post_write_code
tool_result ok=true
file_edit modify /w/a +1 -3
assistant_turn "Done."
`,
		},
		{
			"Cursor",
			`{"conversation_id":"c","generation_id":"g","model":"m","hook_event_name":"beforeSubmitPrompt","cursor_version":"2","workspace_roots":["/w"],"prompt":"Hi","attachments":[]}
{"conversation_id":"c","generation_id":"g","model":"m","hook_event_name":"afterFileEdit","cursor_version":"2","workspace_roots":["/w"],"file_path":"/w/n","edits":[{"old_string":"","new_string":"x\n"}]}
{"conversation_id":"c","generation_id":"g","model":"m","hook_event_name":"stop","cursor_version":"2","workspace_roots":["/w"],"status":"completed","loop_count":0}
`,
			`user_turn "Hi" echo
tool_call afterFileEdit echo
tool_result ok=true echo
file_edit write /w/n +1 -0 echo
unknown stop bookkeeping=true echo
`,
		},
		{
			"Copilot CLI",
			`{"schema":"memscribe.hook/v1","tool":"copilot","received":"2026-01-01T00:00:00.000Z","payload":{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/w","tool_name":"edit","tool_input":{"path":"a","old_str":"1","new_str":"2"}}}
{"schema":"memscribe.hook/v1","tool":"copilot","received":"2026-01-01T00:00:00.000Z","payload":{"hook_event_name":"PostToolUse","session_id":"s","timestamp":"2026-01-01T00:00:01Z","cwd":"/w","tool_name":"edit","tool_input":{"path":"a","old_str":"1","new_str":"2"},"tool_result":{"result_type":"success","text_result_for_llm":"ok"}}}
{"schema":"memscribe.hook/v1","tool":"copilot","received":"2026-01-01T00:00:00.000Z","payload":{"hook_event_name":"PostToolUse","session_id":"s","timestamp":"2026-01-01T00:00:02Z","cwd":"/w","tool_name":"edit","tool_input":{"path":"a","old_str":"1","new_str":"2"},"tool_result":{"result_type":"denied","text_result_for_llm":"no"}}}
`,
			`tool_call edit echo
tool_result ok=true echo
file_edit modify /w/a +1 -1 echo
tool_call edit echo
tool_result ok=false echo
`,
		},
		{
			"what is no payload is kept",
			`{"schema":"memscribe.hook/v1","tool":"windsurf","received":"2026-01-01T00:00:00.000Z","text":"garbage"}
not JSON
`,
			"unknown  bookkeeping=false\nunknown  bookkeeping=false\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tale(t, []byte(tt.payloads))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestCallsWithoutIDs pairs the first result with the first of equal calls.
func TestCallsWithoutIDs(t *testing.T) {
	const head = `{"session_id":"s","transcript_path":"/h/.gemini/tmp/x.jsonl","cwd":"/w","timestamp":"2026-01-01T00:00:00Z","tool_name":"read_file","tool_input":{"file_path":"/w/a"},"hook_event_name":`
	var ids []string
	data := strings.Repeat(head+"\"BeforeTool\"}\n", 2) + strings.Repeat(head+`"AfterTool","tool_response":{"llmContent":"x"}}`+"\n", 3)
	read(t, []byte(data), func(ev *core.Event) {
		switch b := ev.Body.(type) {
		case *core.ToolCall:
			ids = append(ids, b.CallID)
		case *core.ToolResult:
			ids = append(ids, b.CallID)
		}
	})
	if len(ids) != 6 || ids[0] != ids[2] || ids[1] != ids[3] || ids[0] == ids[1] || ids[4] == ids[3] || ids[4] != ids[5] {
		t.Errorf("got %q", ids)
	}
}

func TestToolOf(t *testing.T) {
	tests := []struct {
		payload string
		tool    core.Tool
		sure    bool
	}{
		{`{"transcript_path":"C:\\Users\\x\\.claude\\projects\\w\\s.jsonl","hook_event_name":"Stop"}`, core.ClaudeCode, true},
		{`{"transcript_path":"/h/.qwen/x.jsonl","hook_event_name":"Stop"}`, core.Qwen, true},
		{`{"conversation_id":"c","generation_id":"g","hook_event_name":"stop"}`, core.Cursor, true},
		{`{"agent_action_name":"pre_user_prompt"}`, core.Windsurf, true},
		{`{"type":"agent-turn-complete","thread-id":"t"}`, core.Codex, true},
		{`{"sessionId":"s","toolName":"edit"}`, core.Copilot, false},
		{`{"session_id":"s","turn_id":"t","transcript_path":null,"hook_event_name":"Stop"}`, core.Codex, false},
		{`{"session_id":"s","hook_event_name":"AfterTool"}`, core.Gemini, false},
		{`{"session_id":"s","hook_event_name":"Stop"}`, core.ClaudeCode, false},
		{`{"session_id":"s","timestamp":"x","hook_event_name":"Stop"}`, "", false},
		{`7`, "", false},
	}
	for _, tt := range tests {
		var doc jsondoc.Doc
		if _, err := doc.Parse([]byte(tt.payload)); err != nil {
			t.Fatal(err)
		}
		if tool, sure := hooks.ToolOf(doc.Root()); tool != tt.tool || sure != tt.sure {
			t.Errorf("%s: got %q, %t", tt.payload, tool, sure)
		}
	}
}

func TestDetect(t *testing.T) {
	long := strings.Repeat("x", 70<<10)
	tests := []struct {
		head string
		tool core.Tool
		fit  core.Fit
	}{
		{`{"schema":"memscribe.hook/v1","tool":"codex","received":"x","payload":{}}`, core.Codex, core.NativeFit},
		{`{"schema":"memscribe.hook/v1","tool":"","received":"x","payload":{}}`, hooks.Unnamed, core.NativeFit},
		{`{"schema":"memscribe.hook/v1","tool":"../a B","received":"x","payload":{}}`, hooks.Unnamed, core.NativeFit},
		{`{"schema":"memscribe.hook/v1","tool":"gemini","received":"x","payload":{"a":"` + long, core.Gemini, core.NativeFit},
		{`{"session_id":"s","transcript_path":"/h/.codex/r.jsonl","hook_event_name":"Stop","x":"` + long, core.Codex, core.NativeFit},
		{`{"session_id":"s","hook_event_name":"Stop"}`, core.ClaudeCode, core.NativeFit},
		{`{"type":"user","uuid":"u","sessionId":"s","message":{}}`, "", core.NoFit},
		{`{"type":"attachment","hook_event_name":"Stop"}`, "", core.NoFit},
		{`text`, "", core.NoFit},
	}
	for _, tt := range tests {
		a, fit := hooks.Detect(core.Sample{Head: []byte(tt.head)})
		if fit != tt.fit || a.Tool() != tt.tool {
			t.Errorf("%.80s: got %q, %d", tt.head, a.Tool(), fit)
		}
		if fit != core.NoFit && hooks.Of(tt.tool).Detect(core.Sample{Head: []byte(tt.head)}) != fit {
			t.Errorf("%.80s: its own adapter does not know it", tt.head)
		}
	}
}

// truth is what is known to have happened in a recorded run.
type truth struct {
	Prompts []struct {
		Text string `json:"text"`
	} `json:"prompts"`
	Edits []struct {
		Path    string `json:"path"`
		Applied bool   `json:"applied"`
		Shell   bool   `json:"shell"`
	} `json:"edits"`
}

// TestRecordings holds what the hooks of recorded runs told to what happened in
// them: the edits that were applied by tools, each once, and what was typed.
func TestRecordings(t *testing.T) {
	runs, _ := filepath.Glob(filepath.Join(shared, "transcripts/hooks/*/*/*"))
	if len(runs) == 0 {
		t.Skipf("no recordings at %s", shared)
	}
	for _, dir := range runs {
		rel, _ := filepath.Rel(filepath.Join(shared, "transcripts/hooks"), dir)
		known, err := os.ReadFile(filepath.Join(shared, "transcripts", rel, "truth.json"))
		payloads, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		if err != nil || len(payloads) == 0 {
			continue // Codex before it had hooks: it only notifies
		}
		t.Run(rel, func(t *testing.T) {
			var want truth
			if err := json.Unmarshal(known, &want); err != nil {
				t.Fatal(err)
			}
			var edited, applied, typed []string
			slices.Sort(payloads) // their names begin with the time
			var data []byte
			for _, p := range payloads {
				b, err := os.ReadFile(p)
				if err != nil {
					t.Fatal(err)
				}
				data = append(append(data, bytes.TrimSpace(b)...), '\n')
			}
			nodes := read(t, data, func(ev *core.Event) {
				if u, ok := ev.Body.(*core.UserTurn); ok && !ev.Injected {
					typed = append(typed, u.Text.String())
				}
				if u, ok := ev.Body.(*core.Unknown); ok && !u.Bookkeeping {
					t.Errorf("nobody has described %s", u.RawType)
				}
			})
			for _, n := range nodes {
				if e, ok := n.Body.(*core.Episode); ok {
					edited = append(edited, e.Diff.Path[strings.Index(e.Diff.Path, "orders-service/")+len("orders-service/"):])
				}
			}
			for _, e := range want.Edits {
				if e.Applied && !e.Shell {
					applied = append(applied, e.Path)
				}
			}
			slices.Sort(edited)
			slices.Sort(applied)
			if diff := cmp.Diff(applied, edited); diff != "" {
				t.Errorf("edits (-happened +told):\n%s", diff)
			}
			var prompts []string
			for _, p := range want.Prompts {
				prompts = append(prompts, p.Text)
			}
			if diff := cmp.Diff(prompts, typed); diff != "" {
				t.Errorf("prompts (-typed +told):\n%s", diff)
			}
		})
	}
}

// FuzzParse reads anything at all as payloads: none is lost, none breaks the
// parser, and reading twice gives the same.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.jsonl")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			f.Add(line)
		}
	}
	f.Add([]byte(`{"agent_action_name":"post_write_code","trajectory_id":"t","tool_info":{"file_path":"a","edits":[{"old_string":"a","new_string":"b"},{}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if first := parsed(t, data); parsed(t, data) != first {
			t.Error("read twice, it differs")
		}
	})
}

// parsed reads lines with the parser alone and writes down its events.
func parsed(t *testing.T, data []byte) string {
	t.Helper()
	a, fit := hooks.Detect(core.Sample{Path: "x.jsonl", Head: data})
	if fit == core.NoFit {
		a = hooks.Of(hooks.Unnamed)
	}
	p := a.NewParser(core.StreamInfo{})
	var (
		enc encode.Encoder
		doc jsondoc.Doc
		out []byte
		seq uint64
	)
	for line := range bytes.Lines(data) {
		line = bytes.Trim(line, " \t\r\n\x00")
		if len(line) == 0 {
			continue
		}
		rec := core.Record{Bytes: line, Doc: &doc}
		if n, err := doc.Parse(line); err != nil || n != len(line) {
			rec.Doc, rec.Err = nil, err
		}
		before := seq
		p.Parse(rec, func(ev *core.Event) {
			ev.Seq = seq
			seq++
			var err error
			if out, err = enc.Event(out, ev); err != nil {
				t.Fatal(err)
			}
		})
		if seq == before {
			t.Errorf("no event for %q", line)
		}
	}
	return string(out)
}
