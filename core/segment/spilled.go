package segment

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Spilled is where the texts of a decision are stored outside of memory: the turn, then
// the assistant's message.
type Spilled struct {
	At       int64
	Size     int // of both texts in bytes; 0 if nothing was spilled
	turn     int // of the turn alone
	confirms bool
}

// Spill drops the turn and the assistant's message from memory, where they are most of
// what a finished session takes. The caller has stored them, one after the other, at at.
//
// Spill may be called once, after the nodes of the decision were sent. [Decision.Restore]
// returns a complete copy, in the rare case that they are sent again.
func (d *Decision) Spill(at int64) {
	d.Spilled = Spilled{At: at, Size: len(d.Turn) + len(d.Said), turn: len(d.Turn), confirms: d.Confirming != ""}
	for i := range d.Markers {
		d.Markers[i].Text = strings.Clone(d.Markers[i].Text)
	}
	d.Turn, d.Said, d.Confirming = "", "", ""
}

// Restore returns a copy of the decision with its spilled texts: the Spilled.Size bytes
// stored at Spilled.At.
func (d *Decision) Restore(texts string) *Decision {
	whole := *d
	whole.Turn, whole.Said, whole.Spilled = texts[:d.Spilled.turn], texts[d.Spilled.turn:], Spilled{}
	if d.Spilled.confirms {
		whole.Confirming = whole.Turn
	}
	return &whole
}

// cloneTexts copies the epitome, options and markers, which would otherwise keep the whole
// turn and the assistant's message in memory.
func (d *Decision) cloneTexts() {
	d.Markers = slices.Clone(d.Markers)
	d.Epitome = strings.Clone(d.Epitome)
	options := make([]core.Option, len(d.Options))
	for i, o := range d.Options {
		o.Text = strings.Clone(o.Text)
		options[i] = o
	}
	if len(options) > 0 {
		d.Options = options
	}
}
