package segment

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
)

// Away says where a text is that was let go.
type Away struct {
	At       int64
	Size     int // 0: it was not
	confirms bool
}

// LetGo drops the text of the turn, which the caller keeps elsewhere: hardly any
// decision is asked for its words again, and a person's turns are most of what a
// session would leave in memory.
func (d *Decision) LetGo(at int64) {
	d.Away = Away{At: at, Size: len(d.Turn), confirms: d.Confirming != ""}
	for i := range d.Markers {
		d.Markers[i].Text = strings.Clone(d.Markers[i].Text)
	}
	d.Turn, d.Confirming = "", ""
}

// Whole returns the decision with the text of its turn, which was let go.
func (d *Decision) Whole(turn string) *Decision {
	whole := *d
	whole.Turn, whole.Away = turn, Away{}
	if d.Away.confirms {
		whole.Confirming = turn
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
		options[i] = core.Option{Text: strings.Clone(o.Text), Chosen: o.Chosen}
	}
	if len(options) > 0 {
		d.Options = options
	}
}
