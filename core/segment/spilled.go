package segment

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Spilled is where the texts of a decision are kept outside of memory: the turn,
// followed by the assistant's message.
type Spilled struct {
	At       int64
	Size     int // of both texts in bytes; 0 if nothing was spilled
	turn     int // of the turn alone
	confirms bool
}

// Spill drops the turn and the assistant's message from memory. The caller has stored
// them at at, one after the other. Few decisions are ever sent a second time, and the
// texts of turns are most of what a finished session would keep in memory.
// It can be called once for a decision, after its nodes were sent; [Decision.Restore]
// makes a whole copy to send again.
func (d *Decision) Spill(at int64) {
	d.Spilled = Spilled{At: at, Size: len(d.Turn) + len(d.Said), turn: len(d.Turn), confirms: d.Confirming != ""}
	for i := range d.Markers {
		d.Markers[i].Text = strings.Clone(d.Markers[i].Text)
	}
	d.Turn, d.Said, d.Confirming = "", "", ""
}

// Restore returns a copy of the decision with its spilled texts.
// Texts are what was stored, Spilled.Size bytes from Spilled.At.
func (d *Decision) Restore(texts string) *Decision {
	whole := *d
	whole.Turn, whole.Said, whole.Spilled = texts[:d.Spilled.turn], texts[d.Spilled.turn:], Spilled{}
	if d.Spilled.confirms {
		whole.Confirming = whole.Turn
	}
	return &whole
}

// own copies the decision's words and markers. Without it they would share the memory of
// the whole turn and of the assistant's message, and keep both alive.
func (d *Decision) own() {
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
