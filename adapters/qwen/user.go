package qwen

import (
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// turn collects what one record says, until it is known whose words they are.
type turn struct {
	said, put       []core.Text // a person's words, and the client's
	parts, putParts []core.Part
	responses       int
	appended        bool // what follows is not the person's
}

func (t *turn) reset() {
	*t = turn{said: t.said[:0], put: t.put[:0], parts: t.parts[:0], putParts: t.putParts[:0]}
}

func (t *turn) add(said bool, text core.Text) {
	if said {
		t.said = append(t.said, text)
		t.parts = append(t.parts, stream.Text(text))
		return
	}
	t.put = append(t.put, text)
	t.putParts = append(t.putParts, stream.Text(text))
}

func (t *turn) addSome(said bool, text string) {
	if text != "" {
		t.add(said, core.Plain(text))
	}
}

func (t *turn) attach(said bool, part core.Part) {
	if said {
		t.parts = append(t.parts, part)
		return
	}
	t.putParts = append(t.putParts, part)
}

// isPerson reports whether a record of the user's role can hold a person's words.
// Those that the client makes up have a subtype, but for two: what was typed
// while the model worked, and what was said aloud (source).
func (p *parser) isPerson(r *record) bool {
	switch {
	case p.Thread != "": // what the parent agent says to its subagent
		return false
	case r.source.Exists() && !r.source.Is("real_user"): // 0.2x on
		return false
	case !r.subtype.Exists(), r.subtype.Kind() == jsondoc.Null:
		return r.kind.Is("user")
	}
	return r.subtype.Is("mid_turn_user_message") || r.subtype.Is("realtime_message")
}

// userRecord reads a record of the user's role: a prompt, the results of a call,
// or what the client says in the user's name. The first versions write results
// under the type "user" (reported by another reader).
func (p *parser) userRecord(r *record) {
	t := &p.turn
	t.reset()
	person := p.isPerson(r)
	for part := range google.Parts(r.message.Get("parts")) {
		if part.Kind == google.Response {
			t.responses++
			p.responded(r, part.Inner)
			continue
		}
		p.collect(part, person && t.responses == 0)
	}
	if t.responses == 0 && r.kind.Is("tool_result") && r.result.Exists() {
		p.responded(r, jsondoc.Value{})
	}
	if person {
		p.display(r.payload.Get("displayText"))
	}
	p.say()
}

// collect sorts in a part of a prompt by whose words it is.
func (p *parser) collect(part google.Part, person bool) {
	t := &p.turn
	neutral := part.Neutral(&p.Names)
	if part.Kind != google.Text {
		t.attach(person && !t.appended, neutral)
		return
	}
	body := part.Text.Body()
	if len(body) == 0 {
		return
	}
	t.appended = t.appended || google.IsReference(body)
	switch voice := google.Judge(body); {
	case !person || t.appended:
		t.add(false, neutral.Text)
	case voice == google.Mixed:
		said, put := google.Unmix(part.Text.Str())
		t.addSome(true, said)
		t.addSome(false, put)
	default:
		t.add(voice == google.Person, neutral.Text)
	}
}

// display takes for the person's words what the client notes as what they typed
// (0.2x on): the message has what an "@" or a command was replaced by.
func (p *parser) display(shown jsondoc.Value) {
	t := &p.turn
	if shown.Kind() != jsondoc.String || len(shown.Body()) == 0 {
		return
	}
	if len(t.said) == 1 && string(t.said[0].Append(nil)) == shown.Str() {
		return
	}
	kept := t.parts[:0]
	for _, part := range t.parts {
		if part.Kind == core.TextPart {
			t.add(false, part.Text)
		} else {
			kept = append(kept, part)
		}
	}
	t.said, t.parts = t.said[:0], kept
	t.add(google.Judge(shown.Body()) != google.Command, core.Token(shown))
}

// say emits the turns of a record: a person's first, which so has the id of the
// record itself.
func (p *parser) say() {
	t := &p.turn
	if len(t.said) > 0 || len(t.parts) > 0 {
		p.prompt()
		p.User = core.UserTurn{Text: stream.Joined(t.said), Parts: t.parts}
		p.send(&p.User, false)
	}
	if len(t.put) > 0 || len(t.putParts) > 0 {
		p.User = core.UserTurn{Text: stream.Joined(t.put), Parts: t.putParts}
		p.send(&p.User, true)
	}
}
