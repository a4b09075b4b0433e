package decide

import (
	"math"

	"github.com/memscribe/memscribe/core/score"
)

// weighed is a kind with the number of the model that recognises it.
type weighed struct {
	kind  Kind
	model int
}

// weighedKinds returns the kinds that are told apart by the words of a sentence.
func weighedKinds() [5]weighed {
	return [...]weighed{{Choice, score.Choice}, {Rule, score.Rule}, {Spec, score.Spec}, {Confirm, score.Confirm}, {Revoke, score.Revoke}}
}

// aspects sets the kind of a decision, and whether it is a ban and outlives its task. Models
// weigh the words of the sentence and what the rules say of it. A proposal of the assistant
// and a decision of a user's own rule keep what the rules say.
//
// The kind is the first that applies:
//
//	a ban                                       Ban
//	it chooses between two options              Choice, or what the rules say
//	else                                        the kind with the highest sum
func (j *Judge) aspects(d *Decided, p passage) {
	r := &j.reading
	if d.EpitomeInAssistant || r.Decisive() {
		return
	}
	isBan := j.bans(p)
	b := &j.bags
	r.sentenceFeatures(b, p.best)
	r.aspectFeatures(b, d, p.best)
	d.IsBan = isBan
	d.Standing = j.aspect(score.Standing) > 0 || d.IsBan && d.Standing
	switch {
	case d.IsBan:
		d.Kind = Ban
		return
	case alternatives(d.Options):
		if d.Kind == Ban {
			d.Kind = Choice
		}
		return
	}
	best := int64(math.MinInt64)
	for _, w := range weighedKinds() {
		if n := j.aspect(w.model); n > best {
			best, d.Kind = n, w.kind
		}
	}
}

// aspect returns the sum of a model over the features of the current sentence, in thousandths
// of log odds. Above 0 the model says yes.
func (j *Judge) aspect(model int) int64 {
	return j.model.Sum(model, &j.bags.sentence, true) + j.model.Sum(model, &j.bags.sentenceShape, false)
}

// aspectFeatures adds what the rules say of the decision in sentence i to the features of the
// sentence. The names are keys of weights.tsv and must not change.
func (r *turn) aspectFeatures(b *bags, d *Decided, i int) {
	sh := &b.sentenceShape
	sh.Add(Always)
	sh.Add("rules say ", string(d.Kind))
	for _, is := range [...]struct {
		said bool
		name string
	}{
		{d.IsBan, "forbids"},
		{d.Standing, "standing"},
		{d.Revokes, "revokes"},
		{d.Confirmation, "confirms"},
		{alternatives(d.Options), "alternatives"},
		{r.Asks(i), "asks"},
	} {
		if is.said {
			sh.Add("rules say it ", is.name)
		}
	}
	sh.Add("rules find options ", bucket(len(d.Options), 0, 1, 3))
}

// Always is a feature that every sentence has. Its weight is the constant term of a model.
const Always = "always"
