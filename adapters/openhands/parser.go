package openhands

import (
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parser is the fold over the files of one conversation.
type parser struct{ stream.Base }

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if !p.Begin(rec, send) {
		return
	}
	row := rec.Doc.Root()
	v := row.Get("data")
	switch table, _ := core.Row(row); table {
	case tableState:
		p.opened(v)
	case tableEvent:
		p.event(v)
	default:
		p.Unknown(stream.Head{}, table)
	}
}

// opened begins the conversation. The state is written again and again: of it
// stands here what does not change.
func (p *parser) opened(v jsondoc.Value) {
	dir := v.Path("workspace", "working_dir").Str()
	if dir != "" {
		p.Project = &core.Project{Cwd: dir}
	}
	p.Send(stream.Head{ID: p.Session}, &core.SessionStart{Cwd: dir, Model: v.Path("agent", "llm", "model").Str()})
}

// event reads one event. Its time has no zone: it is taken for UTC.
func (p *parser) event(v jsondoc.Value) {
	h, kind := stream.Head{ID: v.Get("id").Str(), Time: core.ParseTime(v.Get("timestamp").Str() + "Z")}, v.Get("kind").Str()
	switch kind { // what becomes of each kind of event
	case "MessageEvent":
		p.message(h, v)
	case "ActionEvent":
		p.acted(h, v)
	case "ObservationEvent":
		p.observed(h, v)
	case "UserRejectObservation":
		p.Send(h, &core.ToolResult{
			CallID: v.Get("tool_call_id").Str(), Output: core.RawValue(v.Get("rejection_reason")), Verdict: core.Rejected, Reason: core.Token(v.Get("rejection_reason")),
		})
	case "AgentErrorEvent":
		p.Send(h, &core.ToolResult{CallID: v.Get("tool_call_id").Str(), Output: core.RawValue(v.Get("error"))})
	case "Condensation":
		p.Send(h, &core.Compaction{Summary: core.Token(v.Get("summary"))})
	case "SystemPromptEvent", "ConversationStateUpdateEvent", "ConversationErrorEvent", "CondensationRequest", "CondensationSummaryEvent",
		"PauseEvent", "TokenEvent", "LLMCompletionLogEvent", "HookExecutionEvent", "StreamingDeltaEvent":
		p.Known(h, kind)
	default:
		p.Unknown(h, kind)
	}
}

// message reads what somebody said.
func (p *parser) message(h stream.Head, v jsondoc.Value) {
	m := v.Get("llm_message")
	text, parts := words(m.Get("content"))
	if v.Get("source").Is("agent") {
		p.Send(h, &core.AssistantTurn{Text: text, Thinking: core.Token(m.Get("reasoning_content")), Parts: parts, MessageID: v.Get("llm_response_id").Str()})
		return
	}
	h.Injected = !v.Get("source").Is("user")
	p.Send(h, &core.UserTurn{Text: text, Parts: parts})
}

// words reads content.
func words(list jsondoc.Value) (core.Text, []core.Part) {
	var (
		all   []string
		parts []core.Part
	)
	for piece := range list.Elems() {
		switch kind := piece.Get("type"); {
		case kind.Is("text") && piece.Get("text").Str() == "":
		case kind.Is("text"):
			all = append(all, piece.Get("text").Str())
			parts = append(parts, core.Part{Kind: core.TextPart, Text: core.Token(piece.Get("text"))})
		case kind.Is("image"):
			parts = append(parts, core.Part{Kind: core.ImagePart})
		default:
			parts = append(parts, stream.Other(piece))
		}
	}
	return core.Plain(strings.Join(all, "\n")), parts
}

// acted reads a call, and what the model said and thought beside it. What it says in
// the end may be a call, too.
func (p *parser) acted(h stream.Head, v jsondoc.Value) {
	action := v.Get("action")
	turn := &core.AssistantTurn{Thinking: core.Token(v.Get("reasoning_content")), MessageID: v.Get("llm_response_id").Str()}
	turn.Text, turn.Parts = words(v.Get("thought"))
	switch kind := action.Get("kind"); {
	case kind.Is("FinishAction"):
		turn.Text = core.Token(action.Get("message"))
		turn.Parts = append(turn.Parts, core.Part{Kind: core.TextPart, Text: turn.Text})
	case kind.Is("ThinkAction"):
		turn.Thinking = core.Token(action.Get("thought"))
	}
	if len(turn.Parts) > 0 || turn.Thinking.String() != "" {
		p.Send(h, turn)
	}
	args := action
	if args.Kind() != jsondoc.Object {
		args = v.Path("tool_call", "arguments")
	}
	p.Send(h, &core.ToolCall{CallID: v.Get("tool_call_id").Str(), Name: v.Get("tool_name").Str(), Args: core.RawValue(args)})
}

// observed reads what a call came to, and the edit that it made.
func (p *parser) observed(h stream.Head, v jsondoc.Value) {
	id, seen := v.Get("tool_call_id").Str(), v.Get("observation")
	code, _ := seen.Get("exit_code").Int()
	ok := !seen.Get("is_error").Bool() && code == 0
	p.Send(h, &core.ToolResult{CallID: id, OK: ok, Output: core.RawValue(seen.Get("content"))})
	after := seen.Get("new_content")
	if !ok || after.Kind() != jsondoc.String || seen.Get("command").Is("view") {
		return
	}
	file, before := seen.Get("path").Str(), seen.Get("old_content")
	if p.Project != nil {
		file = stream.Resolve(p.Project.Cwd, file)
	}
	var d core.Diff
	switch {
	case !seen.Get("prev_exist").Bool():
		d = edit.Created(file, after.Str())
	case before.Kind() == jsondoc.String:
		d = edit.FromTexts(file, before.Str(), after.Str())
	default:
		d = edit.Written(file, after.Str())
	}
	p.Edit(h, id, v.Get("tool_name").Str(), d)
}
