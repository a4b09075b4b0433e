package segment

import (
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/jsondoc"
)

// maxSaid is how many bytes of the assistant's last words are kept. A proposal that a
// person accepts is near their end.
const maxSaid = 16 << 10

// lastWords is what the assistant said since the person's last turn: what a "yes" answers.
// Few turns are a "yes", so the text is stored as it is in the transcript and decoded when
// it is needed.
//
//	text                    decoded, up to 2 × maxSaid bytes
//	undecoded, pieces       after it, JSON-quoted or plain, up to 2 × maxSaid bytes
//
// tail returns the last maxSaid bytes, whenever the rest is decoded.
type lastWords struct {
	text      []byte  // decoded
	undecoded []byte  // as it is in the transcript
	pieces    []piece // of undecoded
	seq       uint64
	at        core.Location
}

// piece is the text of one event.
type piece struct {
	end    int // in undecoded
	quoted bool
}

// add appends the text of an event. A blank line separates it from the one before.
func (s *lastWords) add(ev *core.Event, b *core.AssistantTurn) {
	if b.Text.IsEmpty() {
		return
	}
	text := b.Text.Ending(maxSaid)
	if len(s.undecoded)+text.Size() > 2*maxSaid {
		s.decode()
	}
	var quoted bool
	s.undecoded, quoted = text.AppendStored(s.undecoded)
	s.pieces = append(s.pieces, piece{len(s.undecoded), quoted})
	if len(s.undecoded) > 2*maxSaid {
		s.decode()
	}
	s.seq, s.at = ev.Seq, ev.At
}

// decode moves undecoded pieces to text.
func (s *lastWords) decode() {
	from := 0
	for _, p := range s.pieces {
		if len(s.text) > 0 {
			s.text = append(s.text, "\n\n"...)
		}
		if p.quoted {
			s.text = jsondoc.Unquote(s.text, s.undecoded[from:p.end])
		} else {
			s.text = append(s.text, s.undecoded[from:p.end]...)
		}
		from = p.end
	}
	s.undecoded, s.pieces = s.undecoded[:0], s.pieces[:0]
	if extra := len(s.text) - maxSaid; extra > maxSaid { // not for every piece
		n := copy(s.text, s.text[extra:])
		s.text = s.text[:n]
	}
	const most = 4 * maxSaid
	if cap(s.text) > most {
		s.text = slices.Clone(s.text)
	}
	if cap(s.undecoded) > most {
		s.undecoded = nil
	}
}

// tail returns the last maxSaid bytes.
func (s *lastWords) tail() string {
	s.decode()
	return string(s.text[max(0, len(s.text)-maxSaid):])
}

// empty reports whether the assistant said nothing.
func (s *lastWords) empty() bool { return len(s.text) == 0 && len(s.pieces) == 0 }

// reset forgets the words.
func (s *lastWords) reset() {
	s.text, s.undecoded, s.pieces = s.text[:0], s.undecoded[:0], s.pieces[:0]
}

// NodeID returns the id of the decision's node.
func (d *Decision) NodeID() string {
	return core.NodeID("decision", d.Head.Source, d.Origin, strconv.Itoa(d.Index))
}

// maxLookBack is how many decisions are searched for the one that a revocation means.
// People revoke what they remember, and the search must not take longer with the length of
// the session.
const maxLookBack = 256

// maxGaps limits the gaps of a decision, which [Decision.Live] goes through.
const maxGaps = 32

// findRevoked returns the decision that d revokes: the latest one in force that has an
// option of d.
func (t *Thread) findRevoked(d *Decision) *Decision {
	for i := len(t.Decisions) - 1; i >= max(0, len(t.Decisions)-maxLookBack); i-- {
		old := t.Decisions[i]
		if len(old.Gaps) >= maxGaps || !old.isInForce() {
			continue
		}
		for _, o := range d.Options {
			if hasOption(old, o.Text) {
				return old
			}
		}
	}
	return nil
}

// hasOption reports whether a decision has an option of this name, in any case.
func hasOption(d *Decision, option string) bool {
	for _, o := range d.Options {
		if strings.EqualFold(o.Text, option) {
			return true
		}
	}
	return false
}
