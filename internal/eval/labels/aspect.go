package labels

import (
	"math"
	"strings"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/score"
)

// How it is learnt what a sentence decides; chosen by cross-validation outside the locked
// fifth.
const (
	// AspectRidge pulls the weights towards 0.
	AspectRidge = 0.5
	mostAspect  = 1_500

	// BanRidge is the same for the words that forbid, which are few.
	BanRidge = 0.15
	// BanShape is how much a shape of the sentence counts beside such a word: less than there
	// is [ShapeValue], for there are as many of them as labelled bans.
	BanShape = 0.08
	// BanAside is what turns that decide nothing count against those that do.
	BanAside = 0.5
)

// aspect is one thing to know of a sentence that decides.
type aspect struct {
	model int
	holds func(t *Turn) bool
}

func aspects() []aspect {
	is := func(k decide.Kind) func(t *Turn) bool { return func(t *Turn) bool { return t.Kind() == k } }
	return []aspect{
		{model: score.Choice, holds: is(decide.Choice)},
		{model: score.Rule, holds: is(decide.Rule)},
		{model: score.Spec, holds: is(decide.Spec)},
		{model: score.Confirm, holds: is(decide.Confirm)},
		{model: score.Revoke, holds: is(decide.Revoke)},
		{model: score.Standing, holds: func(t *Turn) bool { return t.Scope == "standing" || t.Repo == seedRepo && t.Kind() == decide.Rule }},
	}
}

// learnAspects learns what a sentence decides from those that do.
func learnAspects(reads []Read) []score.Entry {
	v := vocabularyOf(func(yield func(project, name string)) {
		for i := range reads {
			for _, s := range reads[i].Sentences {
				for _, block := range [][]decide.Named{s.Words, s.Shape, s.Aspects} {
					for _, f := range block {
						yield(reads[i].Repo, f.Name)
					}
				}
			}
		}
	})
	shapes := map[string]bool{}
	for i := range reads {
		for _, s := range reads[i].Sentences {
			for _, block := range [][]decide.Named{s.Shape, s.Aspects} {
				for _, f := range block {
					shapes[f.Name] = true
				}
			}
		}
	}
	scale := func(name string) float64 {
		if shapes[name] {
			return ShapeValue
		}
		return 1
	}
	var out []score.Entry
	for _, a := range aspects() {
		l := newLearner(aspectSamples(reads, a, v), len(v.names))
		l.fit(AspectRidge)
		entries := l.entries(a.model, v, scale, mostAspect)
		out = append(out, withBias(entries, a.model, l.bias)...)
	}
	return append(out, learnBans(reads)...)
}

// learnBans learns which of the sentences forbid that have a word that may: by these words, and by
// the shape of the sentence.
//
// Only sentences with a word that may forbid are samples. Of a turn that forbids, the
// sentence with the epitome counts, and the others only where it has no rival.
func learnBans(reads []Read) []score.Entry {
	v := vocabularyOf(func(yield func(project, name string)) {
		for i := range reads {
			for _, s := range reads[i].Sentences {
				if len(s.Forbids) == 0 {
					continue
				}
				for _, block := range [][]decide.Named{s.Forbids, s.Shape} {
					for _, f := range block {
						yield(reads[i].Repo, f.Name)
					}
				}
			}
		}
	})
	var samples []sample
	for i := range reads {
		r := &reads[i]
		of := 0
		for _, x := range r.Sentences {
			of += one(len(x.Forbids) > 0)
		}
		for k, x := range r.Sentences {
			if len(x.Forbids) == 0 || r.bans() && k != r.target && of > 1 {
				continue
			}
			s := sample{yes: yes(r.bans()), weight: aspectWeight(r), project: r.Repo}
			if !r.IsDecision() {
				s.weight *= BanAside
			}
			if !r.bans() {
				s.weight *= math.Min(1, 2/float64(of))
			}
			s.features = appendShape(nil, x.Forbids, v)
			words := len(s.features)
			s.features = appendShape(s.features, x.Shape, v)
			for k := range s.features[words:] {
				s.features[words+k].value = BanShape
			}
			samples = append(samples, s)
		}
	}
	l := newLearner(samples, len(v.names))
	l.fit(BanRidge)
	entries := l.entries(score.Ban, v, func(name string) float64 {
		if strings.HasPrefix(name, "ban ") || name == decide.Always {
			return ShapeValue
		}
		return BanShape
	}, mostAspect)
	return withBias(entries, score.Ban, l.bias)
}

// withBias adds to a model what it weighs without any other feature.
//
// The bias becomes the weight of the feature that every sentence has.
func withBias(entries []score.Entry, model int, bias float64) []score.Entry {
	always := int32(math.Round(float64(bias * score.Unit)))
	for k := range entries {
		if entries[k].Name == decide.Always {
			entries[k].Weight += always
			return entries
		}
	}
	return append(entries, score.Entry{Model: model, Name: decide.Always, Weight: always})
}

// bans reports whether the turn forbids something.
func (t *Turn) bans() bool { return t.IsBan || t.Kind() == decide.Ban }

// aspectSamples returns the training samples for one property of decisions. Turns
// without a decision do not count.
func aspectSamples(reads []Read, a aspect, v *vocabulary) []sample {
	var out []sample
	for i := range reads {
		r := &reads[i]
		if !r.IsDecision() {
			continue
		}
		for k, x := range r.Sentences {
			if k != r.target {
				continue
			}
			s := sample{yes: yes(a.holds(r.Turn)), weight: aspectWeight(r), project: r.Repo}
			s.features = appendShape(appendShape(appendBlock(nil, x.Words, v), x.Shape, v), x.Aspects, v)
			out = append(out, s)
		}
	}
	return out
}

// aspectWeight returns what a turn counts: the project's own examples as much as others, for
// they are what defines the kinds.
func aspectWeight(r *Read) float64 {
	if r.Repo == seedRepo {
		return 1
	}
	return r.weight()
}
