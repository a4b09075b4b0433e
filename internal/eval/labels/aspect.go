package labels

import (
	"math"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/score"
)

// How it is learnt what a sentence decides; chosen by cross-validation outside the locked
// fifth.
const (
	// AspectRidge pulls the weights towards 0.
	AspectRidge = 0.5
	mostAspect  = 1_500
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
		always := int32(math.Round(l.bias * score.Unit))
		for k := range entries {
			if entries[k].Name == decide.Always {
				entries[k].Weight += always
				always = 0
			}
		}
		if always != 0 {
			entries = append(entries, score.Entry{Model: a.model, Name: decide.Always, Weight: always})
		}
		out = append(out, entries...)
	}
	return out
}

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

// aspectWeight is what a turn counts: the project's own examples as much as others, for
// they are what defines the kinds.
func aspectWeight(r *Read) float64 {
	if r.Repo == seedRepo {
		return 1
	}
	return r.weight()
}
