package labels

import (
	"cmp"
	"math"
	"slices"

	"github.com/memscribe/memscribe/core/score"
)

// feature is one of a sample's, by its number in the vocabulary, with its value.
type feature struct {
	no    int32
	value float64
}

// sample is one thing to learn from.
type sample struct {
	features []feature
	yes      float64
	weight   float64
	project  string
}

// vocabulary numbers the features that enough projects have.
type vocabulary struct {
	names []string
	no    map[string]int32
}

// LeastProjects is in how many projects a feature must occur to be learnt: what
// fewer have would be theirs, and not the language's.
const LeastProjects = 3

// vocabularyOf lists the features that occur in enough projects, by name.
func vocabularyOf(of func(yield func(project, name string))) *vocabulary {
	seen := map[string][]string{}
	of(func(project, name string) {
		if in := seen[name]; len(in) < LeastProjects && !slices.Contains(in, project) {
			seen[name] = append(in, project)
		}
	})
	v := &vocabulary{no: map[string]int32{}}
	for name, in := range seen { // sorted below
		if len(in) >= LeastProjects {
			v.names = append(v.names, name)
		}
	}
	slices.Sort(v.names)
	for i, name := range v.names {
		v.no[name] = int32(i)
	}
	return v
}

// learner fits a linear model to samples by logistic regression with a ridge, by
// coordinate descent: one weight after the other moves by a Newton step of at most 1.
// margins has, for each sample, the present sum of its weights, which each step keeps
// up to date.
type learner struct {
	samples []sample
	columns [][]feature // by feature: the samples that have it, with its value
	weights []float64
	ridges  []float64 // by feature: how much its weight is pulled towards 0
	margins []float64
	bias    float64
}

// newLearner returns a learner with its samples by column, all weights 0.
func newLearner(samples []sample, features int) *learner {
	l := &learner{
		samples: samples, columns: make([][]feature, features), margins: make([]float64, len(samples)),
		weights: make([]float64, features), ridges: slices.Repeat([]float64{1}, features),
	}
	for i := range samples {
		for _, f := range samples[i].features {
			l.columns[f.no] = append(l.columns[f.no], feature{int32(i), f.value})
		}
	}
	return l
}

// How the ridge of a feature follows what the feature tells; chosen by cross-validation
// outside the locked fifth.
const (
	// LeastTelling is what a feature tells at least, against the mean of all.
	LeastTelling = 0.1
	// Smoothing is what every feature is seen beside the samples, in either class.
	Smoothing = 0.5
)

// trust has a weight pulled towards 0 the less, the more its feature alone tells the
// two classes apart: by the log of the ratio of how much of it is in either (Wang
// and Manning, 2012). Of many features that fit a few hundred samples these are the ones
// that fit the next project too. Where isEven says so, a feature keeps the common ridge.
func (l *learner) trust(isEven func(no int) bool) {
	ratios, all, with, without := make([]float64, len(l.columns)), 0.0, 0.0, 0.0
	share := func(column []feature) (yes, no float64) {
		for _, f := range column {
			s := &l.samples[f.no]
			yes += float64(s.weight * float64(s.yes*f.value))
			no += float64(s.weight * float64((1-s.yes)*f.value))
		}
		return yes + Smoothing, no + Smoothing
	}
	for i := range l.columns {
		yes, no := share(l.columns[i])
		with, without = with+yes, without+no
		ratios[i] = math.Log(yes / no)
	}
	mean, of := math.Log(with/without), 0
	for i := range ratios {
		ratios[i] = math.Abs(ratios[i] - mean)
		if !isEven(i) {
			all += ratios[i]
			of++
		}
	}
	for i, r := range ratios {
		if !isEven(i) && all > 0 {
			tells := LeastTelling + float64((1-LeastTelling)*float64(r*float64(of)/all))
			l.ridges[i] = 1 / float64(tells*tells)
		}
	}
}

// sweeps bounds how often all weights are looked at.
const sweeps = 60

// fit moves one weight after the other to where the samples want it. The result is
// a function of the samples and their order. Products are rounded before they are
// added, so that no machine adds them in one step.
//
// It ends when no weight moved by 0.002 in a sweep, after 60 sweeps at most.
func (l *learner) fit(ridge float64) {
	all := make([]feature, len(l.samples))
	for i := range all {
		all[i] = feature{int32(i), 1}
	}
	for range sweeps {
		moved := math.Abs(l.step(&l.bias, all, 1e-3))
		for f := range l.columns {
			if len(l.columns[f]) > 0 {
				moved = math.Max(moved, math.Abs(l.step(&l.weights[f], l.columns[f], float64(ridge*l.ridges[f]))))
			}
		}
		if moved < 2e-3 {
			return
		}
	}
}

// step moves one weight and returns by how much.
func (l *learner) step(w *float64, column []feature, ridge float64) float64 {
	slope, bend := float64(ridge*(*w)), ridge
	for _, f := range column {
		s := &l.samples[f.no]
		p := 1 / (1 + math.Exp(-l.margins[f.no]))
		slope += float64(s.weight * float64((p-s.yes)*f.value))
		bend += float64(s.weight * float64(float64(p*(1-p))*float64(f.value*f.value)))
	}
	d := math.Max(-1, math.Min(1, -slope/bend))
	*w += d
	for _, f := range column {
		l.margins[f.no] += float64(d * f.value)
	}
	return d
}

// entries returns the most heavy weights as integers, by name.
//
// A weight that rounds to 0 is left out. The result is in the order of names.
func (l *learner) entries(of int, v *vocabulary, scale func(name string) float64, most int) []score.Entry {
	var out []score.Entry
	for i, w := range l.weights {
		if n := int32(math.Round(float64(w * score.Unit * scale(v.names[i])))); n != 0 {
			out = append(out, score.Entry{Model: of, Name: v.names[i], Weight: n})
		}
	}
	slices.SortStableFunc(out, func(a, b score.Entry) int {
		return cmp.Or(cmp.Compare(max(b.Weight, -b.Weight), max(a.Weight, -a.Weight)), cmp.Compare(a.Name, b.Name))
	})
	out = out[:min(most, len(out))]
	slices.SortStableFunc(out, func(a, b score.Entry) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
