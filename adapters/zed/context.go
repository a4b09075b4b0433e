package zed

import (
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
	if id := v.Get("id").Str(); id != "" {
		p.Session = id
	}
	if model := v.Get("model"); model.Kind() == jsondoc.String {
		p.model = model.Str()
	}
	p.Send(stream.Head{ID: p.Session}, &core.SessionStart{Model: p.model})
	for i, m := range pieces(v) {
		h := stream.Head{ID: p.Session + "/" + strconv.Itoa(i), Time: m.sent}
		switch said := core.Plain(m.text); {
		case strings.TrimSpace(m.text) == "": // where the person would go on
		case m.role == "assistant":
			p.Send(h, &core.AssistantTurn{Text: said, Model: p.model, Parts: []core.Part{{Kind: core.TextPart, Text: said}}})
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
		role := of.Get("role").Str()
		if role == "" {
			role = m.Get("role").Str()
		}
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
