package decide

import (
	"cmp"
	"slices"

	"github.com/memscribe/memscribe/core/decide/forbid"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/decide/reading"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/prose"
	"github.com/memscribe/memscribe/core/score"
)

// Named is a feature by name, and how often it is in its bag.
type Named struct {
	Name string
	N    int
}

// Evidence is all features of an exchange by name, before they are weighed. It takes a hundred
// times the memory of a [Judge]'s bags, and is for learning and explaining.
type Evidence struct {
	Own, Before, Reply, Shape []Named
	Sentences                 []SentenceEvidence
	Shapes                    int // number of the model that weighs Shape
}

// SentenceEvidence is the features of one sentence of the turn.
type SentenceEvidence struct {
	prose.Span
	Words, Shape []Named
	Aspects      []Named // what the rules say of its decision
	Forbids      []Named // evidence for and against a ban; empty without a word that can forbid
	Plain        bool    // it forbids in a plain form
}

// EvidenceOf returns the features of an exchange. Weights are learnt from it.
func EvidenceOf(rules *gate.Rules, in Input) Evidence {
	r := &turn{Reading: reading.New(rules)}
	r.Read(in.Text, func() string { return in.PrevAssistant })
	var b bags
	for _, x := range []*score.Bag{&b.own, &b.before, &b.reply, &b.shape, &b.sentence, &b.sentenceShape} {
		x.Named()
	}
	r.verdict()
	r.turnFeatures(&b)
	a := r.keep(&b)
	replyFeatures(rules, &b, a, in.Reply)
	editFeatures(&b, a, in.Reply, in.Edited)
	group := r.group()
	ev := Evidence{Shapes: shapesOf(group), Own: named(&b.own), Before: named(&b.before), Reply: named(&b.reply), Shape: named(&b.shape)}
	forbidding, forms := naming.NewForbidding(), forbid.New()
	for i := range min(len(r.Turn.Sentences), maxSentences) {
		r.sentenceFeatures(&b, i)
		s := SentenceEvidence{Span: r.Turn.Sentences[i].Span, Words: named(&b.sentence), Shape: named(&b.sentenceShape)}
		d := r.decided(passage{i, i, i})
		b.sentenceShape.Reset()
		r.aspectFeatures(&b, &d, i)
		s.Aspects = named(&b.sentenceShape)
		b.sentenceShape.Reset()
		some, plain := r.signsOfBan(forbidding, forms, &b.sentenceShape, group, i)
		if s.Plain = plain; some {
			s.Forbids = named(&b.sentenceShape)
		}
		ev.Sentences = append(ev.Sentences, s)
	}
	return ev
}

// named returns the features of a bag by name.
func named(b *score.Bag) []Named {
	counts := b.Counts(nil)
	out := make([]Named, len(counts))
	for i, c := range counts {
		out[i] = Named{b.Name(c.Hash), c.N}
	}
	return out
}

// Term is a piece of evidence and its weight in thousandths of log odds.
type Term struct {
	Feature string
	Weight  int64
}

// Explanation is how an exchange came to its score. Features of the turn's own words are named
// "says …", those of its best sentence begin with "s ".
type Explanation struct {
	Score    int
	Sentence string // the best sentence
	Terms    []Term // the heaviest first
}

// Explain returns how an exchange came to its score: each piece of evidence with its weight.
// Terms of weight 0 are left out. The sum of the weights is not the score, but its log odds.
func (j *Judge) Explain(in Input) Explanation {
	ev := EvidenceOf(j.reading.Rules, in)
	var x Explanation
	var sum int64
	add := func(of int, features []Named, oneLength bool, factor int64) (total int64) {
		length := lengthOfAll(features, oneLength)
		for _, f := range features {
			w := j.model.Weight(of, score.Hash(f.Name))
			if oneLength {
				w = w * score.Value(f.N) / length
			}
			total += w
			if w = w * factor / score.Unit; w != 0 {
				x.Terms = append(x.Terms, Term{f.Name, w})
			}
		}
		return total
	}
	for _, block := range [][]Named{ev.Own, ev.Before, ev.Reply} {
		sum += add(score.Exchange, block, true, j.model.Turn)
	}
	sum += add(ev.Shapes, ev.Shape, false, j.model.Turn)
	best, at := int64(0), -1
	for i, s := range ev.Sentences {
		n := add(score.OfOne, s.Words, true, 0) + add(score.OfOne, s.Shape, false, 0)
		if s.Plain {
			n += ForDecision(add(score.Ban, s.Forbids, false, 0) + add(score.Ban, s.Shape, false, 0))
		}
		if at < 0 || n > best {
			best, at = n, i
		}
	}
	if at >= 0 {
		s := ev.Sentences[at]
		x.Sentence = s.In(in.Text)
		add(score.OfOne, s.Words, true, j.model.Sentence)
		add(score.OfOne, s.Shape, false, j.model.Sentence)
		if s.Plain {
			if w := ForDecision(add(score.Ban, s.Forbids, false, 0)+add(score.Ban, s.Shape, false, 0)) * j.model.Sentence / score.Unit; w != 0 {
				x.Terms = append(x.Terms, Term{"forbids in a plain form", w})
			}
		}
		x.Score = j.model.Score(j.model.Mix(sum, best))
	}
	slices.SortStableFunc(x.Terms, func(a, b Term) int {
		return cmp.Or(cmp.Compare(max(b.Weight, -b.Weight), max(a.Weight, -a.Weight)), cmp.Compare(a.Feature, b.Feature))
	})
	return x
}

// lengthOfAll returns the length of a block of features, by which their weights are divided, or
// 1 if the block is not normalised; see [score.Model.Sum].
func lengthOfAll(features []Named, oneLength bool) int64 {
	if !oneLength {
		return 1
	}
	counts := make([]score.Count, len(features))
	for i, f := range features {
		counts[i].N = f.N
	}
	return score.Length(counts)
}
