package hooks

import (
	"cmp"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/pending"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the payloads of one tool's hooks.
type parser struct {
	stream.Base

	tool core.Tool
	open open
	told pending.Calls[string, struct{}] // the calls that a hook announced before they were made
	file google.Files

	// The payload that is being read.
	root  jsondoc.Value
	event string
	cwd   string
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.Session, p.Thread, p.Echo = "", "", p.hasTranscript(jsondoc.Value{})
	v, ok := p.Begin(rec, emit)
	if !ok {
		return
	}
	if !v.Get("schema").Is(Schema) {
		p.read(v, core.Time{})
		return
	}
	p.Time = core.ParseTime(v.Get("received").Str())
	if body := v.Get("payload"); body.Kind() == jsondoc.Object {
		p.read(body, p.Time)
		return
	}
	p.send(&core.Unknown{Raw: p.Raw, Reason: "payload is not JSON"})
}

// read reads a payload.
func (p *parser) read(v jsondoc.Value, received core.Time) {
	p.root, p.Echo = v, p.hasTranscript(v)
	p.Head = stream.Head{ID: core.ContentID(v.Raw()), Time: timeOf(v, received)}
	p.Session = stream.Some(v, "session_id", "sessionId", "conversation_id", "trajectory_id", "thread-id", "thread_id")
	p.Thread = stream.Some(v, "agent_id")
	p.cwd = cmp.Or(stream.Some(v, "cwd"), firstOf(v.Get("workspace_roots")), v.Path("tool_info", "cwd").Str())
	if p.cwd != "" && (p.Project == nil || p.Project.Cwd != p.cwd) {
		p.Project = &core.Project{Cwd: p.cwd}
	}
	var event jsondoc.Value
	for _, name := range []string{"hook_event_name", "hookEventName", "agent_action_name", "type"} {
		if event = v.Get(name); event.Str() != "" {
			break
		}
	}
	k := p.Kinds.Of("", event)
	p.event = k.Name
	if read, ok := k.Read.(reader); ok {
		read(p)
	}
	if !p.Emitted {
		p.Keep(p.Head, k.Name, v, k.Known)
	}
}

// send emits an event of the payload.
func (p *parser) send(body core.Body) { p.Put(body, false) }

// prompted tells what a person typed. Qwen Code runs the hook before each request,
// with an empty prompt unless a person typed one (recorded, 0.24.4); a prompt of
// a subagent is the one of the agent that started it (recorded, Codex 0.169.0).
func (p *parser) prompted() {
	text := cmp.Or(p.root.Path("tool_info", "user_prompt").Str(), stream.Some(p.root, "submitted_prompt", "prompt"))
	if text != "" {
		h := p.Head
		h.Injected = p.Thread != ""
		p.Said(h, core.Plain(text))
	}
}

// said tells what the model said last in its turn. What Codex calls the
// "input-messages" of a turn are, in some versions, the model's own (recorded,
// 0.47.0): no person's words are taken from there.
func (p *parser) said() {
	v := p.root
	said := cmp.Or(stream.Some(v, "last_assistant_message", "prompt_response", "text", "last-assistant-message"), v.Path("tool_info", "response").Str())
	if said != "" {
		text := core.Plain(said)
		p.send(&core.AssistantTurn{Text: text, Model: stream.Some(v, "model", "model_name"), Parts: []core.Part{stream.Text(text)}})
	}
}

// hasTranscript reports whether the tool keeps a transcript that is read. Of
// Windsurf nothing can be; Codex says null where it keeps none; what an unknown
// tool keeps is not known.
func (p *parser) hasTranscript(v jsondoc.Value) bool {
	switch p.tool {
	case core.Codex:
		return v.Get("transcript_path").Kind() != jsondoc.Null
	case core.ClaudeCode, core.Gemini, core.Qwen, core.Cursor, core.Copilot, core.VSCode:
		return true
	default:
		return false
	}
}

// timeOf is when a hook ran: the tool's own time, or that at which the payload was
// taken in.
func timeOf(v jsondoc.Value, received core.Time) core.Time {
	at := v.Get("timestamp")
	if ms, ok := at.Int(); ok {
		return core.UnixMilli(ms)
	}
	if t := core.ParseTime(at.Str()); !t.IsZero() {
		return t
	}
	return received
}

func firstOf(v jsondoc.Value) string {
	for el := range v.Elems() {
		return el.Str()
	}
	return ""
}

// absolute is a path below the folder in which the tool works.
func (p *parser) absolute(name string) string { return stream.Resolve(p.cwd, name) }
