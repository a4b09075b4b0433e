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
	SparseShare = 0.375
)

// sparse returns the weights of an exchange's shapes where few words were learnt: what they
// weigh beside the words, and what they weigh alone.
//
// In languages of few labelled turns words tell little, and shapes (a list, a question,
// an edit that follows) have to carry the verdict.
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
	slices.SortStableFunc(out, func(a, b score.Entry) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// wordless reports whether a shape is one in any language: no table of words gives it.
func wordless(shape string) bool {
	return !strings.HasPrefix(shape, "ev ") && !strings.HasPrefix(shape, "script ")
}

// The scores from which on decisions are sent, once there is a
// reply or none will come, and before. They are chosen on turns of open projects for a
// precision of 0.78. What is sent before there is a reply is sent for good, so that more is
// asked of it: of what is sent below First, and falls below Least with the reply, fewer than
// half is right.
const (
	Least = 59
	First = 74
)

// How scores follow what was found; chosen by cross-validation outside the locked fifth.
const (
	// Window is how far from a score others tell what it is worth.
	Window = 7
	// Prior is how many turns that are as they should be are seen beside them.
	Prior = 10
)

// bounds returns, for the scores from 1 on, the log odds from which a turn has it. A sum says
// how likely a decision is; what was found of turns with about the same sum corrects it, in
// the middle of each tenth and linearly between. From [decide.Sure] on a score says what it
// did: how many of all above it are right.
//
// Entry k of the result is the log odds at which the score k+1 begins; the entries
// never fall.
func bounds(seen []raw, mix mixing) (out [100]float64) {
	var n, right [101]float64
	for _, r := range seen {
		at := int(100 / (1 + math.Exp(-mix.of(r))))
		n[at]++
		right[at] += r.yes
	}
	said, found := []float64{0}, []float64{0}
	for middle := 5; middle < decide.Sure; middle += 10 {
		all, of := float64(Prior), float64(Prior*middle)/100
		for k := middle - Window; k < middle+Window; k++ {
			if k >= 0 {
				all, of = all+n[k], of+right[k]
			}
		}
		said = append(said, float64(middle)/100)
		found = append(found, math.Min(math.Max(of/all, found[len(found)-1]+0.01), float64(middle+4)/100))
	}
	said, found = append(said, float64(decide.Sure)/100, 1), append(found, float64(decide.Sure)/100, 1)
	k := 0
	for score := range out {
		least := (float64(score) + 0.5) / 100
		for found[k+1] < least {
			k++
		}
		p := said[k] + float64((said[k+1]-said[k])*(least-found[k])/(found[k+1]-found[k]))
		out[score] = math.Log(p / (1 - p))
	}
	return out
}

// of returns what the models say of a turn together.
func (m mixing) of(r raw) float64 {
	return float64(m.turn*r.own) + float64(m.sentence*r.sentence) + m.offset
}
