package zed

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// piece is a message of a conversation in text.
type piece struct {
	text string
	role string
	sent core.Time
}

// context reads a conversation in text: messages are pieces of one text. Only the
// very first version gave each its own.
func (p *parser) context(v jsondoc.Value) {
	p.Session = cmp.Or(v.Get("id").Str(), p.Session)
	p.model = cmp.Or(v.Get("model").Str(), p.model)
	p.Send(stream.Head{ID: p.Session}, &core.SessionStart{Model: p.model})
	for i, m := range pieces(v) {
		h := stream.Head{ID: p.Session + "/" + strconv.Itoa(i), Time: m.sent}
		switch said := core.Plain(m.text); {
		case strings.TrimSpace(m.text) == "": // where the person would go on
		case m.role == "assistant":
			p.Says(h, p.model, said)
		default:
			h.Injected = m.role != "user"
			p.Said(h, said)
		}
	}
}

// pieces cuts the text of a conversation at the beginnings of its messages. Whose
// a message is, it says itself since 0.4; before, a table by its number did, which
// in the first versions also said when it was sent.
func pieces(v jsondoc.Value) []piece {
	text, about := v.Get("text").Str(), v.Get("message_metadata")
	var out []piece
	var starts []int
	for m := range v.Get("messages").Elems() {
		of := m.Get("metadata")
		if id, ok := m.Get("id").Int(); ok && !of.Exists() {
			of = about.Get(strconv.FormatInt(id, 10))
		}
		role := cmp.Or(of.Get("role").Str(), m.Get("role").Str())
		at, _ := m.Get("start").Int()
		out = append(out, piece{text: m.Get("content").Str(), role: role, sent: core.ParseTime(of.Get("sent_at").Str())})
		starts = append(starts, min(max(int(at), 0), len(text)))
	}
	starts = append(starts, len(text))
	for i := range out {
		if out[i].text == "" {
			out[i].text = strings.TrimSuffix(text[starts[i]:max(starts[i], starts[i+1])], "\n")
		}
	}
	return out
}

// legacy reads a message as it was before 0.3: by its role, with segments or one
// text. The results of a response's calls are in it or, in 0.1, in the
// person's message behind it.
func (p *parser) legacy(h stream.Head, m jsondoc.Value) {
	cost := p.Cost
	p.Cost = nil
	own := map[string]bool{}
	for use := range m.Get("tool_uses").Elems() {
		own[use.Get("id").Str()] = true
	}
	p.results(h, m, own, false)
	text, thinking, parts := segments(m)
	switch role := m.Get("role"); {
	case role.Is("assistant"):
		p.Send(h, &core.AssistantTurn{Text: text, Thinking: thinking, Model: p.model, MessageID: h.ID, Usage: cost, Parts: parts})
	case role.Is("user") && text.IsEmpty() && m.Get("tool_results").Len() > 0: // there is nothing else in it
	default:
		h.Injected = p.Thread != "" || m.Get("is_hidden").Bool() || !role.Is("user")
		p.Send(h, &core.UserTurn{Text: text, Parts: parts})
	}
	for use := range m.Get("tool_uses").Elems() {
		c := call{name: use.Get("name").Str(), input: use.Get("input")}
		p.calls[use.Get("id").Str()] = c
		p.Send(h, &core.ToolCall{CallID: use.Get("id").Str(), Name: c.name, Args: core.RawValue(c.input)})
	}
	p.results(h, m, own, true)
}

// cost is what the request cost that message i answers. Before 0.3 the thread had
// a list of as many as it had messages; what stood for the message before was
// copied to each that no request had been made for.
func (p *parser) cost(i int) *core.Usage {
	if p.costs.Kind() != jsondoc.Array {
		return nil
	}
	var before, own *core.Usage
	n := 0
	for v := range p.costs.Elems() {
		if n > i {
			break
		}
		before, own = own, stream.Nonzero(tokens(v))
		n++
	}
	if n <= i || own == nil || before != nil && *before == *own {
		return nil
	}
	return own
}

// results reads the results in a message: those of its own calls, or of earlier
// ones.
func (p *parser) results(h stream.Head, m jsondoc.Value, own map[string]bool, wantOwn bool) {
	for r := range m.Get("tool_results").Elems() {
		if id := r.Get("tool_use_id").Str(); own[id] == wantOwn {
			p.result(h, p.calls[id], r)
		}
	}
}

// segments are the texts of a message.
func segments(m jsondoc.Value) (text, thinking core.Text, parts []core.Part) {
	if !m.Get("segments").Exists() {
		text = core.Token(m.Get("text"))
		return text, thinking, []core.Part{stream.Text(text)}
	}
	var said stream.Prompt
	var thought []string
	for s := range m.Get("segments").Elems() {
		switch kind := s.Get("type"); {
		case kind.Is("text"):
			said.Say(s.Get("text"))
		case kind.Is("thinking"):
			thought = append(thought, s.Get("text").Str())
		default:
			said.Keep(s)
		}
	}
	text, parts = said.All("")
	return text, core.Plain(strings.Join(thought, "\n\n")), parts
}
