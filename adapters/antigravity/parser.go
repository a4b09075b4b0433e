package antigravity

import (
	"fmt"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
)

// parser is the fold over the steps of one conversation.
type parser struct {
	stream.Base

	begun bool
	calls []string // ids of the calls that have no result yet
}

// maxCalls bounds the calls that wait for a result.
const maxCalls = 1024

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if !p.Begin(rec, send) {
		return
	}
	v := rec.Doc.Root()
	step, numbered := v.Get("step_index").Int()
	kind, source := v.Get("type").Str(), v.Get("source").Str()
	h := stream.Head{Time: core.ParseTime(v.Get("created_at").Str())}
	if numbered {
		h.ID = fmt.Sprintf("%s/%d", p.Session, step)
	}
	if !p.begun && kind != "" {
		p.begun = true
		p.Send(stream.Head{ID: p.Session, Time: h.Time}, &core.SessionStart{})
	}
	switch {
	case kind == "USER_INPUT":
		h.Injected = source != "USER_EXPLICIT"
		p.Said(h, core.Plain(asked(v.Get("content").Str())))
	case kind == "PLANNER_RESPONSE":
		turn := &core.AssistantTurn{Text: core.Token(v.Get("content")), Thinking: core.Token(v.Get("thinking")), MessageID: h.ID}
		if turn.Text.String() != "" {
			turn.Parts = []core.Part{{Kind: core.TextPart, Text: turn.Text}}
		}
		if len(turn.Parts) > 0 || turn.Thinking.String() != "" {
			p.Send(h, turn)
		}
		for call := range v.Get("tool_calls").Elems() {
			id := fmt.Sprintf("%s/%d", h.ID, len(p.calls))
			p.calls = append(p.calls[max(0, len(p.calls)-maxCalls):], id)
			p.Send(h, &core.ToolCall{CallID: id, Name: call.Get("name").Str(), Args: core.RawValue(call.Get("args"))})
		}
	case source == "SYSTEM", kind == "GENERIC":
		p.Known(h, kind)
	case source == "MODEL" && kind != "": // a step that a call made: they come in the order of the calls
		id := h.ID
		if len(p.calls) > 0 {
			id, p.calls = p.calls[0], p.calls[1:]
		} else { // of a call that the log does not have
			p.Send(h, &core.ToolCall{CallID: id, Name: strings.ToLower(kind)})
		}
		p.Send(h, &core.ToolResult{CallID: id, OK: v.Get("status").Is("DONE"), Output: core.RawValue(v.Get("content"))})
	default:
		p.Unknown(h, kind)
	}
	if !p.Emitted {
		p.Known(h, kind)
	}
}

// asked is what a person typed, without the marks around it and what the client says
// behind it.
func asked(content string) string {
	_, rest, ok := strings.Cut(content, "<USER_REQUEST>")
	inner, _, closed := strings.Cut(rest, "</USER_REQUEST>")
	if !ok || !closed {
		return content
	}
	return strings.Trim(inner, "\n")
}
