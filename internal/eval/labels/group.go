package labels

import (
	"math"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/score"
)

// How the shapes of languages with few labelled turns are weighed; chosen by
// cross-validation outside the locked fifth.
const (
	// SparseRidge pulls the weights towards 0 that shapes have without any words beside
	// them.
	SparseRidge = 20
	// SparseShare is what these count beside the weights that shapes have among words.
	SparseShare = 1.5
)

// sparse are the weights of an exchange's shapes where few words were learnt: what they
// weigh beside the words, and what they weigh alone.
func sparse(reads []Read, beside []score.Entry) []score.Entry {
	v := vocabularyOf(func(yield func(project, name string)) {
		for i := range reads {
			for _, f := range reads[i].Shape {
				if wordless(f.Name) {
					yield(reads[i].Repo, f.Name)
				}
			}
		}
	})
	var samples []sample
	for i := range reads {
		r := &reads[i]
		if r.Repo == seedRepo { // they have no reply
			continue
		}
		s := sample{yes: yes(r.IsDecision()), weight: r.weight(), project: r.Repo}
		for _, f := range r.Shape {
			if no, ok := v.no[f.Name]; ok {
				s.features = append(s.features, feature{no, 1})
			}
		}
		samples = append(samples, s)
	}
	l := newLearner(samples, len(v.names))
	l.fit(SparseRidge)
	sum := map[string]int32{}
	for _, e := range l.entries(score.Sparse, v, func(string) float64 { return SparseShare }, len(v.names)) {
		sum[e.Name] = e.Weight
	}
	shapes := map[string]bool{}
	for i := range reads {
		for _, f := range reads[i].Shape {
			shapes[f.Name] = true
		}
	}
	for _, e := range beside {
		if shapes[e.Name] {
			sum[e.Name] += e.Weight
		}
	}
	var out []score.Entry
	for name, w := range sum { // sorted below
		if w != 0 {
			out = append(out, score.Entry{Model: score.Sparse, Name: name, Weight: w})
		}
	}
	slices.SortFunc(out, func(a, b score.Entry) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// wordless reports whether a shape is one in any language: no table of words gives it.
func wordless(shape string) bool {
	return !strings.HasPrefix(shape, "ev ") && !strings.HasPrefix(shape, "script ")
}

// calibration is how scores are made of sums in a group of languages, and from which
// score on decisions are sent.
type calibration struct {
	name         string
	scale, shift float64
	least, first int
}

// leasts are the scores from which on decisions are sent, in the order of [decide.Groups],
// and firsts those for turns that have no reply yet.
// They are chosen on turns of open projects: where the reader was sure for a precision of
// 0.86, in Korean and Russian, of which there are few, for one of 0.80. What is sent before
// there is a reply is sent for good, so that firsts are higher: of what is sent below them,
// and falls below leasts with the reply, fewer than half is right.
func leasts() []int { return []int{62, 58, 59, 64, 64, 62} }

// firsts returns, for each group of languages, the score that a decision needs
// before there is a reply.
func firsts() []int { return []int{74, 74, 74, 74, 74, 74} }

// likely is the least share of turns that are right with which a turn gets a score.
func likely(score int) float64 { return (float64(score) - 0.5) / 100 }

// calibrations fits for each group of languages how a sum becomes log odds. Where there are
// few turns the sum stays nearly what it is.
func calibrations(seen []raw, mix mixing) []calibration {
	out := make([]calibration, 0, len(decide.Groups()))
	for k, name := range decide.Groups() {
		c := calibration{name: name, scale: 1, least: leasts()[k], first: firsts()[k]}
		var sums, wants []float64
		for _, r := range seen {
			if r.group == name {
				sums = append(sums, float64(mix.turn*r.own)+float64(mix.sentence*r.sentence)+mix.offset)
				wants = append(wants, r.yes)
			}
		}
		c.fit(sums, wants)
		out = append(out, c)
	}
	return out
}

// fit moves scale and shift to where the turns want them, by Newton's method.
func (c *calibration) fit(sums, wants []float64) {
	const ridge, steps, longest = 15, 60, 0.1
	for range steps {
		slopeA, bendA, slopeB, bendB, both := float64(2*ridge*(c.scale-1)), 2.0*ridge, float64(ridge*c.shift), 1.0*ridge, 0.0
		for i, x := range sums {
			p := 1 / (1 + math.Exp(-float64(c.scale*x)-c.shift))
			d, w := p-wants[i], float64(p*(1-p))
			slopeA += float64(d * x)
			slopeB += d
			bendA += float64(w * float64(x*x))
			bendB += w
			both += float64(w * x)
		}
		det := float64(bendA*bendB) - float64(both*both)
		c.scale -= within((float64(bendB*slopeA)-float64(both*slopeB))/det, longest)
		c.shift -= within((float64(bendA*slopeB)-float64(both*slopeA))/det, longest)
	}
}

// within limits a step of the learner.
func within(step, longest float64) float64 { return math.Max(-longest, math.Min(longest, step)) }
