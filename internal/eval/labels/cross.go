package labels

import (
	"slices"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
)

// Outcome is a labelled turn and what was made of it.
type Outcome struct {
	*Turn
	Verdict decide.Verdict
	Weights decide.Weights // by which it was judged
}

// Judge judges turns by the given weights.
func Judge(rules *gate.Rules, w decide.Weights, turns []Turn) []Outcome {
	out := make([]Outcome, len(turns))
	for i := range turns {
		out[i] = Outcome{Turn: &turns[i], Verdict: w.Turn(rules, turns[i].Input()), Weights: w}
	}
	return out
}

// CrossValidate judges the turns of every project by weights that were learnt
// without that project: from the turns of the others, from those of the others
// in further, and from the project's own examples. It is how the figures for
// turns of projects that no one has seen are estimated.
func CrossValidate(rules *gate.Rules, turns, further []Turn) ([]Outcome, error) {
	seeds, err := Seeds()
	if err != nil {
		return nil, err
	}
	base := ReadAll(rules, seeds)
	labelled := ReadAll(rules, slices.Concat(turns, further))
	byProject := map[string]decide.Weights{}
	for i := range turns {
		project := turns[i].Repo
		if byProject[project] != nil {
			continue
		}
		train := slices.Clone(base)
		for _, r := range labelled {
			if r.Repo != project {
				train = append(train, r)
			}
		}
		byProject[project] = Fit(train).Frozen()
	}
	out := make([]Outcome, len(turns))
	for i := range turns {
		w := byProject[turns[i].Repo]
		out[i] = Outcome{Turn: &turns[i], Verdict: w.Turn(rules, turns[i].Input()), Weights: w}
	}
	return out, nil
}
