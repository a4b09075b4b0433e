package decide

import (
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/prose"
)

// together reports whether two decisions of a brief, of the passages p and q, are better read as
// one: the passages are neighbours in one paragraph, and both are plain words of the person. What
// takes back or outlives its task stands for itself, and so does what forbids, but beside what
// forbids for this task, too: "Do not change the design. Do not change the tests."
//
//	All three fields are optional, but one must be set.     ┐
//	Display an error if none is.                            ┘ one decision
func (r *turn) together(p, q passage, a, b *Decided) bool {
	if a.IsBan != b.IsBan || len(r.Turn.Sentences) < brief || p.last+1 != q.first || r.Turn.Sentences[p.last].Paragraph != r.Turn.Sentences[q.first].Paragraph || !r.joins(p, q.best) {
		return false
	}
	for _, d := range [...]*Decided{a, b} {
		if d.EpitomeInAssistant || d.Confirmation || d.Revokes || d.Standing || d.Kind == Rule || d.usesMessage() {
			return false
		}
	}
	return b.Offset+len(b.Epitome)-a.Offset <= maxTogether
}

// usesMessage reports whether an option is of the message before.
func (d *Decided) usesMessage() bool {
	return slices.ContainsFunc(d.Options, func(o core.Option) bool { return o.InAssistant })
}

// join makes a the decision of both passages. It has the options of both, the kind that precedes,
// and the score of the surer one.
func (r *turn) join(a, b *Decided) {
	span := prose.Span{Start: a.Offset, End: b.Offset + len(b.Epitome)}
	a.Epitome, a.Markers = span.In(r.Turn.Text), r.markersIn(span)
	for _, o := range b.Options {
		if len(a.Options) < maxNamed && !slices.ContainsFunc(a.Options, func(p core.Option) bool { return p.Text == o.Text }) {
			a.Options = append(a.Options, o)
		}
	}
	if precedes(b.Kind, a.Kind) {
		a.Kind = b.Kind
	}
	a.Score, a.margin = max(a.Score, b.Score), max(a.margin, b.margin)
}
