package codex

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/adapters/codex/rollout"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// prompts is what is known of a person's turns.
//
// A turn shows as an event that holds exactly what was typed (user_message, or a UserMessage item
// in a paginated thread) and as an item for the model, which looks like the items by which the tool
// adds context. So the event counts. Only a file that has no such events, which is no real one
// (wild, hand-made), has its items believed: see flush.
type prompts struct {
	told    bool   // by events
	pending string // text of an item that may be a person's, before any event
	since   int64  // its moment
	seen    map[string]int
	epoch   int // how often seen was begun
}

// maxSeen bounds the turns whose repetition is counted.
const maxSeen = 1 << 16

// maxPending bounds the text that is kept of a prompt without an event.
const maxPending = 1 << 20

// typed emits a person's turn, told by an event. First is the first string of its text.
func (p *parser) typed(id string, text core.Text, first, kind jsondoc.Value) {
	p.prompts.told, p.prompts.pending = true, ""
	human := !p.machine && !rollout.IsContextKind(kind) && !rollout.IsOldContext(p.head(first))
	if human {
		p.turns.begin()
	}
	if typed, ok := p.behindContext(first); ok {
		text = core.Plain(typed)
		p.Parts = slices.DeleteFunc(p.Parts, func(part core.Part) bool { return part.Kind == core.TextPart })
		p.Parts = append(p.Parts, core.Part{Kind: core.OtherPart, Raw: core.RawValue(first)})
	}
	p.User = core.UserTurn{Text: text, Parts: p.pieces(text)}
	// Versions up to 0.47 send an image as a turn of its own, before the text
	// (recorded). No one typed that.
	pictureOnly := text.IsEmpty() && len(p.Parts) > 0 // text would be one of the parts
	p.saidByUser(id, human && !pictureOnly)
}

// saidByUser emits p.User.
func (p *parser) saidByUser(id string, human bool) {
	own, original := id, id
	if id == "" {
		p.buf = p.User.Text.Append(p.buf[:0])
		own, original = p.prompts.names(core.ContentID(p.buf), p.id, p.lineage.Origin)
	}
	p.emitCopy(own, original, &p.User, !human)
}

// emitCopy is emit for an event that has another id in the thread that it may be a copy.
func (p *parser) emitCopy(id, original string, body core.Body, injected bool) {
	p.ID, p.CopyOf, p.Scope = id, "", ""
	if p.lineage.Copying {
		p.CopyOf = original
	}
	p.send(body, injected)
}

// names makes the id of a turn that has none: the thread, a hash of the text, and how often the
// thread has had that text. A fork that copies a thread's turns gives them the same names.
func (s *prompts) names(hash, own, origin string) (id, original string) {
	if s.seen == nil || len(s.seen) == maxSeen {
		s.seen = map[string]int{}
		s.epoch++
	}
	tail := ":user:" + hash[:16]
	if s.epoch > 1 {
		tail += "~" + strconv.Itoa(s.epoch)
	}
	key := origin + tail
	s.seen[key]++
	if n := s.seen[key]; n > 1 {
		tail += "-" + strconv.Itoa(n)
	}
	return own + tail, origin + tail
}

// requestHeading stands before what a person typed where an editor put its own
// context first: the IDE extension and the app (wild, 0.140).
const requestHeading = "## My request for Codex:"

// behindContext is what a person typed below an editor's context.
func (p *parser) behindContext(text jsondoc.Value) (string, bool) {
	if !bytes.Contains(text.Body(), []byte(requestHeading)) {
		return "", false
	}
	s := text.Str()
	if !strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "# ") {
		return "", false
	}
	at := strings.LastIndex(s, requestHeading)
	return strings.Trim(s[at+len(requestHeading):], " \t\r\n"), true
}

// userItem reads an item of the user's side: context that the tool adds, or
// what an event tells as well.
func (p *parser) userItem(id string, content, kinds jsondoc.Value) {
	text, first := p.content(content)
	switch {
	case rollout.IsInjectedItem(kinds, p.head(first)):
		p.User = core.UserTurn{Text: text, Parts: p.pieces(text)}
		p.inject(id, &p.User)
		return
	case !p.prompts.told && !p.machine && text.Size() <= maxPending:
		p.prompts.pending, p.prompts.since = text.String(), p.ms
	}
	p.noteAs(id, "response_item/message", true)
}

// flush emits a prompt that no event has told, once the model answers. No file
// that Codex wrote since September 2025 needs it.
func (p *parser) flush() {
	if p.prompts.pending == "" {
		return
	}
	text := p.prompts.pending
	p.prompts.pending = ""
	if p.prompts.told || p.inherited() {
		return
	}
	p.turns.begin()
	p.Parts = p.Parts[:0]
	p.User = core.UserTurn{Text: core.Plain(text), Parts: p.pieces(core.Plain(text))}
	p.saidByUser("", true)
}

// answeredAtOnce reports whether an item is the model's answer to a prompt that no
// event has told, and came sooner than any model answers.
func (s *prompts) answeredAtOnce(item jsondoc.Value, ms int64) bool {
	const soonest = 20 // ms
	if s.pending == "" || s.told || s.since == 0 || ms-s.since >= soonest {
		return false
	}
	return !item.Get("type").Is("message") || item.Get("role").Is("assistant")
}

// head decodes the beginning of a string.
func (p *parser) head(v jsondoc.Value) string {
	body := v.Body()
	p.buf = jsondoc.Unquote(p.buf[:0], body[:min(len(body), headLen)])
	return string(p.buf)
}

const headLen = 200
