// Package acp parses logs of the Agent Client Protocol: the JSON-RPC messages that
// an editor or another client exchanged with an agent, one per line.
//
// docs/adapters/acp.md says what is known of the format, and how.
package acp

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/mcpedits"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows the protocol, whoever speaks it.
type Adapter struct{}

// Tool names the protocol.
func (Adapter) Tool() core.Tool { return core.ACP }

// Places are none: an agent mostly has a transcript of its own, and would be told twice. A
// log is read when it is named.
func (Adapter) Places() []core.Place { return nil }

// NewParser returns a parser for one log.
func (Adapter) NewParser(core.StreamInfo) core.Parser {
	p := &parser{talks: map[string]*talk{}}
	p.Init(Adapter{}.Kinds(), "")
	return mcpedits.Edits(p, &p.Files)
}

// maxLead bounds the lines before the first message of the protocol.
const maxLead = 8

// Detect judges by the first message that names the protocol.
func (Adapter) Detect(s core.Sample) core.Fit {
	n := 0
	for _, v := range s.Records() {
		if n++; n > maxLead || v.Kind() != jsondoc.Object {
			return core.NoFit
		}
		switch method := v.Get("method").Str(); {
		case v.Get("schema").Is(journal):
		case !v.Get("jsonrpc").Is("2.0"):
			return core.NoFit
		case strings.HasPrefix(method, "session/"),
			method == "initialize" && v.Path("params", "clientCapabilities").Exists() && isNumber(v.Path("params", "protocolVersion")),
			v.Path("result", "agentCapabilities").Exists():
			return core.NativeFit
		}
	}
	return core.NoFit
}

// isNumber tells the versions of this protocol from those of MCP, which are dates.
func isNumber(v jsondoc.Value) bool { _, ok := v.Int(); return ok }

// journal is the schema of what acpx writes between messages.
const journal = "acpx.session.journal.v1"

// parser reads the messages of one log. They have no times.
type parser struct {
	asked.Talk

	// For the whole log.
	talks   map[string]*talk // by session
	version string           // of the agent
	calls   calls

	// From a request to its answer.
	cwd     string // of the session that is asked for
	begins  bool   // it is one of its own: new, or a fork
	loading bool   // what was said before is sent once more

	said    said              // until something else comes
	written map[string]string // until the turn ends: by path, what a file was given through the client and no edit shows yet
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	if id := v.Path("params", "sessionId").Str(); id != "" && id != p.Session {
		p.tellSaid()
		p.Session = id
	}
	if method := v.Get("method"); method.Str() != "" {
		stream.Dispatch(p, &p.Base, "", method, stream.Head{}, v)
		return
	}
	p.answered(v)
}

// Kinds returns what each method and each kind of update becomes.
func (Adapter) Kinds() []stream.Kind {
	return []stream.Kind{
		{Names: "session/prompt", Known: "rec", Becomes: "`user_turn`; pictures, links and resources are parts", Read: (*parser).prompt},
		{
			Names: "session/new session/load session/resume session/fork", Known: "rec; `load` src", Read: (*parser).asked,
			Becomes: "`session_start`, with the folder of work and the version of the agent, once for each session; of `new` and `fork` with the answer",
		},
		{Names: "fs/write_text_file", Known: "src", Becomes: "an edit, at the end of the turn, if no call shows it", Read: (*parser).wrote},
		{Names: "session/update", Known: "rec", Becomes: "by its kind", Read: (*parser).update},
		{Names: "agent_message_chunk", Known: "rec", Becomes: "one `assistant_turn` of all pieces in a row, when something else comes", Read: (*parser).piece},
		{Names: "agent_thought_chunk", Known: "src", Becomes: "the same", Read: (*parser).piece},
		{Names: "user_message_chunk", Known: "src", Becomes: "`user_turn` where no prompt is in the log; else it repeats one", Read: (*parser).repeated},
		{
			Names: "tool_call tool_call_update", Known: "rec", Read: (*parser).tool,
			Becomes: "`tool_call` when the call says what it asks for; `tool_result` when it completes or fails (a command that ends with another code than 0 " +
				"has failed), and then an edit: of the `diff` in what it shows, or of a call of the kind `edit` that shows none what it asked for",
		},
		{Known: "src", Names: "plan available_commands_update current_mode_update config_option_update session_info_update usage_update"},
		{Known: "src", Names: `initialize authenticate session/cancel session/close session/list session/request_permission session/set_mode
			session/set_model session/set_config_option fs/read_text_file terminal/create terminal/output terminal/release
			terminal/wait_for_exit terminal/kill $/cancel_request`},
	}
}

func (p *parser) prompt(_ stream.Head, v jsondoc.Value) {
	p.tellSaid()
	p.prompted(v.Path("params", "prompt"))
}

// asked notes which session is asked for.
func (p *parser) asked(h stream.Head, v jsondoc.Value) {
	p.tellSaid()
	method := v.Get("method")
	p.cwd, p.loading = v.Path("params", "cwd").Str(), method.Is("session/load")
	p.begins = method.Is("session/new") || method.Is("session/fork")
	if p.loading && p.talk().begun {
		p.talk().restart(true)
	} else if !p.begins {
		p.open()
	}
	p.Known(h, method.Str())
}

// wrote notes what a file was given through the client.
func (p *parser) wrote(_ stream.Head, v jsondoc.Value) {
	if name := p.Resolve(v.Path("params", "path").Str()); name != "" && !p.talk().again {
		if p.written == nil {
			p.written = map[string]string{}
		}
		p.written[name] = v.Path("params", "content").Str()
	}
}

// open begins the session, once.
func (p *parser) open() {
	if p.Session == "" || p.talk().begun {
		return
	}
	p.talk().begun = true
	p.Project = nil
	p.Start(stream.Head{ID: p.Session + "/start"}, core.SessionStart{Cwd: p.cwd, ToolVersion: p.version})
}

// answered reads what a request came to, whose form tells what was asked; and what acpx
// notes between messages.
func (p *parser) answered(v jsondoc.Value) {
	p.tellSaid()
	result := v.Get("result")
	switch {
	case v.Get("schema").Is(journal):
		if n, is := v.Get("message_sequence").Int(); is && n == 0 && v.Get("type").Is("segment") {
			for _, t := range p.talks { // in any order
				t.restart(false)
			}
		}
		p.Known(stream.Head{}, "journal/"+v.Get("type").Str())
		return
	case !v.Get("jsonrpc").Is("2.0"):
		p.Unknown(stream.Head{}, "")
		return
	case result.Get("agentInfo").Exists():
		p.version = result.Path("agentInfo", "version").Str()
	case result.Get("sessionId").Exists():
		if p.Session = result.Get("sessionId").Str(); p.begins && p.talk().begun {
			p.talk().restart(false) // the log has it twice
		}
		p.open()
	case result.Get("stopReason").Exists():
		p.tellWritten()
		if used := result.Get("usage"); used.Exists() && !p.talk().again {
			p.Cost = stream.Costs(used, "inputTokens", "outputTokens", "cachedReadTokens", "cachedWriteTokens", "thoughtTokens")
			p.Paid(p.head("usage", string(used.Raw())), "")
		}
	}
	if p.loading && (result.Exists() || v.Get("error").Exists()) {
		p.loading = false
		p.talk().loaded()
	}
	p.Known(stream.Head{}, "answer")
}

// prompted reads what a person asks.
func (p *parser) prompted(prompt jsondoc.Value) {
	p.open()
	var text []string
	var more []core.Part
	for block := range prompt.Elems() {
		switch {
		case block.Get("type").Is("text"):
			text = append(text, block.Get("text").Str())
		case block.Get("type").Is("image"):
			more = append(more, core.Part{Kind: core.ImagePart, MediaType: block.Get("mimeType").Str()})
		default:
			more = append(more, stream.Other(block))
		}
	}
	p.talk().asked = true
	p.heard(strings.Join(text, "\n"), more...)
}

// heard reads what a person said, and passes over what the log has already.
func (p *parser) heard(words string, more ...core.Part) {
	h := stream.Head{ID: p.talk().prompt(p.Session, words)}
	if !p.talk().again {
		p.Files.Turn()
		p.Said(h, core.Plain(words), more...)
	}
}

// update reads what an agent tells of its work.
func (p *parser) update(h stream.Head, v jsondoc.Value) {
	u := v.Path("params", "update")
	p.open()
	stream.Dispatch(p, &p.Base, "", u.Get("sessionUpdate"), h, u)
}

// repeated reads what a person said, unless the prompt has said it.
func (p *parser) repeated(h stream.Head, u jsondoc.Value) {
	if p.loading || !p.talk().asked {
		p.piece(h, u)
	}
}

func (p *parser) tool(_ stream.Head, u jsondoc.Value) {
	if p.tellSaid(); !p.talk().again {
		p.called(u)
	}
}

// said is what is being said. It comes in pieces, and is emitted when something else comes.
type said struct {
	kind, message string
	text          strings.Builder
}

// maxSaid bounds what waits to be told, in bytes.
const maxSaid = 1 << 20

// piece reads a piece of what is said.
func (p *parser) piece(h stream.Head, u jsondoc.Value) {
	kind := u.Get("sessionUpdate").Str()
	content, message := u.Get("content"), u.Get("messageId").Str()
	if kind != p.said.kind || message != p.said.message || p.said.text.Len() > maxSaid {
		p.tellSaid()
	}
	if kind != "user_message_chunk" && p.talk().again {
		return
	}
	if !content.Get("type").Is("text") {
		p.tellSaid()
		p.Send(p.head("part", ""), &core.AssistantTurn{Parts: []core.Part{stream.Other(content)}})
		return
	}
	p.said.kind, p.said.message = kind, message
	p.said.text.WriteString(content.Get("text").Str())
	p.Known(h, kind)
}

// tellSaid tells what has been said until here.
func (p *parser) tellSaid() {
	if p.said.text.Len() == 0 {
		return
	}
	words := p.said.text.String()
	switch p.said.kind {
	case "user_message_chunk":
		p.heard(words)
	case "agent_thought_chunk":
		h := p.head("said", words)
		p.Send(h, &core.AssistantTurn{MessageID: cmp.Or(p.said.message, h.ID), Thinking: core.Plain(words)})
	default:
		p.Says(p.head("said", words), "", core.Plain(words))
	}
	p.said = said{}
}

// tellWritten tells of the files that were written through the client and that no call has
// told of.
func (p *parser) tellWritten() {
	for _, name := range slices.Sorted(maps.Keys(p.written)) {
		p.Edit(p.head("written", name), "", "fs/write_text_file", p.Files.Write(name, p.written[name]))
	}
	p.written = nil
}

// edited is the edit of a file as an agent shows it: both texts of the file, or of a part of
// it; without a text before, all that the file holds now.
func (p *parser) edited(diff jsondoc.Value) core.Diff {
	name, before, after := p.Resolve(diff.Get("path").Str()), diff.Get("oldText"), diff.Get("newText").Str()
	whole, seen := p.written[name]
	if seen {
		defer p.Files.Set(name, whole)
		delete(p.written, name)
	}
	switch {
	case before.Kind() != jsondoc.String:
		return p.Files.Write(name, after)
	case seen && whole == after:
		return edit.FromTexts(name, before.Str(), after)
	}
	return p.Files.Replace(name, before.Str(), after, false)
}
