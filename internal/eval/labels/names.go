package labels

import (
	"math"
	"slices"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/score"
)

// How it is learnt what a decision takes and leaves; chosen by cross-validation outside the
// locked fifth.
const (
	// NameRidge pulls the weights towards 0.
	NameRidge = 5.0
	mostNames = 4_000
)

// learnNames learns which of the candidates of a decision are labelled, with the right mark. It
// learns from decisions for which the reader named something: the others name much that another
// reader would have named.
//
// A candidate is right if a labelled option has the same mark and its text contains the
// candidate's, or is contained in it.
func learnNames(reads []Read) []score.Entry {
	v := vocabularyOf(func(yield func(project, name string)) {
		for i := range reads {
			if len(reads[i].Options) == 0 {
				continue
			}
			for _, c := range reads[i].names {
				for _, s := range c.Signs {
					yield(reads[i].Repo, s)
				}
			}
		}
	})
	var samples []sample
	for i := range reads {
		r := &reads[i]
		if len(r.Options) == 0 {
			continue
		}
		for _, c := range r.names {
			right := slices.ContainsFunc(r.Options, func(want Option) bool { return want.Chosen == c.Chosen && alike(c.Text, want.Text) })
			s := sample{yes: yes(right), weight: r.weight(), project: r.Repo}
			for _, sign := range c.Signs {
				if no, ok := v.no[sign]; ok {
					s.features = append(s.features, feature{no, 1})
				}
			}
			samples = append(samples, s)
		}
	}
	l := newLearner(samples, len(v.names))
	l.fit(NameRidge)
	entries := l.entries(score.Name, v, func(string) float64 { return 1 }, mostNames)
	return append(entries, score.Entry{Model: score.Name, Name: decide.Always, Weight: int32(math.Round(float64(l.bias * score.Unit)))})
}
