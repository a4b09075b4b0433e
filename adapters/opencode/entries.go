package opencode

import (
	"slices"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// entered reads an entry of the later layout (recorded 1.18.34: what is asked over
// "/api/session"; kinds but user and assistant read in source), in which a
// message is one row with everything that belongs to it.
func (p *parser) entered(h stream.Head, row jsondoc.Value) {
	key := h.ID
	if p.has(key) {
		p.Known(stream.Head{ID: key + "#entry"}, "entry/again") // it also lies in the older layout
		return
	}
	p.marks = append(p.marks, mark{message: key, id: p.LastID, seq: p.Last, known: p.LastID != ""})
	v := row.Get("data")
	h.Time = stream.Millis(row.Get("time_created"))
	if at := stream.Millis(v.Path("time", "created")); !at.IsZero() {
		h.Time = at
	}
	p.message, p.Parent, p.Scope = message{id: key, time: h.Time}, "", ""
	p.read(entry, row.Get("type"), h, v)
}

// put reads what the client says in a person's place.
func (p *parser) put(h stream.Head, v jsondoc.Value) { p.inject(h, v.Get("text"), v) }

// ran reads a command that a person ran.
func (p *parser) ran(h stream.Head, v jsondoc.Value) {
	p.files.Ran(v.Get("command").Str())
	p.inject(h, v.Get("command"), v)
}

// inject emits a text that the client put in the person's place.
func (p *parser) inject(h stream.Head, text, v jsondoc.Value) {
	h.Injected = true
	p.Send(h, &core.UserTurn{Text: core.Token(text), Parts: []core.Part{stream.Other(v)}})
}

// has reports whether a message was read before.
func (p *parser) has(key string) bool {
	return slices.ContainsFunc(p.marks, func(m mark) bool { return m.message == key })
}

// asked reads what a person typed, and what they put beside it.
func (p *parser) asked(h stream.Head, v jsondoc.Value) {
	text := core.Token(v.Get("text"))
	h.Injected = p.Thread != ""
	if !h.Injected {
		text = typed(text)
	}
	turn := &core.UserTurn{Text: text, Parts: []core.Part{stream.Text(text)}}
	for _, list := range []string{"files", "agents", "skills"} {
		for item := range v.Get(list).Elems() {
			turn.Parts = append(turn.Parts, stream.Other(item))
		}
	}
	p.Send(h, turn)
}

// responded reads a response of the model, in the order of its content.
func (p *parser) responded(h stream.Head, v jsondoc.Value) {
	p.message.model = v.Path("model", "id").Str()
	turn := &core.AssistantTurn{Model: p.message.model, MessageID: p.message.id, Usage: usage(v.Get("tokens"))}
	if failure := v.Get("error"); failure.Exists() {
		turn.Parts = []core.Part{stream.Other(failure)}
	}
	p.Send(h, turn)
	open := v.Path("time", "created").Exists() && !v.Path("time", "completed").Exists()
	for item := range v.Get("content").Elems() {
		switch kind := item.Get("type").Str(); kind {
		case "text":
			text := core.Token(item.Get("text"))
			p.Send(h, &core.AssistantTurn{Text: text, Model: p.message.model, MessageID: p.message.id, Unfinished: open, Parts: []core.Part{stream.Text(text)}})
		case "reasoning":
			p.Send(h, &core.AssistantTurn{Thinking: core.Token(item.Get("text")), Model: p.message.model, MessageID: p.message.id})
		case "tool":
			p.used(h, item)
		default:
			p.Keep(h, "content/"+kind, item, false)
		}
	}
}

// used reads a call and its result.
func (p *parser) used(h stream.Head, v jsondoc.Value) {
	state := v.Get("state")
	c := call{
		id: v.Get("id").Str(), name: v.Get("name").Str(), input: state.Get("input"), meta: state.Get("metadata"),
		output: state.Get("content"), failure: state.Get("error"), status: state.Get("status").Str(), exit: state.Path("structured", "exit"),
	}
	if structured := state.Get("structured"); !c.meta.Exists() {
		c.meta = structured
	}
	if c.output.Len() == 0 && c.meta.Exists() {
		c.output = c.meta // what was read is there alone (recorded 1.18.34)
	}
	if c.failure.Kind() == jsondoc.Object {
		c.failure = c.failure.Get("message")
	}
	for _, at := range []string{"ran", "created"} {
		if t := stream.Millis(v.Path("time", at)); !t.IsZero() {
			h.Time = t
			break
		}
	}
	p.Send(h, &core.ToolCall{CallID: c.id, Name: c.name, Args: core.RawValue(c.input)})
	if t := stream.Millis(v.Path("time", "completed")); !t.IsZero() {
		h.Time = t
	}
	p.result(h, &c)
}

// replaced reads a compaction that has come to its end.
func (p *parser) replaced(h stream.Head, v jsondoc.Value) {
	if status := v.Get("status"); status.Exists() && !status.Is("completed") {
		p.Known(h, "entry/compaction")
		return
	}
	p.compacted(h, core.Token(v.Get("summary")))
}
