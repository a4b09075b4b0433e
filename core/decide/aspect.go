package decide

import (
	"math"

	"github.com/memscribe/memscribe/core/score"
)

// weighed is a kind with the model that tells it.
type weighed struct {
	kind  Kind
	model int
}

// weighedKinds returns the kinds that the words of a sentence tell apart.
func weighedKinds() [5]weighed {
	return [...]weighed{{Choice, score.Choice}, {Rule, score.Rule}, {Spec, score.Spec}, {Confirm, score.Confirm}, {Revoke, score.Revoke}}
}

// aspects says of what kind a decision is and whether it outlives its task. What the rules
// say is evidence beside the words. Of what the assistant proposed, and where a rule of the
// user's own decides, it is told by the rules alone.
// Bans come first: they outrank the other kinds. A sentence with two options that it
// chooses between is a choice, whatever its words.
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

// aspect returns what a model weighs of the sentence whose features were collected.
func (j *Judge) aspect(model int) int64 {
	return j.model.Sum(model, &j.bags.sentence, true) + j.model.Sum(model, &j.bags.sentenceShape, false)
}

// aspectFeatures adds what the rules say of what sentence i decides, to the features of
// the sentence. The names are part of the weights.
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

// Always is the feature that every sentence has by which its aspects are told: it holds
// what a model weighs without any other.
const Always = "always"
