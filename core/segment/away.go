package segment

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Away says where the texts of a decision are that were let go: its turn, and
// behind it what the assistant said.
type Away struct {
	At       int64
	Size     int // of both; 0: they were not
	turn     int // of the turn
	confirms bool
}

// LetGo drops the texts in which the words of the decision stand, which the caller
// keeps elsewhere, one behind the other: hardly any decision is asked for its words
// again, and a person's turns are most of what a session would leave in memory.
func (d *Decision) LetGo(at int64) {
	d.Away = Away{At: at, Size: len(d.Turn) + len(d.Said), turn: len(d.Turn), confirms: d.Confirming != ""}
	for i := range d.Markers {
		d.Markers[i].Text = strings.Clone(d.Markers[i].Text)
	}
	d.Turn, d.Said, d.Confirming = "", "", ""
}

// Whole returns the decision with the texts that were let go.
func (d *Decision) Whole(texts string) *Decision {
	whole := *d
	whole.Turn, whole.Said, whole.Away = texts[:d.Away.turn], texts[d.Away.turn:], Away{}
	if d.Away.confirms {
		whole.Confirming = whole.Turn
	}
	return &whole
}

// own gives the decision words and markers of its own: those that it comes with
// would keep the whole turn, and what the assistant said before it, in memory.
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
