package qwen

import (
	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

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
	t.Reset()
	person := p.isPerson(r)
	for part := range google.Parts(r.message.Get("parts")) {
		if part.Kind == google.Response {
			t.Responses++
			p.responded(r, part.Inner)
			continue
		}
		p.collect(part, person && t.Responses == 0)
	}
	if t.Responses == 0 && r.kind.Is("tool_result") && r.result.Exists() {
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
		t.Attach(person && !t.Appended, neutral)
		return
	}
	body := part.Text.Body()
	if len(body) == 0 {
		return
	}
	t.Appended = t.Appended || google.IsReference(body)
	switch voice := google.Judge(body); {
	case !person || t.Appended:
		t.Add(false, neutral.Text)
	case voice == google.Mixed:
		said, put := google.Unmix(part.Text.Str())
		t.AddSome(true, said)
		t.AddSome(false, put)
	default:
		t.Add(voice == google.Person, neutral.Text)
	}
}

// display takes for the person's words what the client notes as what they typed
// (0.2x on): the message has what an "@" or a command was replaced by.
func (p *parser) display(shown jsondoc.Value) {
	t := &p.turn
	if shown.Kind() != jsondoc.String || len(shown.Body()) == 0 {
		return
	}
	if len(t.Said) == 1 && string(t.Said[0].Append(nil)) == shown.Str() {
		return
	}
	kept := t.Parts[:0]
	for _, part := range t.Parts {
		if part.Kind == core.TextPart {
			t.Add(false, part.Text)
		} else {
			kept = append(kept, part)
		}
	}
	t.Said, t.Parts = t.Said[:0], kept
	t.Add(google.Judge(shown.Body()) != google.Command, core.Token(shown))
}

// say emits the turns of a record: a person's first, which so has the id of the
// record itself.
func (p *parser) say() {
	t := &p.turn
	if t.IsPerson() {
		p.prompt()
		p.User = core.UserTurn{Text: stream.Joined(t.Said), Parts: t.Parts}
		p.send(&p.User, false)
	}
	if t.IsPut() {
		p.User = core.UserTurn{Text: stream.Joined(t.Put), Parts: t.PutParts}
		p.send(&p.User, true)
	}
}
