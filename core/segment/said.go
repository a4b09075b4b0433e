package segment

import (
	"slices"
	"strconv"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// maxSaid bounds what is kept of the assistant's last words: a proposal that a
// person accepts stands near their end.
const maxSaid = 16 << 10

// add takes in a piece of what the assistant says. Pieces that no person
// answered in between follow each other with a blank line.
func (s *said) add(ev *core.Event, b *core.AssistantTurn) {
	if b.Text.IsEmpty() {
		return
	}
	if len(s.text) > 0 {
		s.text = append(s.text, "\n\n"...)
	}
	s.text = b.Text.Append(s.text)
	if extra := len(s.text) - maxSaid; extra > maxSaid { // not at every piece
		n := copy(s.text, s.text[extra:])
		s.text = s.text[:n]
	}
	if cap(s.text) > 4*maxSaid {
		s.text = slices.Clone(s.text)
	}
	s.seq, s.at = ev.Seq, ev.At
	if b.Model != "" {
		s.model = b.Model
	}
}

// tail is what is kept of it.
func (s *said) tail() string { return string(s.text[max(0, len(s.text)-maxSaid):]) }

// NodeID is the id of the decision's node.
func (d *Decision) NodeID() string {
	return core.NodeID("decision", d.Head.Source, d.Origin, strconv.Itoa(d.Index))
}

// maxLookBack is how many decisions back a revocation is looked for: people
// take back what is still in their minds, and looking must not come to cost what
// the session is long.
const maxLookBack = 256

// revoked finds the decision that d takes back: the latest one that stands and
// names one of the options that d names.
func (t *Thread) revoked(d *Decision) *Decision {
	for i := len(t.Decisions) - 1; i >= max(0, len(t.Decisions)-maxLookBack); i-- {
		old := t.Decisions[i]
		if old.SupersededSince != Never {
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
