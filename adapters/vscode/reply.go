package vscode

import (
	"path"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// reply is a response while its parts are passed on. It is reset for each request, and
// read again from its first part whenever the request is passed on again.
type reply struct {
	request jsondoc.Value
	head    stream.Head
	model   string
	usage   *core.Usage

	text    strings.Builder // what the model said since the last call
	thought []string
	parts   []core.Part
	first   int // number of the first part of the turn that is being put together

	calls    []call
	next     int    // of calls, the first that no part has told of
	agent    string // id of the call that started the latest subagent
	owner    *call  // the latest call that may edit
	waiting  []claim
	assigned claim          // whose the latest edit was
	touched  map[place]bool // the files that subagents know
	internal int            // calls of subagents, which have no ids of the model's
}

// reset begins the reply to another request; memory is used again.
func (y *reply) reset(r jsondoc.Value, h stream.Head) {
	*y = reply{request: r, head: h, model: model(r), parts: y.parts[:0], thought: y.thought[:0], calls: y.calls[:0], first: 1}
}

// named is the head of an event of the response.
func (y *reply) named(kind string, n int) stream.Head {
	h, of := y.head, "/"+kind+strconv.Itoa(n)
	h.ID += of
	if h.CopyOf != "" {
		h.CopyOf += of
	}
	return h
}

// ofCall is the head of an event that is named after a call: of a copy it has the same
// name as the original's.
func (y *reply) ofCall(id, thread string) stream.Head {
	h := y.head
	h.ID, h.Thread = id, thread
	if h.CopyOf != "" {
		h.CopyOf = id
	}
	return h
}

// part passes on a part of a response, or keeps it for the turn to which it
// belongs.
// Words and thoughts wait until a call follows or the response ends, so that one turn
// of the model is one event.
func (p *parser) part(y *reply, v jsondoc.Value, n int) {
	kind := v.Get("kind")
	if len(kind.Body()) == 0 {
		y.say(v)
		return
	}
	k := p.parts.Of("response", kind)
	if read, ok := k.Read.(partReader); ok {
		read(p, y, v)
	} else if k.Known {
		y.keep(v)
	} else {
		p.send(y.named("part", n), &core.Unknown{RawType: k.Name, Raw: core.RawValue(v)})
	}
	if isCall(kind) {
		y.first = n + 1
	}
}

// pass notes a part that was passed on before.
func (y *reply) pass(v jsondoc.Value) {
	y.first++
	if isCall(v.Get("kind")) {
		if c := y.find(v); c != nil {
			c.told = true
			y.starts(c, v)
		}
	}
}

// keep keeps a part that says nothing we know.
func (y *reply) keep(v jsondoc.Value) { y.parts = append(y.parts, stream.Other(v)) }

// say adds a piece of text. The fences around an edit of a file are not said.
func (y *reply) say(v jsondoc.Value) {
	text := v.Get("value")
	if content := v.Get("content"); !text.Exists() && content.Exists() {
		if text = content; content.Kind() == jsondoc.Object {
			text = content.Get("value")
		}
	}
	said := text.Str()
	if fence := strings.Trim(said, " \r\n`"); fence == "" && strings.Contains(said, "```") {
		y.keep(v)
		return
	}
	y.add(said)
}

// add adds a text to the reply.
func (y *reply) add(said string) {
	if said == "" {
		return
	}
	y.text.WriteString(said)
	y.parts = append(y.parts, core.Part{Kind: core.TextPart, Text: core.Plain(said)})
}

// reference is what is in the text for a file or symbol.
func reference(v jsondoc.Value) string {
	if name := v.Get("name"); name.Kind() == jsondoc.String {
		return name.Str()
	}
	target := v.Get("inlineReference")
	if name := target.Get("name"); name.Kind() == jsondoc.String {
		return name.Str()
	}
	if uri := target.Get("uri"); uri.Exists() {
		target = uri
	}
	if file := filePath(target); file != "" {
		return path.Base(strings.ReplaceAll(file, `\`, "/"))
	}
	return ""
}

// think adds what the model thought: a text, or a list of them.
func (y *reply) think(v jsondoc.Value) {
	value := v.Get("value")
	texts := []string{value.Str()}
	if value.Kind() == jsondoc.Array {
		texts = texts[:0]
		for t := range value.Elems() {
			texts = append(texts, t.Str())
		}
	}
	for _, text := range texts {
		if text != "" {
			y.thought = append(y.thought, text)
			y.parts = append(y.parts, core.Part{Kind: core.ThinkingPart, Text: core.Plain(text)})
		}
	}
}

// flush passes on what was said since the last call.
func (p *parser) flush(y *reply) {
	if y.text.Len() == 0 && len(y.parts) == 0 && y.usage == nil {
		return
	}
	p.send(y.named("a", y.first), &core.AssistantTurn{
		Text: core.Plain(y.text.String()), Thinking: core.Plain(strings.Join(y.thought, "\n\n")), Model: y.model,
		MessageID: idOf(y.request), Usage: y.usage, Parts: y.parts,
	})
	y.text.Reset()
	y.parts, y.thought, y.usage = y.parts[:0], y.thought[:0], nil
}
