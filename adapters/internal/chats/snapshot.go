package chats

import (
	"bytes"

	"github.com/memscribe/memscribe/adapters/internal/genai"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// snapshot reads a list that replaces all messages. The client writes one when it
// starts (with the context of the session), when it resumes (the same messages
// again, some under new ids), when it masks old outputs, and when it has
// compressed the conversation: then a summary stands for the messages that are
// gone, and those that are left have new ids (recorded 0.61.0).
func (p *Parser) snapshot(list jsondoc.Value) {
	clear(p.copies)
	p.copying, p.listing = false, true
	defer func() { p.listing = false }()
	p.list = p.list[:0]
	for v := range list.Elems() {
		p.list = append(p.list, v)
	}
	m := &p.message
	for i, v := range p.list {
		m.read(v)
		if m.kind.Is("user") && p.isSummary(m, p.list[i+1:]) {
			p.kept(p.list[i+1:])
			p.name(m)
			p.id, p.time = m.name, m.at()
			place, _ := p.find(m)
			p.compact(summaryText(m.content), m.name)
			p.seen[genai.Digest([]byte(m.name))] = place
			continue
		}
		p.one(m, true)
	}
	p.id, p.parentID, p.time = "", "", core.Time{}
}

// isSummary reports whether a message that was not there before is the summary
// of others: it says so itself, or is answered by the client in the model's name.
func (p *Parser) isSummary(m *entry, next []jsondoc.Value) bool {
	if _, known := p.seen[genai.Digest(m.id.Body())]; known {
		return false
	}
	for part := range genai.Parts(m.content) {
		if part.Kind != genai.Text {
			return false
		}
		if genai.Judge(part.Text.Body()) == genai.Summary {
			return true
		}
		break
	}
	return len(next) > 0 && next[0].Get("type").Is("gemini") && textOf(next[0].Get("content")) == receipt
}

func summaryText(content jsondoc.Value) core.Text {
	for part := range genai.Parts(content) {
		return core.Token(part.Text)
	}
	return core.Text{}
}

// kept finds the first message that a compression has left, to know how far the
// summary reaches.
func (p *Parser) kept(list []jsondoc.Value) {
	p.reach = 0
	var m entry
	for _, v := range list {
		m.read(v)
		if !m.kind.Is("user") {
			continue
		}
		if place, ok := p.seen[genai.Digest(m.id.Body())]; ok {
			p.reach = place.before
			return
		}
		if t, ok := p.turns[contentDigest(m.content)]; ok {
			p.reach = t.place.before
			return
		}
	}
}

// compact emits a compaction.
func (p *Parser) compact(summary core.Text, name string) {
	body := core.Compaction{Summary: summary}
	end := p.last
	if p.reach > 0 {
		end = min(p.reach, end)
	}
	p.reach = 0
	if end >= p.window {
		body.Start, body.End = p.window, end
		p.window = end + 1
	}
	p.id = name
	p.send(&body, false)
	p.compacted = true
}

// isCopy reports whether a message of the user's role is one that was there
// before, under another id: as often as a text was said, it can be one.
func (p *Parser) isCopy(e *entry, m *message) bool {
	digest := contentDigest(e.content)
	p.copies[digest]++
	t, ok := p.turns[digest]
	if !ok || p.copies[digest] > t.times {
		return false
	}
	*m = t.place
	return true
}

// typed notes what a person said.
func (p *Parser) typed(e *entry, m message) {
	digest := contentDigest(e.content)
	p.turns[digest] = typed{times: p.turns[digest].times + 1, place: m}
}

// contentDigest is the digest of the texts in a content.
func contentDigest(content jsondoc.Value) uint64 {
	h := uint64(0)
	for part := range genai.Parts(content) {
		if part.Kind == genai.Text {
			h = h*31 + genai.Digest(trimmed(part.Text.Body()))
		}
	}
	return h
}

// recopied notes that messages are being written again under new ids, line by
// line: the context of the session, or a summary, stands where a prompt would
// (source, 0.55 on). It lasts until a list replaces them all.
func (p *Parser) recopied() {
	if len(p.turns) == 0 || p.listing {
		return
	}
	p.copying = true
	clear(p.copies)
}

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
