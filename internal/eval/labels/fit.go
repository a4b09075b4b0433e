package labels

import (
	"math"
	"strings"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
)

// How the weights are learnt. The figures hardly change between half and twice
// of each.
const (
	// Ridge pulls every weight towards its prior.
	Ridge = 3
	// ActRidge does so for what a clause does, of which there are more examples.
	ActRidge = 1.5
	// SeedWeight is how much one of the project's own examples counts against a
	// labelled turn.
	SeedWeight = 0.4
	// LaidDown is how much a turn that chooses, forbids, rules, accepts or takes
	// back counts against one that only specifies: to miss it is worse.
	LaidDown = 1.5
	// Caution is what a sentence needs beyond even odds to be taken for a
	// decision, in log odds: a wrong memory is worse than a missing one.
	Caution = 0.8

	rounds = 4   // of choosing the clauses that decide
	sweeps = 200 // at most, over all weights
)

// Read is a labelled turn with its evidence.
type Read struct {
	*Turn
	Sentences []decide.Sentence
	target    int // sentence that decides, -1 if none does
}

// ReadAll collects the evidence of turns.
func ReadAll(rules *gate.Rules, turns []Turn) []Read {
	out := make([]Read, len(turns))
	for i := range turns {
		t := &turns[i]
		out[i] = Read{Turn: t, Sentences: decide.Evidence(rules, t.Input())}
		out[i].target = out[i].find()
	}
	return out
}

// find returns the sentence that holds the labelled epitome.
func (r *Read) find() int {
	if !r.IsDecision() || len(r.Sentences) == 0 {
		return -1
	}
	if r.EpitomeIn == "assistant" {
		return 0
	}
	at := strings.Index(r.Text, r.Epitome)
	best, most := -1, 0
	for i, s := range r.Sentences {
		if n := min(at+len(r.Epitome), s.Offset+len(s.Text)) - max(at, s.Offset); n > most {
			best, most = i, n
		}
	}
	return best
}

// Weights are what features weigh, in log odds.
type Weights [decide.Features]float64

// Frozen rounds the weights to hundredths of log odds, with the caution taken
// off the bias: the form in which they decide.
func (w *Weights) Frozen() decide.Weights {
	var n [decide.Features]int32
	for f := range w {
		n[f] = int32(math.Round(100 * w[f]))
	}
	bias, _ := decide.FeatureNamed("bias")
	n[bias] -= int32(math.Round(100 * Caution))
	return func(f decide.Feature) int32 { return n[f] }
}

func (w *Weights) sum(features []decide.Feature) float64 {
	v := 0.0
	for _, f := range features {
		v += w[f]
	}
	return v
}

// best is the clause of a sentence that weighs most.
func (w *Weights) best(s decide.Sentence) int {
	at, most := 0, math.Inf(-1)
	for i, c := range s.Clauses {
		if v := w.sum(c); v > most {
			at, most = i, v
		}
	}
	return at
}

// sample is one clause to learn from.
type sample struct {
	features []decide.Feature
	yes      float64
	weight   float64
	margin   float64
}

// Fit learns weights from turns, by logistic regression with a Gaussian prior.
// Of a turn that decides, the clause of the labelled sentence that weighs most
// is an example for; of the others, every clause is one against. Which clause
// that is depends on the weights, so it is chosen again a few times.
//
// The result is a function of the turns and their order.
func Fit(reads []Read) *Weights {
	prior := Prior()
	w := *prior
	for range rounds {
		next := *prior
		next.descend(samples(reads, &w), prior)
		w = next
	}
	return &w
}

func samples(reads []Read, now *Weights) []sample {
	var out []sample
	for i := range reads {
		r := &reads[i]
		scale := 1.0
		if r.Repo == seedRepo {
			scale = SeedWeight
		}
		if r.IsDecision() {
			if r.target >= 0 {
				s := r.Sentences[r.target]
				if r.Kind() != decide.Spec {
					scale *= LaidDown
				}
				out = append(out, sample{features: s.Clauses[now.best(s)], yes: 1, weight: scale})
			}
			continue
		}
		n := 0
		for _, s := range r.Sentences {
			n += len(s.Clauses)
		}
		for _, s := range r.Sentences {
			for _, c := range s.Clauses {
				out = append(out, sample{features: c, weight: scale * math.Min(1, 2/float64(n))})
			}
		}
	}
	return out
}

// descend moves the weights to where the samples want them, one at a time.
func (w *Weights) descend(samples []sample, prior *Weights) {
	by := make([][]int, len(w))
	for i := range samples {
		s := &samples[i]
		s.margin = w.sum(s.features)
		for _, f := range s.features {
			by[f] = append(by[f], i)
		}
	}
	ridge := ridges()
	for range sweeps {
		moved := 0.0
		for f := range w {
			if len(by[f]) > 0 {
				moved += w.step(f, by[f], samples, ridge[f], prior[f])
			}
		}
		if moved < 1e-4 {
			return
		}
	}
}

// step moves one weight and returns by how much.
func (w *Weights) step(f int, of []int, samples []sample, ridge, prior float64) float64 {
	slope, bend := ridge*(w[f]-prior), ridge
	for _, i := range of {
		s := &samples[i]
		p := 1 / (1 + math.Exp(-s.margin))
		slope += s.weight * (p - s.yes)
		bend += s.weight * p * (1 - p)
	}
	d := math.Max(-1, math.Min(1, -slope/bend))
	w[f] += d
	for _, i := range of {
		samples[i].margin += d
	}
	return math.Abs(d)
}

// ridges is how hard each weight is held to its prior.
func ridges() *Weights {
	var out Weights
	for f := range out {
		name := decide.Feature(f).String()
		switch {
		case name == "bias":
			out[f] = 0.01
		case strings.HasPrefix(name, "does") || strings.HasPrefix(name, "act."):
			out[f] = ActRidge
		default:
			out[f] = Ridge
		}
	}
	return &out
}
