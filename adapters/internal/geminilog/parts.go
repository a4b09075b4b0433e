package geminilog

import (
	"strconv"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// parted is a call that stands among the parts of the model's messages and has no
// result yet. In a log it is passed on with the list of calls that follows, which says
// more; where there is none, with the response.
type parted struct {
	id, name string
	given    bool // the id is not the model's
	args     []byte
}

// takeNamed returns the call that a response without an id answers, and forgets it: the
// oldest of its name that has none either.
func (p *Parser) takeNamed(name string) parted {
	for _, c := range p.open.All() {
		if c.given && c.name == name {
			return p.open.Take(c.id)
		}
	}
	return parted{}
}

// made notes a call that stands among the parts of a message.
func (p *Parser) made(e *entry, inner jsondoc.Value) {
	c := parted{id: inner.Get("id").Str(), name: p.Names.Of(inner.Get("name"))}
	if c.id == "" {
		if !p.Echo {
			return // the list of calls has one
		}
		c.id, c.given = e.name+"/"+strconv.Itoa(p.open.Len()+1), true
	}
	if p.calls[stream.Hash([]byte(c.id))].progress&called != 0 {
		return
	}
	if again := p.open.Take(c.id).id != ""; again && !p.Echo {
		return
	}
	c.args = append(c.args, inner.Get("args").Raw()...)
	p.open.Put(c.id, c, len(c.args))
}

// responded reads the response to a call among the parts of a message. Nearly
// always it is known already from the list of calls.
func (p *Parser) responded(inner jsondoc.Value) {
	id := inner.Get("id").Str()
	var c parted
	if id == "" {
		c = p.takeNamed(p.Names.Of(inner.Get("name")))
		id = c.id
	}
	key := stream.Hash([]byte(id))
	state := p.calls[key]
	if id == "" || state.progress&resulted != 0 {
		return
	}
	if c.id == "" {
		c = p.open.Take(id)
	}
	was, at := p.ID, p.Time
	found, args := c.id != "", stream.Parsed(&p.args, c.args)
	if found && state.progress&called == 0 {
		p.calling(id, c.name, core.RawValue(args))
		state.seq = p.Last
	}
	told, failed := google.Output(inner)
	p.ID = "result:" + id
	p.Result = core.ToolResult{CallID: id, OK: !failed, Output: core.RawValue(inner)}
	google.Answer(&p.Result, c.name, args, told)
	p.send(&p.Result, false)
	state.progress |= called | resulted
	if p.Echo && !failed {
		p.effects(google.Edit{Tool: c.name, Args: args, Told: told}, id)
		state.progress |= done
	}
	p.calls[key] = state
	p.ID, p.Time = was, at
}

// isContent reports whether a list holds contents: {"role","parts"}.
func isContent(list jsondoc.Value) bool {
	for c := range list.Elems() {
		return c.Get("role").Exists() && c.Get("parts").Exists()
	}
	return false
}

// contents reads a checkpoint: a list of contents, which have neither ids nor
// times. They are named after what they say, and repeat what a session says.
func (p *Parser) contents(e *entry, list jsondoc.Value) {
	p.Echo = true
	p.start(e)
	for v := range list.Elems() {
		m := p.messages.read(v)
		m.content = m.parts
		m.name = core.ContentID(v.Raw())
		for n := 2; ; n++ {
			if _, again := p.seen[stream.Hash([]byte(m.name))]; !again {
				break
			}
			m.name = core.ContentID(v.Raw()) + "-" + strconv.Itoa(n)
		}
		p.content(m)
	}
	for name, v := range e.root.Fields() {
		if string(v.Raw()) != string(list.Raw()) {
			p.member("checkpoint/", name, v, true)
		}
	}
	p.Echo = false
}

// content reads one content of a checkpoint.
func (p *Parser) content(e *entry) {
	p.ID, p.Parent, p.Time = e.name, "", core.Time{}
	m, _ := p.find(e)
	switch string(e.role.Body()) {
	case "user":
		p.userMessage(e, &m, arrival{})
	case "model":
		p.answer(e, &m, arrival{})
	default:
		p.keep(p.Names.Joined("role/", p.Names.Of(e.role)), e.root, false)
	}
	p.seen[stream.Hash([]byte(e.name))] = m
}
