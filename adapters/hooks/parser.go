package hooks

import (
	"cmp"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser reads the payloads of one tool's hooks.
type parser struct {
	tool core.Tool
	open open
	told told
	file google.Files

	p       payload
	emit    func(*core.Event)
	project *core.Project
}

// payload is the one that is being read.
type payload struct {
	root    jsondoc.Value
	event   string
	id      string
	session string
	thread  string
	time    core.Time
	cwd     string
	echo    bool
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, emit func(*core.Event)) {
	p.emit = emit
	if rec.Doc == nil {
		p.p = payload{echo: p.hasTranscript(jsondoc.Value{})}
		reason := ""
		if rec.Err != nil {
			reason = rec.Err.Error()
		}
		p.send(&core.Unknown{Raw: core.RawBytes(rec.Bytes), Reason: cmp.Or(reason, "not JSON")})
		return
	}
	v := rec.Doc.Root()
	received := core.Time{}
	if v.Get("schema").Is(Schema) {
		received = core.ParseTime(v.Get("received").Str())
		if body := v.Get("payload"); body.Kind() == jsondoc.Object {
			p.read(body, received)
			return
		}
		p.p = payload{time: received, echo: p.hasTranscript(jsondoc.Value{})}
		p.send(&core.Unknown{Raw: core.RawValue(v), Reason: "payload is not JSON"})
		return
	}
	p.read(v, received)
}

// read reads a payload.
func (p *parser) read(v jsondoc.Value, received core.Time) {
	p.p = payload{
		root: v, id: core.ContentID(v.Raw()), time: timeOf(v, received), echo: p.hasTranscript(v),
		event:   stream.Some(v, "hook_event_name", "hookEventName", "agent_action_name", "type"),
		session: stream.Some(v, "session_id", "sessionId", "conversation_id", "trajectory_id", "thread-id", "thread_id"),
		thread:  stream.Some(v, "agent_id"),
		cwd:     stream.Some(v, "cwd"),
	}
	if p.p.cwd == "" {
		p.p.cwd = firstOf(v.Get("workspace_roots"))
	}
	if p.p.cwd == "" {
		p.p.cwd = v.Path("tool_info", "cwd").Str()
	}
	if p.p.cwd != "" && (p.project == nil || p.project.Cwd != p.p.cwd) {
		p.project = &core.Project{Cwd: p.p.cwd}
	}
	p.tell(kindOf(p.p.event))
}

// tell emits the events of a payload.
func (p *parser) tell(k kind) {
	v := p.p.root
	switch k {
	case starts:
		p.send(&core.SessionStart{Cwd: p.p.cwd, Model: stream.Some(v, "model"), ToolVersion: stream.Some(v, "cursor_version")})
	case ends:
		p.send(&core.SessionEnd{Reason: stream.Some(v, "reason")})
	case prompt:
		p.prompted()
	case calls:
		p.called()
	case returns, fails:
		p.returned(k == returns)
	case says:
		p.said()
	case thinks:
		p.send(&core.AssistantTurn{Thinking: core.Token(v.Get("text")), Model: stream.Some(v, "model", "model_name")})
	case compacts:
		p.send(&core.Compaction{Summary: core.Token(v.Get("compact_summary"))})
	case edits:
		p.edited()
	case aside, unheard:
		p.aside(k == aside)
	}
}

func (p *parser) aside(known bool) {
	p.send(&core.Unknown{RawType: p.p.event, Raw: core.RawValue(p.p.root), Bookkeeping: known})
}

// prompted tells what a person typed. Qwen Code runs the hook before each request,
// with an empty prompt unless a person typed one (recorded, 0.24.4); a prompt of
// a subagent is the one of the agent that started it (recorded, Codex 0.169.0).
func (p *parser) prompted() {
	text := core.Token(p.p.root.Get("prompt"))
	if typed := core.Token(p.p.root.Get("submitted_prompt")); !typed.IsEmpty() {
		text = typed
	}
	if info := p.p.root.Path("tool_info", "user_prompt"); info.Exists() {
		text = core.Token(info)
	}
	if text.IsEmpty() {
		p.aside(true)
		return
	}
	parts := []core.Part{stream.Text(text)}
	p.injected(&core.UserTurn{Text: text, Parts: parts}, p.p.thread != "")
}

// said tells what the model said last in its turn. What Codex calls the
// "input-messages" of a turn are, in some versions, the model's own (recorded,
// 0.47.0): no person's words are taken from there.
func (p *parser) said() {
	v := p.p.root
	text := jsondoc.Value{}
	for _, key := range []string{"last_assistant_message", "prompt_response", "text", "last-assistant-message"} {
		if text = v.Get(key); text.Kind() == jsondoc.String {
			break
		}
	}
	if text.Kind() != jsondoc.String {
		text = v.Path("tool_info", "response")
	}
	if core.Token(text).IsEmpty() {
		p.aside(true)
		return
	}
	turn := &core.AssistantTurn{Text: core.Token(text), Model: stream.Some(v, "model", "model_name")}
	turn.Parts = []core.Part{{Kind: core.TextPart, Text: turn.Text}}
	p.send(turn)
}

// send emits an event of the payload.
func (p *parser) send(body core.Body) { p.injected(body, false) }

func (p *parser) injected(body core.Body, injected bool) {
	ev := &core.Event{
		Session: p.p.session, Thread: p.p.thread, ID: p.p.id, Time: p.p.time, Project: p.project, Echo: p.p.echo,
		Injected: injected, Body: body,
	}
	p.emit(ev)
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
func (p *parser) absolute(name string) string { return stream.Resolve(p.p.cwd, name) }
