// Package antigravity reads the transcripts of Google's Antigravity CLI.
//
// A conversation is a folder, with a log of its steps: what a person asked, what the
// model planned, and what each of its calls came to. What an edit changed they do
// not tell; the conversation itself is kept in a form that is not known.
//
// docs/adapters/antigravity.md says what is known of the format, and how.
//
//	{"step_index":0,"source":"USER_EXPLICIT","type":"USER_INPUT","status":"DONE",
//	 "created_at":"2026-06-26T21:16:16Z","content":"<USER_REQUEST>\nLet's list it.\n</USER_REQUEST>…"}
package antigravity

import (
	"fmt"
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows the Antigravity CLI.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Antigravity }

// Places are the folder of the conversations.
func (Adapter) Places() []core.Place {
	const logs = "brain/*/.system_generated/logs/"
	return []core.Place{{Roots: []core.Root{{Path: ".gemini/antigravity-cli"}}, Patterns: []string{logs + short, logs + full}}}
}

// The two logs of a conversation: in the short one long contents are cut.
const (
	short = "transcript.jsonl"
	full  = "transcript_full.jsonl"
)

// Companions implements [core.SidecarWatcher]: a short log is looked at beside the full one.
func (Adapter) Companions(name string) (work string, files []string) {
	switch dir := path.Dir(name); path.Base(name) {
	case short:
		return dir, []string{full + "?"}
	case full:
		return dir, nil
	}
	return "", nil
}

// NewParser returns a parser for one log. What a short one tells beside the full one is an echo.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path)
	if strings.HasSuffix(path.Dir(info.Path), "/.system_generated/logs") {
		p.Session = path.Base(path.Dir(path.Dir(path.Dir(info.Path))))
	}
	_, beside := info.Sidecars[full]
	p.Echo = beside && path.Base(info.Path) == short
	return p
}

// Detect judges by the members of the first step.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	return stream.Fit(v.Get("step_index").Exists() && v.Get("source").Exists() && v.Get("type").Exists(),
		strings.Contains(s.Path, "/.gemini/antigravity-cli/brain/") && strings.HasSuffix(s.Path, ".jsonl"))
}

// parser reads the steps of one conversation. Its fields last for the log.
type parser struct {
	stream.Base

	begun bool
	steps int64    // the steps that have an id: those numbered below
	calls []string // ids of the calls that have no result yet
}

// maxCalls bounds the calls that wait for a result.
const maxCalls = 1024

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	step, numbered := v.Get("step_index").Int()
	kind, source := v.Get("type").Str(), v.Get("source").Str()
	h := stream.Head{Time: core.ParseTime(v.Get("created_at").Str())}
	if numbered && step >= p.steps { // one that is numbered as another before it has no id of its own
		h.ID = fmt.Sprintf("%s/%d", p.Session, step)
		p.steps = step + 1
	}
	if !p.begun && kind != "" {
		p.begun = true
		p.Send(stream.Head{ID: p.Session, Time: h.Time}, &core.SessionStart{})
	}
	switch known := p.Kinds.Named(kind).Known; {
	case !known && source == "MODEL" && kind != "":
		p.stepped(h, v)
		return
	case !known && source == "SYSTEM":
		p.Known(h, kind)
		return
	}
	stream.Dispatch(p, &p.Base, "", v.Get("type"), h, v)
}

// Kinds returns what each kind of step becomes. Any other step of the model's is one that
// a call made.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: "USER_INPUT", Known: "hear", Becomes: "`user_turn` with what stands in `<USER_REQUEST>`; injected unless its `source` is `USER_EXPLICIT`",
			Read: func(p *parser, h stream.Head, v jsondoc.Value) {
				h.Injected = !v.Get("source").Is("USER_EXPLICIT")
				p.Said(h, core.Plain(asked(v.Get("content").Str())))
			},
		},
		{Names: "PLANNER_RESPONSE", Known: "hear", Becomes: "`assistant_turn`, `tool_call`", Read: (*parser).planned},
		{Names: "GENERIC", Known: "hear"},
	}
}

// planned reads what the model said and thought, and its calls.
func (p *parser) planned(h stream.Head, v jsondoc.Value) {
	p.Replies(h, "", core.Token(v.Get("content")), core.Token(v.Get("thinking")))
	for call := range v.Get("tool_calls").Elems() {
		id := fmt.Sprintf("%s/%d", h.ID, len(p.calls))
		p.calls = append(p.calls[max(0, len(p.calls)-maxCalls):], id)
		p.Send(h, &core.ToolCall{CallID: id, Name: call.Get("name").Str(), Args: core.RawValue(call.Get("args"))})
	}
}

// stepped reads a step that a call made. Steps come in the order of the calls; one of a call that the log
// does not have is a call of its own.
func (p *parser) stepped(h stream.Head, v jsondoc.Value) {
	id := h.ID
	if len(p.calls) > 0 {
		id, p.calls = p.calls[0], p.calls[1:]
	} else {
		p.Send(h, &core.ToolCall{CallID: id, Name: strings.ToLower(v.Get("type").Str())})
	}
	p.Send(h, &core.ToolResult{CallID: id, OK: v.Get("status").Is("DONE"), Output: core.RawValue(v.Get("content"))})
}

// asked is what a person typed, without the marks around it and what the client says behind it.
func asked(content string) string {
	_, rest, ok := strings.Cut(content, "<USER_REQUEST>")
	inner, _, closed := strings.Cut(rest, "</USER_REQUEST>")
	if !ok || !closed {
		return content
	}
	return strings.Trim(inner, "\n")
}
