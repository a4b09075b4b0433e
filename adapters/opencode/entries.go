package opencode

import (
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// entered reads an entry of the later layout (recorded 1.18.34: what is asked over
// "/api/session"; kinds but user and assistant read in source), in which a
// message is one row with everything that belongs to it.
func (p *parser) entered(key string, row jsondoc.Value) {
	if p.has(key) {
		p.known(head{id: key + "#entry"}, "entry/again") // it also lies in the older layout
		return
	}
	p.marks = append(p.marks, mark{message: key, id: p.lastID, seq: p.last, known: p.lastID != ""})
	v, kind := row.Get("data"), row.Get("type").Str()
	h := head{id: key, time: moment(row.Get("time_created"))}
	if at := moment(v.Path("time", "created")); !at.IsZero() {
		h.time = at
	}
	p.message = message{id: key, time: h.time}
	switch kind {
	case "user":
		p.asked(h, v)
	case "synthetic", "system", "skill":
		h.injected = true
		text := core.Token(v.Get("text"))
		p.send(h, &core.UserTurn{Text: text, Parts: []core.Part{{Kind: core.OtherPart, Raw: core.RawValue(v)}}})
	case "shell":
		h.injected = true
		text := core.Token(v.Get("command"))
		p.files.Ran(v.Get("command").Str())
		p.send(h, &core.UserTurn{Text: text, Parts: []core.Part{{Kind: core.OtherPart, Raw: core.RawValue(v)}}})
	case "assistant":
		p.responded(h, v)
	case "compaction":
		p.replaced(h, v)
	case "location-switched":
		p.place(v.Path("location", "directory").Str(), "")
		p.known(h, "entry/"+kind)
	case "agent-switched", "model-switched", "idle":
		p.known(h, "entry/"+kind)
	default:
		p.send(h, &core.Unknown{RawType: "entry/" + kind, Raw: p.raw})
	}
}

// has reports whether a message was read before.
func (p *parser) has(key string) bool {
	for _, m := range p.marks {
		if m.message == key {
			return true
		}
	}
	return false
}

// asked reads what a person typed, and what they put beside it.
func (p *parser) asked(h head, v jsondoc.Value) {
	text := core.Token(v.Get("text"))
	h.injected = p.thread != ""
	if !h.injected {
		text = typed(text)
	}
	turn := &core.UserTurn{Text: text, Parts: textPart(text)}
	for _, list := range []string{"files", "agents", "skills"} {
		for item := range v.Get(list).Elems() {
			turn.Parts = append(turn.Parts, core.Part{Kind: core.OtherPart, Raw: core.RawValue(item)})
		}
	}
	p.send(h, turn)
}

// responded reads a response of the model, in the order of its content.
func (p *parser) responded(h head, v jsondoc.Value) {
	p.message.model = v.Path("model", "id").Str()
	turn := &core.AssistantTurn{Model: p.message.model, MessageID: p.message.id, Usage: usage(v.Get("tokens"))}
	if failure := v.Get("error"); failure.Exists() {
		turn.Parts = []core.Part{{Kind: core.OtherPart, Raw: core.RawValue(failure)}}
	}
	p.send(h, turn)
	for item := range v.Get("content").Elems() {
		switch kind := item.Get("type").Str(); kind {
		case "text":
			text := core.Token(item.Get("text"))
			p.send(h, &core.AssistantTurn{Text: text, Model: p.message.model, MessageID: p.message.id, Parts: textPart(text)})
		case "reasoning":
			p.send(h, &core.AssistantTurn{Thinking: core.Token(item.Get("text")), Model: p.message.model, MessageID: p.message.id})
		case "tool":
			p.used(h, item)
		default:
			p.send(h, &core.Unknown{RawType: "content/" + kind, Raw: core.RawValue(item)})
		}
	}
}

// used reads a call and its result.
func (p *parser) used(h head, v jsondoc.Value) {
	state := v.Get("state")
	c := call{
		id: v.Get("id").Str(), name: v.Get("name").Str(), input: state.Get("input"), meta: state.Get("metadata"),
		output: state.Get("content"), failure: state.Get("error"), status: state.Get("status").Str(), exit: state.Path("structured", "exit"),
	}
	if structured := state.Get("structured"); !c.meta.Exists() {
		c.meta = structured
	}
	if isEmpty(c.output) && c.meta.Exists() {
		c.output = c.meta // what was read stands there alone (recorded 1.18.34)
	}
	if c.failure.Kind() == jsondoc.Object {
		c.failure = c.failure.Get("message")
	}
	for _, at := range []string{"ran", "created"} {
		if t := moment(v.Path("time", at)); !t.IsZero() {
			h.time = t
			break
		}
	}
	p.send(h, &core.ToolCall{CallID: c.id, Name: c.name, Args: core.RawValue(c.input)})
	if t := moment(v.Path("time", "completed")); !t.IsZero() {
		h.time = t
	}
	p.result(h, &c)
}

// replaced reads a compaction that has come to its end.
func (p *parser) replaced(h head, v jsondoc.Value) {
	if status := v.Get("status"); status.Exists() && !status.Is("completed") {
		p.known(h, "entry/compaction")
		return
	}
	p.compacted(h, core.Token(v.Get("summary")))
}

func isEmpty(list jsondoc.Value) bool {
	for range list.Elems() {
		return false
	}
	return true
}
