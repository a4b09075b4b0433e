package segment

import (
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxSaid bounds what is kept of the assistant's last words: a proposal that a
// person accepts stands near their end.
const maxSaid = 16 << 10

// said is the last thing the assistant said: what a person's "yes" answers. Hardly any
// turn is one, so that what is said waits as it stands in the transcript, and is
// decoded when it is asked for.
//
//	text                    decoded, its last maxSaid bytes and up to as much again
//	waiting, pieces         behind it, still JSON-quoted or plain, at most 2 × maxSaid
//
// It lasts until the person's next turn. The order of decoding does not matter for the
// result: tail is always the last maxSaid bytes of all that was said since.
type said struct {
	text    []byte  // its end, decoded, or some more
	waiting []byte  // what follows that, as it was stored
	pieces  []piece // of waiting
	seq     uint64
	at      core.Location
}

// piece is what one event said.
type piece struct {
	end    int // in waiting
	quoted bool
}

// add takes in a piece of what the assistant says. Pieces that no person
// answered in between follow each other with a blank line.
func (s *said) add(ev *core.Event, b *core.AssistantTurn) {
	if b.Text.IsEmpty() {
		return
	}
	text := b.Text.Ending(maxSaid)
	if len(s.waiting)+text.Size() > 2*maxSaid {
		s.decode()
	}
	var quoted bool
	s.waiting, quoted = text.AppendStored(s.waiting)
	s.pieces = append(s.pieces, piece{len(s.waiting), quoted})
	if len(s.waiting) > 2*maxSaid {
		s.decode()
	}
	s.seq, s.at = ev.Seq, ev.At
}

// decode moves what waits to the text.
func (s *said) decode() {
	from := 0
	for _, p := range s.pieces {
		if len(s.text) > 0 {
			s.text = append(s.text, "\n\n"...)
		}
		if p.quoted {
			s.text = jsondoc.Unquote(s.text, s.waiting[from:p.end])
		} else {
			s.text = append(s.text, s.waiting[from:p.end]...)
		}
		from = p.end
	}
	s.waiting, s.pieces = s.waiting[:0], s.pieces[:0]
	if extra := len(s.text) - maxSaid; extra > maxSaid { // not at every piece
		n := copy(s.text, s.text[extra:])
		s.text = s.text[:n]
	}
	const most = 4 * maxSaid
	if cap(s.text) > most {
		s.text = slices.Clone(s.text)
	}
	if cap(s.waiting) > most {
		s.waiting = nil
	}
}

// tail is what is kept of it.
func (s *said) tail() string {
	s.decode()
	return string(s.text[max(0, len(s.text)-maxSaid):])
}

// answered says that what was said no longer is the last word.
func (s *said) answered() {
	s.text, s.waiting, s.pieces = s.text[:0], s.waiting[:0], s.pieces[:0]
}

// NodeID is the id of the decision's node.
func (d *Decision) NodeID() string {
	return core.NodeID("decision", d.Head.Source, d.Origin, strconv.Itoa(d.Index))
}

// maxLookBack is how many decisions back a revocation is looked for: people
// take back what is still in their minds, and looking must not come to cost what
// the session is long.
const maxLookBack = 256

// maxOuts is how often a decision is taken back and again not: each of these times is
// remembered, and whoever asks whether it held goes through all of them.
const maxOuts = 32

// revoked finds the decision that d takes back: the latest one that stands and
// names one of the options that d names.
func (t *Thread) revoked(d *Decision) *Decision {
	for i := len(t.Decisions) - 1; i >= max(0, len(t.Decisions)-maxLookBack); i-- {
		old := t.Decisions[i]
		if len(old.Outs) >= maxOuts || !old.stands() {
			continue
		}
		for _, o := range d.Options {
			if names(old, o.Text) {
				return old
			}
		}
	}
	return nil
}

func names(d *Decision, option string) bool {
	for _, o := range d.Options {
		if strings.EqualFold(o.Text, option) {
			return true
		}
	}
	return false
}
