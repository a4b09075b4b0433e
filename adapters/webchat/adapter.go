// Package webchat parses the conversation archives that people download from
// Claude.ai and ChatGPT.
//
// Both are one document with a list of conversations, which is not followed but read
// when it is named. There are no edits in it: what was decided is what it tells.
//
// docs/adapters/webchat.md says what is known of the format, and how.
package webchat

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// Adapter knows the archives of one of the two.
type Adapter struct {
	stream.Documents

	Name core.Tool
}

// Tool names the tool.
func (a Adapter) Tool() core.Tool { return a.Name }

// Places are none: archives lie where somebody has put them.
func (Adapter) Places() []core.Place { return nil }

// NewParser returns a parser for one archive.
func (a Adapter) NewParser(core.StreamInfo) core.Parser { return &parser{tool: a.Name} }

// Detect judges by the members of the first conversation.
func (a Adapter) Detect(s core.Sample) core.Fit {
	head := stream.OpeningOf(s)
	isOf := a.Name == core.ClaudeAI && head.Has("chat_messages", "uuid", "created_at") || a.Name == core.ChatGPT && head.Has("mapping", "create_time", "author")
	return stream.Fit(isOf && (head.Is("[") || head.Is("{")), false)
}

// parser reads the record of one archive.
type parser struct {
	stream.Base

	tool core.Tool
}

// Parse implements [core.Parser].
func (p *parser) Parse(rec core.Record, send func(*core.Event)) {
	v, ok := p.Begin(rec, send)
	if !ok {
		return
	}
	switch {
	case stream.AreObjects(v):
		for conversation := range v.Elems() {
			p.conversation(conversation)
		}
	case v.Kind() != jsondoc.Array:
		p.conversation(v)
	}
	if !p.Emitted {
		p.Unknown(stream.Head{}, v.Kind().String())
	}
}

// conversation reads one conversation, in the form of either.
func (p *parser) conversation(v jsondoc.Value) {
	switch {
	case v.Get("chat_messages").Kind() == jsondoc.Array:
		p.ofClaude(v)
	case v.Get("mapping").Kind() == jsondoc.Object:
		p.ofChatGPT(v)
	default:
		p.Keep(stream.Head{}, "conversation", v, false)
	}
}

// ofClaude reads a conversation of Claude.ai: its messages in their order.
func (p *parser) ofClaude(v jsondoc.Value) {
	p.Session = v.Get("uuid").Str()
	p.Send(stream.Head{ID: p.Session, Time: core.ParseTime(v.Get("created_at").Str())}, &core.SessionStart{Model: v.Get("model").Str()})
	for m := range v.Get("chat_messages").Elems() {
		h := stream.Head{ID: m.Get("uuid").Str(), Time: core.ParseTime(m.Get("created_at").Str())}
		text := cmp.Or(texts(m.Get("content"), "text"), m.Get("text").Str())
		parts := []core.Part{{Kind: core.TextPart, Text: core.Plain(text)}}
		for _, name := range []string{"attachments", "files"} {
			for a := range m.Get(name).Elems() {
				parts = append(parts, stream.Other(a))
			}
		}
		switch sender := m.Get("sender"); {
		case sender.Is("human"):
			p.Send(h, &core.UserTurn{Text: core.Plain(text), Parts: parts})
		case sender.Is("assistant"):
			p.Send(h, &core.AssistantTurn{Text: core.Plain(text), Parts: parts})
		default:
			p.Keep(h, "message/"+sender.Str(), m, false)
		}
	}
}

// texts are the pieces of a list that are text.
func texts(list jsondoc.Value, member string) string {
	var all []string
	for piece := range list.Elems() {
		if piece.Kind() == jsondoc.String {
			all = append(all, piece.Str())
		} else if t := piece.Get(member); t.Kind() == jsondoc.String && (!piece.Get("type").Exists() || piece.Get("type").Is("text")) {
			all = append(all, t.Str())
		}
	}
	return strings.Join(all, "\n")
}

// maxDeep bounds how long a conversation is followed from its end to its root.
const maxDeep = 100_000

// ofChatGPT reads a conversation of ChatGPT: the branch that it ended on. What was
// left by editing a prompt stands on others, which are not told.
func (p *parser) ofChatGPT(v jsondoc.Value) {
	p.Session = stream.Some(v, "conversation_id", "id")
	p.Send(stream.Head{ID: p.Session, Time: stream.Seconds(v.Get("create_time"))}, &core.SessionStart{Model: v.Get("default_model_slug").Str()})
	mapping, seen := v.Get("mapping"), map[string]bool{}
	var branch []jsondoc.Value
	for at := v.Get("current_node").Str(); at != "" && !seen[at] && len(branch) < maxDeep; {
		seen[at] = true
		node := mapping.Get(at)
		branch = append(branch, node)
		at = node.Get("parent").Str()
	}
	for _, node := range slices.Backward(branch) {
		if m := node.Get("message"); m.Kind() == jsondoc.Object {
			p.message(m)
		}
	}
}

// message reads a message of ChatGPT by who said it.
func (p *parser) message(m jsondoc.Value) {
	h := stream.Head{ID: m.Get("id").Str(), Time: stream.Seconds(m.Get("create_time"))}
	content := m.Get("content")
	text := core.Plain(texts(content.Get("parts"), "text"))
	parts := []core.Part{stream.Text(text)}
	switch role := m.Path("author", "role"); {
	case role.Is("system"), role.Is("tool"), m.Path("metadata", "is_visually_hidden_from_conversation").Bool():
		p.Keep(h, "message/"+role.Str(), m, true)
	case role.Is("user") && content.Get("content_type").Is("user_editable_context"):
		p.Keep(h, "message/context", m, true)
	case role.Is("user"):
		p.Send(h, &core.UserTurn{Text: text, Parts: parts})
	case role.Is("assistant") && text.String() == "": // code for a tool, thoughts
		p.Send(h, &core.AssistantTurn{Model: m.Path("metadata", "model_slug").Str(), Parts: []core.Part{stream.Other(content)}})
	case role.Is("assistant"):
		p.Send(h, &core.AssistantTurn{Text: text, Model: m.Path("metadata", "model_slug").Str(), Parts: parts})
	default:
		p.Keep(h, "message/"+role.Str(), m, false)
	}
}
