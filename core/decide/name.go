package decide

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/decide/options"
	"github.com/memscribe/memscribe/core/decide/reading"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/score"
)

// name sets the options of a decision: what it chooses and what it rejects. A model judges the
// candidates of the sentence; options that the English rules found are kept. A decision that
// picks from a list, or accepts a proposal, has the options of the list or proposal.
func (j *Judge) name(d *Decided, p passage) {
	r := &j.reading
	defer r.stand(d)
	if d.EpitomeInAssistant {
		if len(d.Options) == 0 {
			d.Options = naming.Emphasised(r.Previous(), prose.Span{Start: d.Offset, End: d.Offset + len(d.Epitome)})
		}
		return
	}
	if slices.ContainsFunc(d.Options, func(o core.Option) bool { return o.InAssistant }) {
		return // it picks from a list
	}
	if j.namer == nil { // made when the first decision needs it
		j.namer = naming.New()
	}
	d.Options = j.named(r.candidates(j.namer, d.Options, p))
}

// maxNamed is the largest number of options of a passage.
const maxNamed = 8

// The sums from which on a candidate becomes an option, in thousandths of log odds, with the
// probability that a reader names it, too. They were chosen by cross-validation. The first
// chosen and the first rejected option need least, further ones in another clause more, and
// further ones in the same clause most.
const (
	leastFirst  = -1386 // 0.2
	leastClause = -847  // 0.3
	leastMore   = -600  // 0.35
)

// named returns the candidates that are likely enough, by offset. Of two that exclude each
// other, the likelier one is taken; [naming.Candidate.Last] says which are considered last.
func (j *Judge) named(all []naming.Candidate) []core.Option {
	var kept, likely []int
	var taken, left bool
	keep := func(i int) {
		kept = append(kept, i)
		taken, left = taken || all[i].Chosen, left || !all[i].Chosen
	}
	hasRoom := func(c *naming.Candidate) bool {
		return len(kept) < maxNamed && !slices.ContainsFunc(kept, func(k int) bool { return excludes(&all[k], c) })
	}
	for i := range all {
		if all[i].Rule {
			keep(i)
		}
	}
	sums := make([]int64, len(all))
	b := &j.bags.sentenceShape
	for i := range all {
		if all[i].Rule || all[i].Points() || !hasRoom(&all[i]) {
			continue
		}
		b.Reset()
		b.Add(Always)
		all[i].Signs(b)
		if sums[i] = j.model.Sum(score.Name, b, false); sums[i] > leastFirst {
			likely = append(likely, i)
		}
	}
	slices.SortStableFunc(likely, func(a, b int) int {
		if last := all[a].Last(); last != all[b].Last() {
			if last {
				return 1
			}
			return -1
		}
		return cmp.Compare(sums[b], sums[a])
	})
	for _, i := range likely {
		c := &all[i]
		least := int64(leastFirst)
		if taken && c.Chosen || left && !c.Chosen {
			least = leastClause
			if slices.ContainsFunc(kept, func(k int) bool { return all[k].Clause == c.Clause }) {
				least = leastMore
			}
		}
		if sums[i] > least && hasRoom(c) {
			keep(i)
		}
	}
	slices.Sort(kept)
	out := make([]core.Option, 0, len(kept))
	for _, i := range kept {
		o := all[i].Option
		text, at := j.reading.Turn.Text, prose.Span{Start: o.Offset, End: o.Offset + len(o.Text)}
		if o.InAssistant {
			text = j.reading.Previous()
		} else if name := all[i].Name; name.End-name.Start > len(o.Text) {
			at = name // all of "Next.js 15"
		}
		at = naming.Balanced(text, at)
		o.Text, o.Offset = at.In(text), at.Start
		if !slices.ContainsFunc(out, func(before core.Option) bool {
			return before.Offset == o.Offset && before.Text == o.Text && before.InAssistant == o.InAssistant
		}) {
			out = append(out, o)
		}
	}
	return out
}

// excludes reports whether a and b cannot both be options: they name the same, they overlap, or
// one is the whole clause that the other is in.
func excludes(a, b *naming.Candidate) bool {
	if !a.InAssistant && !b.InAssistant {
		if a.Clause == b.Clause && (a.Rule || a.Whole || b.Whole) || (a.Rule || a.Chosen == b.Chosen) && a.Offset < b.Offset+len(b.Text) && b.Offset < a.Offset+len(a.Text) {
			return true
		}
	}
	one, other := strings.ToLower(a.Text), strings.ToLower(b.Text)
	return one == other || a.Chosen == b.Chosen && (strings.Contains(one, other) || strings.Contains(other, one))
}

// candidates returns what a passage may choose or reject.
func (r *turn) candidates(n *naming.Namer, rules []core.Option, p passage) []naming.Candidate {
	in := naming.Passage{Text: r.Turn.Text, Before: r.Previous(), Group: r.group(), Best: p.best - p.first}
	if in.Group == "en" {
		in.Rules = rules // they know English
	}
	for i := p.first; i <= p.last; i++ {
		if len(in.Rules) > 0 {
			in.Certain = append(in.Certain, options.Certain(&r.Turn, r.Turn.Sentences[i], r.Scan.Of(i))...)
		}
		in.Sentences = append(in.Sentences, r.Turn.Sentences[i].Span)
	}
	in.Offered = naming.Offered(r.Previous(), r.span(p).In(r.Turn.Text))
	return n.Candidates(&in)
}

// NameEvidence is a candidate for an option, with its features by name.
type NameEvidence struct {
	core.Option
	Signs []string
}

// Names returns the candidates of a sentence of an exchange and its neighbours. Weights are
// learnt from it.
func Names(rules *gate.Rules, in Input, sentence int) []NameEvidence {
	r := &turn{Reading: reading.New(rules)}
	r.Read(in.Text, func() string { return in.PrevAssistant })
	r.verdict()
	p := passage{sentence, sentence, sentence}
	for _, k := range [...]int{sentence - 1, sentence + 1} {
		if k >= 0 && k < len(r.Turn.Sentences) && r.joins(p, k) {
			p.first, p.last = min(p.first, k), max(p.last, k)
		}
	}
	all := r.candidates(naming.New(), r.options(p), p)
	out := make([]NameEvidence, len(all))
	var b score.Bag
	b.Named()
	for i := range all {
		b.Reset()
		all[i].Signs(&b)
		out[i].Option = all[i].Option
		for _, c := range b.Counts(nil) {
			out[i].Signs = append(out[i].Signs, b.Name(c.Hash))
		}
		slices.Sort(out[i].Signs)
	}
	return out
}
