// Package openhands parses the conversations of OpenHands' command-line tool and
// SDK.
//
// A conversation is a folder: a file with its state, and one for each event. What
// became of an edit is there with both texts of the file.
//
// docs/adapters/openhands.md says what is known of the format, and how.
//
// The state, as the parser gets it:
//
//	{"table":"state","key":"base_state","data":{"id":"8c","workspace":{"working_dir":"/w"},…}}
package openhands

import (
	"path"

	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows OpenHands.
type Adapter struct{ stream.Documents }

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.OpenHands }

// Places are the folder of the conversations.
func (Adapter) Places() []core.Place {
	return []core.Place{
		{Roots: []core.Root{{Env: "OPENHANDS_CONVERSATIONS_DIR"}}, Patterns: []string{"*/" + state}},
		{Roots: []core.Root{{Env: "OPENHANDS_PERSISTENCE_DIR"}, {Path: ".openhands"}}, Patterns: []string{"conversations/*/" + state}},
	}
}

// state is the first file of a conversation.
const state = "base_state.json"

const (
	tableState = "state"
	tableEvent = "event"
)

// Tree says where the events of a conversation are.
func (Adapter) Tree(name string) (core.Tree, bool) {
	if path.Base(name) != state {
		return core.Tree{}, false
	}
	return core.Tree{Table: tableState, Branches: []core.Branch{{Table: tableEvent, Dir: path.Join(path.Dir(name), "events")}}}, true
}

// NewParser returns a parser for one conversation.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{}
	p.Init(Adapter{}.Kinds(), info.Path, "base_state")
	return mcpedits.Edits(p, &edit.Files{})
}

// Detect judges by what a state holds.
func (Adapter) Detect(s core.Sample) core.Fit {
	isState := path.Base(s.Path) == state
	return stream.Fit(isState && stream.OpeningOf(s).Is("{", "agent", "id"), isState)
}

// parser reads the files of one conversation.
type parser struct {
	stream.Base
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	row, ok := p.Begin(rec, send)
	if !ok {
		return
	}
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
	p.Start(stream.Head{ID: p.Session}, core.SessionStart{Cwd: v.Path("workspace", "working_dir").Str(), Model: v.Path("agent", "llm", "model").Str()})
}

// event reads one event. Its time has no zone: it is taken for UTC.
func (p *parser) event(v jsondoc.Value) {
	h := stream.Head{ID: v.Get("id").Str(), Time: core.ParseTime(v.Get("timestamp").Str() + "Z")}
	stream.Dispatch(p, &p.Base, "", v.Get("kind"), h, v)
}

// Kinds returns what each kind of event becomes. The state becomes `session_start`.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{
			Names: "MessageEvent", Known: "rec", Read: (*parser).message,
			Becomes: "`user_turn` or `assistant_turn`, by its `source`; injected if that is neither a person nor the agent",
		},
		{
			Names: "ActionEvent", Known: "rec", Read: (*parser).acted,
			Becomes: "`assistant_turn` with what the model said or thought, `tool_call`; `FinishAction` and `ThinkAction` say something themselves (src)",
		},
		{
			Names: "ObservationEvent", Known: "rec", Read: (*parser).observed,
			Becomes: "`tool_result`; of the tool that edits files the edit, with both texts of the file. A command that ends with another code than 0 has failed",
		},
		{Names: "UserRejectObservation", Known: "src", Becomes: "`tool_result` with the person's reason", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			why := v.Get("rejection_reason")
			p.Send(h, &core.ToolResult{CallID: v.Get("tool_call_id").Str(), Output: core.RawValue(why), Verdict: core.Rejected, Reason: core.Token(why)})
		}},
		{Names: "AgentErrorEvent", Known: "src", Becomes: "`tool_result` that failed", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.Send(h, &core.ToolResult{CallID: v.Get("tool_call_id").Str(), Output: core.RawValue(v.Get("error"))})
		}},
		{Names: "Condensation", Known: "src", Becomes: "`compaction`", Read: func(p *parser, h stream.Head, v jsondoc.Value) {
			p.Send(h, &core.Compaction{Summary: core.Token(v.Get("summary"))})
		}},
		{Names: "SystemPromptEvent", Known: "rec"},
		{Known: "src", Names: `ConversationStateUpdateEvent ConversationErrorEvent CondensationRequest CondensationSummaryEvent PauseEvent TokenEvent LLMCompletionLogEvent
			HookExecutionEvent StreamingDeltaEvent`},
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
	var said stream.Prompt
	for piece := range list.Elems() {
		switch kind := piece.Get("type"); {
		case kind.Is("text") && piece.Get("text").Str() == "":
		case kind.Is("text"):
			said.Say(piece.Get("text"))
		case kind.Is("image"):
			said.Show(jsondoc.Value{})
		default:
			said.Keep(piece)
		}
	}
	return said.All("\n")
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
	file, before := p.Resolve(seen.Get("path").Str()), seen.Get("old_content")
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
