package claudecode

import (
	"bytes"
	"time"

	"github.com/memscribe/memscribe/adapters/claudecode/internal/voice"
	"github.com/memscribe/memscribe/adapters/internal/stream"
	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// copies tells the records that a resume wrote again. Since 1.0.88 they keep their
// uuids, and so their names; before, they get uuids of their own and all the time
// of the resume (recorded 1.0.60, 1.0.81, 1.0.88).
//
// Such a copy is as old as the record before it, or some milliseconds younger, and lacks something:
// a result its toolUseResult, which every other one has (recorded 1.0.60: 107 of 107, wild 1.0.17
// and 1.0.24: 40 of 40), and a prompt its form, for it is a list of one text. The first record has
// none before it: it is known by the title of what is resumed, if that is in the line above
// (recorded 1.0.60: in 9 of 11), else by the record that comes next.
type copies struct {
	telling bool   // a result that is a copy is being sent
	titled  bool   // the transcript begins with a title
	before  []byte // the time of the latest record of a turn; nil is none
	held    *held
	// What a stream of prompts has written again so far; see replays.
	prompts []uint64 // of the transcript, in their order
	next    int      // which of them comes next, if they are written again
	chained bool     // a record has had a parent
	// prompting is the id of the latest record of a turn, if it is a command that
	// stands for a prompt.
	prompting []byte
}

// expands reports whether a record holds the prompt for which the command in the record before it
// stands. It says so itself (isMeta), but copies do not (recorded 1.0.109).
func (c *copies) expands(r *record) bool {
	return len(c.prompting) > 0 && bytes.Equal(r.parent.Body(), c.prompting) && c.asOldAsTheLast(r)
}

// replays reports whether a prompt is one that the transcript has already. A client to which
// prompts are streamed writes all that was before each of them again, into the same transcript and
// in the same form, from a record on that has no parent (recorded 1.0.70).
func (c *copies) replays(r *record, content jsondoc.Value, v *version) bool {
	if !v.renamesCopies() || content.Kind() != jsondoc.String {
		return false
	}
	text := stream.Hash(content.Body())
	if c.chained && r.parent.Kind() == jsondoc.Null {
		c.next = 0
	}
	if c.next < len(c.prompts) && c.prompts[c.next] == text {
		c.next++
		return true
	}
	c.prompts = append(c.prompts, text)
	c.next = len(c.prompts)
	return false
}

// held is a first prompt that may be a copy, until the next record tells.
type held struct {
	id, parentID string
	time         core.Time
	text         core.Text
}

// see takes in a record after it was read, and whether it is a command that stands for a prompt.
func (c *copies) see(r *record, prompting bool) {
	switch {
	case r.kind.Is("summary"):
		c.titled = c.titled || c.before == nil
	case r.kind.Is("user"), r.kind.Is("assistant"):
		c.chained = c.chained || r.parent.Kind() == jsondoc.String
		c.before = append(c.before[:0], r.time.Body()...)
		c.prompting = c.prompting[:0]
		if prompting {
			c.prompting = append(c.prompting, r.uuid.Body()...)
		}
	}
}

// result reports whether a record with results is a copy.
func (c *copies) result(r *record, v *version) bool {
	return v.renamesCopies() && !r.result.Exists() && c.asOldAsTheLast(r)
}

// IsCopy implements [mcpedits.Copier].
func (p *parser) IsCopy() bool { return p.copies.telling }

// prompt reports whether a record with a prompt is a copy.
func (c *copies) prompt(r *record, content jsondoc.Value, v *version) bool {
	if !v.renamesCopies() || content.Kind() != jsondoc.Array {
		return false
	}
	if c.before == nil {
		return c.titled
	}
	return c.asOldAsTheLast(r)
}

// hold keeps the first prompt of a transcript if it may be a copy, and reports whether it did.
func (p *parser) hold(content jsondoc.Value) bool {
	if p.copies.before != nil || !p.version.renamesCopies() || p.Thread != "" || content.Kind() != jsondoc.Array {
		return false
	}
	n, only := 0, jsondoc.Value{}
	for block := range content.Elems() {
		n, only = n+1, block.Get("text")
	}
	if n != 1 || only.Kind() != jsondoc.String || voice.Of(only.Body()) != voice.Person {
		return false
	}
	p.copies.held = &held{p.ID, p.Parent, p.Time, core.Plain(only.Str())}
	return true
}

// release says what is held, unless this record shows it to be a copy: then both are equally old.
func (p *parser) release(r *record) {
	h := p.copies.held
	if h == nil || !r.kind.Is("user") && !r.kind.Is("assistant") {
		return
	}
	p.copies.held = nil
	if p.copies.asOldAsTheLast(r) {
		return
	}
	id, parent, copyOf, at := p.ID, p.Parent, p.CopyOf, p.Time
	p.ID, p.Parent, p.CopyOf, p.Time = "prompt:"+h.id, h.parentID, "", h.time
	p.tree.Prompt(p.Last)
	p.prompted = p.Session
	p.User = core.UserTurn{Text: h.text, Parts: []core.Part{{Kind: core.TextPart, Text: h.text}}}
	p.send(&p.User, false)
	p.ID, p.Parent, p.CopyOf, p.Time, p.Emitted = id, parent, copyOf, at, false
}

// pause is how long a client may take between two records that it copies: it looks at
// its clock for each (recorded 1.0.51: a millisecond).
const pause = 5 * time.Millisecond

func (c *copies) asOldAsTheLast(r *record) bool {
	if bytes.Equal(c.before, r.time.Body()) {
		return len(c.before) > 0
	}
	last, err := time.Parse(time.RFC3339, string(c.before))
	now, again := time.Parse(time.RFC3339, string(r.time.Body()))
	return err == nil && again == nil && now.After(last) && now.Sub(last) <= pause
}

// renamesCopies reports whether the version is one that gives copies new ids.
func (v *version) renamesCopies() bool { return v.text != "" && !v.atLeast(1, 0, 88) }
