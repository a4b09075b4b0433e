// Package junie reads the sessions of Junie's command line tool.
//
// A session is a log of events: what a person asked, and blocks of the screen, which
// are written again as they grow and say at last what was done. Edits stand there with
// all that the files held before and after.
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
	if p.Session = stream.Stem(info.Path); p.Session == "events" {
		p.Session = path.Base(path.Dir(info.Path))
	}
	return mcpedits.Edits(p, &p.Files)
}

// Detect judges by the first line.
func (Adapter) Detect(s core.Sample) core.Fit {
	v := stream.FirstLine(s)
	kind := v.Get("kind").Str()
	if v.Path("event", "agentEvent", "kind").Exists() || strings.HasSuffix(kind, "Event") && v.Get("timestampMs").Exists() {
		return core.NativeFit
	}
	if path.Base(s.Path) == "events.jsonl" && strings.Contains(s.Path, "/.junie/sessions/") {
		return core.PathFit
	}
	return core.NoFit
}

// parser is the fold over the log of one session.
type parser struct {
	asked.Talk

	told map[string]string // of the blocks that grow, what was told of them last
}

// maxTold bounds how many blocks are remembered.
const maxTold = 4 << 10

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if !p.Begin(rec, send) {
		return
	}
	v := rec.Doc.Root()
	at, _ := v.Get("timestampMs").Int()
	h, kind := stream.Head{Time: core.UnixMilli(at)}, v.Get("kind").Str()
	if kind != "" {
		p.Open(h, "", core.SessionStart{})
	}
	switch kind { // what becomes of each kind of event
	case "UserPromptEvent":
		h.ID = v.Get("requestId").Str()
		if typed := v.Get("presentablePrompt"); typed.Str() != "" {
			p.Said(h, core.Token(typed))
			return
		}
		p.Said(h, core.Token(v.Get("prompt")))
	case "SessionA2uxEvent":
		p.block(h, v.Path("event", "agentEvent"), v.Path("event", "state").Is("COMPLETED"))
	case "TaskStartedEvent", "TaskFinishedEvent", "AgentTaskFailedEvent", "SystemMessageEvent", "SessionTitleSetEvent",
		"UserMessagesCommittedToHistory", "UserMessagesDroppedFromHistory", "UserMessagesFailedInHistory":
		p.Known(h, kind)
	default:
		p.Unknown(h, kind)
	}
}

// block reads what the agent shows.
func (p *parser) block(h stream.Head, b jsondoc.Value, ended bool) {
	kind, step := b.Get("kind").Str(), b.Get("stepId").Str()
	h.ID = step
	switch kind { // what becomes of each kind of block
	case "CurrentDirectoryUpdatedEvent":
		if dir := b.Get("currentDirectory").Str(); dir != "" && (p.Project == nil || p.Project.Cwd != dir) {
			p.Project = &core.Project{Cwd: dir}
		}
		p.Known(h, kind)
	case "AgentThoughtBlockUpdatedEvent":
		if p.grown(h, kind, step, b.Get("text").Str()) {
			p.Thinks(h, "", core.Token(b.Get("text")))
		}
	case "MarkdownBlockUpdatedEvent":
		if p.grown(h, kind, step, b.Get("text").Str()) {
			p.Says(h, "", core.Token(b.Get("text")))
		}
	case "ResultBlockUpdatedEvent":
		text := strings.TrimPrefix(b.Get("result").Str(), "<!-- ANSWER -->")
		if p.grown(h, kind, step, text) {
			p.Says(h, "", core.Plain(text))
		}
	case "LlmResponseMetadataEvent":
		p.paid(h, b)
	case "TerminalBlockUpdatedEvent", "ToolBlockUpdatedEvent", "McpBlockUpdatedEvent", "ViewFilesBlockUpdatedEvent", "FileChangesBlockUpdatedEvent":
		status := b.Get("status")
		ended = ended || status.Is("COMPLETED") || status.Is("FAILED") || status.Is("CANCELLED")
		if !ended {
			p.Known(h, kind)
			return
		}
		if !p.grown(h, kind, step, "ended") {
			return
		}
		p.done(h, kind, b, !status.Is("FAILED") && !status.Is("CANCELLED"))
	case "AgentStateUpdatedEvent", "AgentCurrentStatusUpdatedEvent", "EnvironmentVariablesUpdatedEvent", "AgentTaskNameUpdatedEvent", "AgentPlanUpdatedEvent",
		"SuggestPlanEvent", "AgentFailureEvent", "CustomAgentBlockUpdatedEvent":
		p.Known(h, kind)
	default:
		p.Unknown(h, kind)
	}
}

// grown reports whether a block says what it has not said yet; else it is kept.
func (p *parser) grown(h stream.Head, kind, step, text string) bool {
	key := kind + "/" + step
	if text == "" || p.told[key] == text {
		p.Known(h, kind)
		return false
	}
	if len(p.told) >= maxTold {
		clear(p.told)
	}
	p.told[key] = text
	return true
}

// done tells of a step that ended, as of a call with its result and edits.
func (p *parser) done(h stream.Head, kind string, b jsondoc.Value, ok bool) {
	name := strings.TrimSuffix(kind, "BlockUpdatedEvent")
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
	if !p.Emitted {
		p.Known(h, "LlmResponseMetadataEvent")
	}
}
