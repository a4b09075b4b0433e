// Package junie reads the sessions of Junie's command line tool. A session is a log of events.
// Blocks of the screen are written again as they grow; the last state counts. Edits have the
// texts of the files before and after.
//
//	{"kind":"UserPromptEvent","requestId":"r1","presentablePrompt":"Use Ktor, not Spring.",…}
//	{"kind":"SessionA2uxEvent","event":{"state":"IN_PROGRESS","agentEvent":{
//	 "kind":"AgentThoughtBlockUpdatedEvent","stepId":"s1","text":"Hm."}},"timestampMs":1780612717002}
//
// docs/adapters/junie.md says what is known of the format, and how.
package junie

import (
	"path"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows Junie.
type Adapter struct{}

// Tool names the tool.
func (Adapter) Tool() core.Tool { return core.Junie }

// Places are the folders of the sessions.
func (Adapter) Places() []core.Place {
	return []core.Place{{Roots: []core.Root{{Path: ".junie"}}, Patterns: []string{"sessions/*/events.jsonl"}}}
}

// NewParser returns a parser for one session.
func (Adapter) NewParser(info core.StreamInfo) core.Parser {
	p := &parser{told: map[string]string{}}
	p.Init(Adapter{}.Kinds(), info.Path, "events")
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the first line.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	kind := v.Get("kind").Str()
	return stream.Fit(v.Path("event", "agentEvent", "kind").Exists() || strings.HasSuffix(kind, "Event") && v.Get("timestampMs").Exists(),
		path.Base(s.Path) == "events.jsonl" && strings.Contains(s.Path, "/.junie/sessions/"))
}

// parser reads the log of one session.
type parser struct {
	asked.Talk

	ended bool              // the block that is read
	told  map[string]string // of the blocks that grow, what was told of them last
}

// maxTold bounds how many blocks are remembered.
const maxTold = 4 << 10

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	at, _ := v.Get("timestampMs").Int()
	h, kind := stream.Head{Time: core.UnixMilli(at)}, v.Get("kind")
	if kind.Str() != "" {
		p.Open(h, "", core.SessionStart{})
	}
	stream.Dispatch(p, &p.Base, "", kind, h, v)
}

// Kinds returns what each kind of event, and each kind of block that the agent shows, becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "UserPromptEvent", Known: "hear", Becomes: "`user_turn`: what the person saw of it", Read: (*parser).asked},
		{Names: "SessionA2uxEvent", Known: "hear", Becomes: "by the kind of its block", Read: (*parser).block},
		{Known: "hear", Names: `TaskStartedEvent TaskFinishedEvent AgentTaskFailedEvent SystemMessageEvent SessionTitleSetEvent
			UserMessagesCommittedToHistory UserMessagesDroppedFromHistory UserMessagesFailedInHistory`},
		{Names: "CurrentDirectoryUpdatedEvent", Known: "hear", Becomes: "the folder of work; bookkeeping", Read: (*parser).moved},
		{Names: "AgentThoughtBlockUpdatedEvent", Known: "hear", Becomes: "`assistant_turn` with a thought, when it says something new", Read: func(p *parser, h stream.Head, b jsondoc.Value) {
			if p.grown(h, b, b.Get("text").Str()) {
				p.Thinks(h, "", core.Token(b.Get("text")))
			}
		}},
		{Names: "MarkdownBlockUpdatedEvent", Known: "hear", Becomes: "`assistant_turn`, when it says something new", Read: func(p *parser, h stream.Head, b jsondoc.Value) {
			if p.grown(h, b, b.Get("text").Str()) {
				p.Says(h, "", core.Token(b.Get("text")))
			}
		}},
		{Names: "ResultBlockUpdatedEvent", Known: "hear", Becomes: "the same", Read: func(p *parser, h stream.Head, b jsondoc.Value) {
			if text := strings.TrimPrefix(b.Get("result").Str(), "<!-- ANSWER -->"); p.grown(h, b, text) {
				p.Says(h, "", core.Plain(text))
			}
		}},
		{Names: "LlmResponseMetadataEvent", Known: "hear", Becomes: "`assistant_turn` with the usage of each model", Read: (*parser).paid},
		{
			Names: "TerminalBlockUpdatedEvent ToolBlockUpdatedEvent McpBlockUpdatedEvent ViewFilesBlockUpdatedEvent", Known: "hear", Read: (*parser).done,
			Becomes: "`tool_call` and `tool_result`, when it ended",
		},
		{Names: "FileChangesBlockUpdatedEvent", Known: "hear", Becomes: "besides, an edit for each file, with the texts before and after", Read: (*parser).done},
		{Known: "hear", Names: `AgentStateUpdatedEvent AgentCurrentStatusUpdatedEvent EnvironmentVariablesUpdatedEvent AgentTaskNameUpdatedEvent
			AgentPlanUpdatedEvent SuggestPlanEvent AgentFailureEvent CustomAgentBlockUpdatedEvent`},
	}
}

// asked reads what a person asked.
func (p *parser) asked(h stream.Head, v jsondoc.Value) {
	h.ID = v.Get("requestId").Str()
	p.Said(h, core.Plain(stream.Some(v, "presentablePrompt", "prompt")))
}

// block reads what the agent shows.
func (p *parser) block(h stream.Head, v jsondoc.Value) {
	b := v.Path("event", "agentEvent")
	h.ID, p.ended = b.Get("stepId").Str(), v.Path("event", "state").Is("COMPLETED")
	stream.Dispatch(p, &p.Base, "", b.Get("kind"), h, b)
}

// moved takes in where the agent works.
func (p *parser) moved(_ stream.Head, b jsondoc.Value) {
	if dir := b.Get("currentDirectory").Str(); dir != "" && (p.Project == nil || p.Project.Cwd != dir) {
		p.Project = &core.Project{Cwd: dir}
	}
}

// grown reports whether a block says what it has not said yet.
func (p *parser) grown(h stream.Head, b jsondoc.Value, text string) bool {
	key := b.Get("kind").Str() + "/" + h.ID
	if text == "" || p.told[key] == text {
		return false
	}
	if len(p.told) >= maxTold {
		clear(p.told)
	}
	p.told[key] = text
	return true
}

// done tells of a step that ended, as of a call with its result and edits.
func (p *parser) done(h stream.Head, b jsondoc.Value) {
	status := b.Get("status")
	ok := !status.Is("FAILED") && !status.Is("CANCELLED")
	if !p.ended && ok && !status.Is("COMPLETED") || !p.grown(h, b, "ended") {
		return
	}
	name := strings.TrimSuffix(b.Get("kind").Str(), "BlockUpdatedEvent")
	id := h.ID + "/" + name
	p.Call(h, id, name, b)
	out := b.Get("output")
	if shown := b.Get("presentableOutput"); shown.Str() != "" {
		out = shown
	}
	if !out.Exists() {
		out = b.Get("details")
	}
	p.Result(h, id, ok, core.RawValue(out), nil)
	for c := range b.Get("changes").Elems() {
		if ok {
			p.changed(h, id, name, c)
		}
	}
}

// changed tells of an edit with the texts before and after; a file that is no text
// has none.
func (p *parser) changed(h stream.Head, id, name string, c jsondoc.Value) {
	from, to := p.Resolve(c.Get("beforeRelativePath").Str()), p.Resolve(c.Get("afterRelativePath").Str())
	before, after := c.Path("beforeContent", "text"), c.Path("afterContent", "text")
	switch {
	case to != "" && after.Kind() != jsondoc.String, from != "" && to != "" && before.Kind() != jsondoc.String:
		return
	case from == "" && to != "":
		p.Edit(h, id, name, edit.Created(to, after.Str()))
	case to == "" && before.Kind() != jsondoc.String:
		p.Edit(h, id, name, edit.DeletedUnseen(from))
	case to == "":
		p.Edit(h, id, name, edit.Deleted(from, before.Str()))
	case from != to:
		p.Edit(h, id, name, edit.Renamed(edit.FromTexts(to, before.Str(), after.Str()), from))
	default:
		p.Edit(h, id, name, edit.FromTexts(to, before.Str(), after.Str()))
	}
}

// paid reads what an answer cost.
func (p *parser) paid(h stream.Head, b jsondoc.Value) {
	for m := range b.Get("modelUsage").Elems() {
		used := stream.Tokens(m, "inputTokens", "outputTokens", "cacheInputTokens", "cacheCreateTokens", "")
		p.Send(h, &core.AssistantTurn{Model: m.Get("model").Str(), Usage: &used})
	}
}
