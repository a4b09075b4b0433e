// Package hooks parses what tools pass to their hooks.
//
// A payload comes as a line of the journal (see [Schema]) or, bare, as the tool
// wrote it. What the payloads of which tool hold, and on what evidence that is
// known, is in docs/hooks.md.
//
// Nearly every tool that has hooks also keeps a transcript, and the transcript is
// the better witness: it has the ids, the order and what no hook receives. The
// events of such a tool are echoes (see [core.Event]): they keep what was said and
// done, and leave nodes to the transcript. Windsurf's store cannot be read, and
// a payload of Codex may say that there is no transcript; then the hooks are all
// there is.
package hooks

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Schema marks a line of the journal that holds a payload:
//
//	{"schema":"memscribe.hook/v1","tool":"codex","received":"…","payload":{…}}
const Schema = "memscribe.hook/v1"

// Unnamed stands for a tool that neither the hook's command line nor its payload
// names.
const Unnamed core.Tool = "unknown"

// Adapter reads the payloads of one tool's hooks.
type Adapter struct{ tool core.Tool }

// Of returns the adapter of a tool's hooks.
func Of(tool core.Tool) Adapter { return Adapter{tool} }

// Tool names the tool whose hooks these are.
func (a Adapter) Tool() core.Tool { return a.tool }

// Places are none: what hooks bring lies in the journal.
func (Adapter) Places() []core.Place { return nil }

// NewParser returns a parser for one segment of the journal, or for payloads
// that follow each other.
func (a Adapter) NewParser(core.StreamInfo) core.Parser {
	return mcpedits.Edits(&parser{Base: stream.Base{Kinds: stream.NewTable(a.Kinds())}, tool: a.tool}, new(edit.Files))
}

// Detect judges whether a file holds payloads of this tool.
func (a Adapter) Detect(s core.Sample) core.Fit {
	if found, fit := Detect(s); found.Tool() == a.tool {
		return fit
	}
	return core.NoFit
}

// Detect finds out whose hooks' payloads a file holds, if any, by its first line.
func Detect(s core.Sample) (Adapter, core.Fit) {
	v := stream.FirstLine(s)
	if !v.Exists() {
		line, _, _ := bytes.Cut(s.Head, []byte("\n"))
		return detectCut(bytes.TrimSpace(line))
	}
	if v.Get("schema").Is(Schema) {
		return Adapter{named(v.Get("tool").Str())}, core.NativeFit
	}
	if !isPayload(v) {
		return Adapter{}, core.NoFit
	}
	tool, _ := ToolOf(v)
	return Adapter{named(string(tool))}, core.NativeFit
}

// detectCut judges the beginning of a line that is longer than a sample.
func detectCut(line []byte) (Adapter, core.Fit) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"schema":"`+Schema+`","tool":"`))
	if ok {
		tool, _, _ := bytes.Cut(rest, []byte(`"`))
		return Adapter{named(string(tool))}, core.NativeFit
	}
	if !bytes.HasPrefix(line, []byte(`{"session_id":"`)) || !bytes.Contains(line, []byte(`"hook_event_name":"`)) {
		return Adapter{}, core.NoFit
	}
	head := line[:min(len(line), 4<<10)]
	for _, at := range homes() {
		if bytes.Contains(head, []byte(at.below)) {
			return Adapter{at.tool}, core.NativeFit
		}
	}
	return Adapter{Unnamed}, core.ShapeFit
}

// named is the tool that a line says it is of. It is a word in small letters.
func named(tool string) core.Tool {
	for i := range len(tool) {
		c := tool[i]
		if (c < 'a' || c > 'z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return Unnamed
		}
	}
	if tool == "" {
		return Unnamed
	}
	return core.Tool(tool)
}

// isPayload tells a bare payload from a record of a transcript.
func isPayload(v jsondoc.Value) bool {
	switch {
	case v.Get("agent_action_name").Kind() == jsondoc.String:
		return v.Get("trajectory_id").Exists()
	case v.Get("type").Is("agent-turn-complete"):
		return v.Get("turn-id").Exists()
	}
	event := v.Get("hook_event_name")
	return event.Kind() == jsondoc.String && (v.Get("session_id").Exists() || v.Get("conversation_id").Exists())
}

// home is a folder by which a path names the tool.
type home struct {
	below string
	tool  core.Tool
}

func homes() []home {
	return []home{
		{"/.claude/", core.ClaudeCode},
		{"/.codex/", core.Codex},
		{"/.gemini/", core.Gemini},
		{"/.qwen/", core.Qwen},
		{"/.copilot/", core.Copilot},
		{"/.cursor/", core.Cursor},
		{"/GitHub.copilot-chat/", core.VSCode},
	}
}

// ToolOf says whose hook a payload was passed to. Several tools run the hooks
// that another one's settings name, so that a payload that is sure of itself
// knows better than the command line.
func ToolOf(payload jsondoc.Value) (tool core.Tool, sure bool) {
	switch {
	case payload.Get("agent_action_name").Exists():
		return core.Windsurf, true
	case payload.Get("cursor_version").Exists(),
		payload.Get("conversation_id").Exists() && payload.Get("generation_id").Exists():
		return core.Cursor, true
	case payload.Get("type").Is("agent-turn-complete"):
		return core.Codex, true
	}
	for _, key := range []string{"transcript_path", "transcriptPath", "agent_transcript_path"} {
		path := strings.ReplaceAll(payload.Get(key).Str(), `\`, "/")
		for _, at := range homes() {
			if strings.Contains(path, at.below) {
				return at.tool, true
			}
		}
	}
	switch {
	case payload.Get("sessionId").Exists() && !payload.Get("session_id").Exists():
		return core.Copilot, false
	case payload.Get("tool_result").Exists():
		return core.Copilot, false
	case payload.Get("tool_call_id").Exists():
		return core.Qwen, false
	case payload.Get("turn_id").Exists():
		return core.Codex, false
	case isGeminis(payload.Get("hook_event_name").Str()):
		return core.Gemini, false
	case payload.Get("hook_event_name").Exists() && !payload.Get("timestamp").Exists():
		return core.ClaudeCode, false
	}
	return "", false
}

// isGeminis reports whether only Gemini CLI has a hook of that name.
func isGeminis(event string) bool {
	switch event {
	case "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "BeforeToolSelection", "PreCompress":
		return true
	}
	return false
}
