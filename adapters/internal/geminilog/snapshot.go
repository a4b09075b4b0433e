package geminilog

import (
	"bytes"
	"slices"

	"github.com/memscribe/memscribe/adapters/internal/google"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// snapshot reads a list that replaces all messages. The client writes one when it starts (with the
// context of the session), when it resumes (the same messages again, some under new ids), when it
// masks old outputs, and when it has compressed the conversation: then a summary stands for the
// messages that are gone, and those that are left have new ids (recorded 0.61.0).
func (p *Parser) snapshot(list jsondoc.Value) {
	clear(p.copies)
	p.copying, p.listing = false, true
	defer func() { p.listing = false }()
	p.list = p.list[:0]
	for v := range list.Elems() {
		p.list = append(p.list, v)
	}
	m := &p.messages
	for i, v := range p.list {
		m.read(v)
		if m.kind.Is("user") && p.isSummary(m, p.list[i+1:]) {
			p.kept(p.list[i+1:])
			p.name(m)
			p.ID, p.Time = m.name, m.at()
			place, known := p.find(m)
			p.compact(summaryText(m.content), m.name)
			if !known {
				place.before, place.index = p.first, 0 // who takes the summary back takes back all that it stands for
			}
			p.seen[stream.Hash([]byte(m.name))] = place
			continue
		}
		p.one(m, true)
	}
	p.ID, p.Parent, p.Time = "", "", core.Time{}
	p.asks = ""
	for part := range google.Parts(m.content) {
		if part.Kind == google.Call && m.kind.Is("gemini") {
			p.asks = part.Inner.Get("id").Str()
		}
	}
}

// restored reads that files and conversation were put back to what they were
// before a call: it is the last thing in the list that came before, and will be
// made again (recorded 0.61.0). The client names only what is left.
func (p *Parser) restored() bool {
	asked, ok := p.calls[stream.Hash([]byte(p.asks))]
	if !ok || asked.seq == 0 || asked.seq == p.Last {
		return false
	}
	p.send(&core.Rewind{ToEvent: "call:" + p.asks, ToSeq: asked.seq}, false)
	p.compacted = false
	return true
}

// remade reads that the client makes a call again that changed a file. Before 0.47
// nothing else tells what a person had put back: to before that call (source,
// 0.36; recorded 0.41.2). It returns by what such a call is known, or 0.
func (p *Parser) remade(e *entry, c *call) uint64 {
	restoring := p.restoring
	p.restoring = false
	name := p.Names.Of(c.name)
	if name != "replace" && name != "write_file" {
		return 0
	}
	key := stream.Hash(append([]byte(name+"\x00"), c.args.Raw()...))
	if to, ok := p.edits[key]; ok && restoring {
		p.ID = "rewind:" + e.name
		p.send(&core.Rewind{ToEvent: "call:" + to.id, ToSeq: to.seq}, false)
	}
	return key
}

// isSummary reports whether a message that was not there before is the summary
// of others: it says so itself, or is answered by the client in the model's name.
func (p *Parser) isSummary(m *entry, next []jsondoc.Value) bool {
	if _, known := p.seen[stream.Hash(m.id.Body())]; known {
		return false
	}
	for part := range google.Parts(m.content) {
		if part.Kind != google.Text {
			return false
		}
		if google.Judge(part.Text.Body()) == google.Summary {
			return true
		}
		break
	}
	return len(next) > 0 && next[0].Get("type").Is("gemini") && textOf(next[0].Get("content")) == receipt
}

// summaryText is the text of a summary: the first part of the content.
func summaryText(content jsondoc.Value) core.Text {
	for part := range google.Parts(content) {
		return core.Token(part.Text)
	}
	return core.Text{}
}

// kept finds the first message that a compression has left, to know how far the summary reaches.
func (p *Parser) kept(list []jsondoc.Value) {
	p.reach = 0
	var m entry
	for _, v := range list {
		m.read(v)
		if !m.kind.Is("user") {
			continue
		}
		if place, ok := p.seen[stream.Hash(m.id.Body())]; ok {
			p.reach = place.before
			return
		}
		if place, ok := p.saidBefore(m.content); ok {
			p.reach = place.before
			return
		}
	}
}

// saidBefore finds where a person said what is in a content.
func (p *Parser) saidBefore(content jsondoc.Value) (message, bool) {
	for part := range google.Parts(content) {
		if part.Kind != google.Text || google.Judge(part.Text.Body()) != google.Person {
			continue
		}
		t, ok := p.turns[textDigest(part.Text.Body())]
		return t.place, ok
	}
	return message{}, false
}

// compact emits a compaction.
func (p *Parser) compact(summary core.Text, name string) {
	body := core.Compaction{Summary: summary}
	end := p.Last
	if p.reach > 0 {
		end = min(p.reach, end)
	}
	p.reach = 0
	if end >= p.window {
		body.Start, body.End = p.window, end
		p.window = end + 1
	}
	p.ID = name
	p.send(&body, false)
	p.compacted = true
}

// isCopy reports whether a message of the user's role is one that was there before, under another
// id: as often as a text was said, it can be one. What the client has joined to such texts, as a
// prompt that no one answered, is new. Where the copies begin with a text that no person said here,
// they are of another session (recorded 0.61.0: a checkpoint that is resumed), and so is the rest.
func (p *Parser) isCopy(m *message) bool {
	t := &p.turn
	copied := 0
	for i, digest := range t.digests {
		known, ok := p.turns[digest]
		if p.copies[digest]++; ok && p.copies[digest] <= known.times {
			t.digests[i], *m = gone, known.place
			copied++
		}
	}
	if p.copying && p.whose == notKnown {
		p.whose = own
		if copied == 0 {
			p.whose = foreign
		}
	}
	switch {
	case copied == len(t.digests):
		return true
	case copied > 0:
		*m = message{before: p.Last, index: uint32(len(p.ids) - 1)}
		t.dropCopies()
	}
	if p.copying && p.whose == foreign {
		t.Put, t.PutParts = append(t.Put, t.Said...), append(t.PutParts, t.Parts...)
		t.Said, t.Parts = t.Said[:0], t.Parts[:0]
	}
	return false
}

// The digests of a message that has no words, and of a text that is a copy.
const (
	gone    = 0
	noWords = 1
)

// dropCopies leaves what is new of a message.
func (t *turn) dropCopies() {
	said, parts, kept := t.Said[:0], t.Parts[:0], false
	n := 0
	for _, part := range t.Parts {
		if part.Kind == core.TextPart {
			if kept = t.digests[n] != gone; kept {
				said = append(said, part.Text)
			}
			n++
		}
		if kept {
			parts = append(parts, part)
		}
	}
	t.Said, t.Parts = said, parts
	t.digests = slices.DeleteFunc(t.digests, func(d uint64) bool { return d == gone })
}

// typed notes what a person said.
func (p *Parser) typed(m message) {
	for _, digest := range p.turn.digests {
		p.turns[digest] = typed{times: p.turns[digest].times + 1, place: m}
	}
}

// author says whose words are being written again.
type author uint8

const (
	notKnown author = iota // until a record shows it
	own                    // of this session
	foreign                // of another one
)

// recopied notes that messages are being written again under new ids, line by line: the context of
// the session, or a summary, stands where a prompt would (recorded 0.61.0, after an answer was
// broken off and where a checkpoint is resumed). It lasts until a list replaces them all.
func (p *Parser) recopied() {
	if p.listing {
		p.briefed = true
		return
	}
	if !p.briefed && len(p.turns) == 0 {
		p.briefed = true // the context, for the first time
		return
	}
	if !p.copying {
		p.whose = notKnown
	}
	p.copying = true
	clear(p.copies)
}

// textDigest is the digest of a text as written in JSON.
func textDigest(body []byte) uint64 { return stream.Hash(trimmed(body)) }

// trimmed drops white space from both ends of a string as written in JSON.
func trimmed(b []byte) []byte {
	for {
		n := len(b)
		b = bytes.TrimSpace(b)
		for _, space := range [...]string{`\n`, `\r`, `\t`} {
			b = bytes.TrimPrefix(b, []byte(space))
			if bytes.HasSuffix(b, []byte(space)) && !bytes.HasSuffix(b, []byte(`\`+space)) {
				b = b[:len(b)-len(space)]
			}
		}
		if len(b) == n {
			return b
		}
	}
}
