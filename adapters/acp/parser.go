package acp

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/asked"
	"github.com/memscribe/memscribe/adapters/internal/edit"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// journal is the schema of what acpx writes between messages.
const journal = "acpx.session.journal.v1"

// parser reads the messages of one log. They have no times.
type parser struct {
	asked.Talk

	told    map[string]bool // the sessions that have begun
	version string          // of the agent
	cwd     string          // of the session that is asked for
	loading bool            // what was said before is sent once more
	turns   int             // that a person has had
	pieces  int             // of what the agent said, and other things without an id
	said    said
	calls   calls
	written map[string]string // by path: what a file was given through the client, and no edit has told of yet
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	if !p.Begin(rec, send) {
		return
	}
	v := rec.Doc.Root()
	method, params := v.Get("method").Str(), v.Get("params")
	if id := params.Get("sessionId").Str(); id != "" && id != p.Session {
		p.tellSaid()
		p.Session = id
	}
	switch method { // what becomes of each message
	case "session/update":
		p.update(params.Get("update"))
		return
	case "session/prompt":
		p.tellSaid()
		p.prompted(params.Get("prompt"))
		return
	case "session/new", "session/load", "session/resume", "session/fork":
		p.tellSaid()
		p.cwd = params.Get("cwd").Str()
		p.loading = method == "session/load"
		if method != "session/new" && method != "session/fork" {
			p.open()
		}
	case "fs/write_text_file":
		if name := p.Resolve(params.Get("path").Str()); name != "" {
			if p.written == nil {
				p.written = map[string]string{}
			}
			p.written[name] = params.Get("content").Str()
		}
	case "initialize", "authenticate", "session/cancel", "session/close", "session/list", "session/request_permission", "session/set_mode",
		"session/set_model", "session/set_config_option", "fs/read_text_file", "terminal/create", "terminal/output", "terminal/release",
		"terminal/wait_for_exit", "terminal/kill", "$/cancel_request":
	case "":
		p.answered(v)
		return
	default:
		p.Unknown(stream.Head{}, method)
		return
	}
	p.Known(stream.Head{}, method)
}

// open begins the session, once.
func (p *parser) open() {
	if p.Session == "" || p.told[p.Session] {
		return
	}
	p.told[p.Session], p.loading = true, false
	p.Project = nil
	if p.cwd != "" {
		p.Project = &core.Project{Cwd: p.cwd}
	}
	p.Send(stream.Head{ID: p.Session + "/start"}, &core.SessionStart{Cwd: p.cwd, ToolVersion: p.version})
}

// answered reads what a request came to, whose form tells what was asked; and what acpx
// notes between messages.
func (p *parser) answered(v jsondoc.Value) {
	p.tellSaid()
	result := v.Get("result")
	switch {
	case v.Get("schema").Is(journal):
		p.Known(stream.Head{}, "journal/"+v.Get("type").Str())
		return
	case !v.Get("jsonrpc").Is("2.0"):
		p.Unknown(stream.Head{}, "")
		return
	case result.Get("agentInfo").Exists():
		p.version = result.Path("agentInfo", "version").Str()
	case result.Get("sessionId").Exists():
		p.Session = result.Get("sessionId").Str()
		p.open()
	case result.Get("stopReason").Exists():
		p.tellWritten()
		if used := result.Get("usage"); used.Exists() {
			p.paid(used)
		}
	}
	p.loading = p.loading && !result.Exists() && !v.Get("error").Exists()
	p.Known(stream.Head{}, "answer")
}

// head names what has no id of its own, after its place in the log and what it says: a session
// may lie in several logs.
func (p *parser) head(kind, text string) stream.Head {
	p.pieces++
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(text))
	return stream.Head{ID: fmt.Sprintf("%s/%s/%d-%x", p.Session, kind, p.pieces, sum.Sum64())}
}

// prompted reads what a person asks.
func (p *parser) prompted(prompt jsondoc.Value) {
	p.open()
	p.turns++
	p.Files.Turn()
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
	words := strings.Join(text, "\n")
	p.Said(p.head("prompt", words), core.Plain(words), more...)
}

// update reads what an agent tells of its work.
func (p *parser) update(u jsondoc.Value) {
	kind := u.Get("sessionUpdate").Str()
	if p.loading {
		p.Known(stream.Head{}, kind)
		return
	}
	p.open()
	switch kind {
	case "user_message_chunk", "agent_message_chunk", "agent_thought_chunk":
		if kind == "user_message_chunk" && p.turns > 0 { // the prompt has said it
			p.Known(stream.Head{}, kind)
			return
		}
		p.piece(kind, u)
	case "tool_call", "tool_call_update":
		p.tellSaid()
		p.called(u)
	case "plan", "available_commands_update", "current_mode_update", "config_option_update", "session_info_update", "usage_update":
		p.Known(stream.Head{}, kind)
	default:
		p.Unknown(stream.Head{}, kind)
	}
}

// said is what is being said: it comes in pieces, and is told when something else comes.
type said struct {
	kind, message string
	text          strings.Builder
}

// maxSaid bounds what waits to be told, in bytes.
const maxSaid = 1 << 20

// piece reads a piece of what is said.
func (p *parser) piece(kind string, u jsondoc.Value) {
	content, message := u.Get("content"), u.Get("messageId").Str()
	if kind != p.said.kind || message != p.said.message || p.said.text.Len() > maxSaid {
		p.tellSaid()
	}
	if !content.Get("type").Is("text") {
		p.tellSaid()
		p.Send(p.head("part", ""), &core.AssistantTurn{Parts: []core.Part{stream.Other(content)}})
		return
	}
	p.said.kind, p.said.message = kind, message
	p.said.text.WriteString(content.Get("text").Str())
	p.Known(stream.Head{}, kind)
}

// tellSaid tells what has been said until here.
func (p *parser) tellSaid() {
	if p.said.text.Len() == 0 {
		return
	}
	words := p.said.text.String()
	text, h := core.Plain(words), p.head("said", words)
	message := p.said.message
	if message == "" {
		message = h.ID
	}
	switch p.said.kind {
	case "user_message_chunk":
		p.Files.Turn()
		p.Said(h, text)
	case "agent_thought_chunk":
		p.Send(h, &core.AssistantTurn{MessageID: message, Thinking: text})
	default:
		p.Says(h, "", text)
	}
	p.said = said{}
}

// paid reads what a prompt cost.
func (p *parser) paid(used jsondoc.Value) {
	cost := stream.Tokens(used, "inputTokens", "outputTokens", "cachedReadTokens", "cachedWriteTokens", "thoughtTokens")
	h := p.head("usage", string(used.Raw()))
	p.Send(h, &core.AssistantTurn{MessageID: h.ID, Usage: &cost})
}

// tellWritten tells of the files that were written through the client and that no call has
// told of.
func (p *parser) tellWritten() {
	for _, name := range sortedKeys(p.written) {
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
