package labels

import (
	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
)

// Outcome is a labelled turn and what was made of it.
type Outcome struct {
	*Turn
	Verdict decide.Verdict
	Why     decide.Explanation
}

// Judge judges turns by the weights that Memscribe comes with.
func Judge(rules *gate.Rules, turns []Turn) ([]Outcome, error) {
	m, err := decide.Model()
	if err != nil {
		return nil, err
	}
	return judgeBy(decide.NewJudge(rules, m, decide.Threshold), turns), nil
}

// judgeBy judges turns with one judge and keeps the evidence.
func judgeBy(j *decide.Judge, turns []Turn) []Outcome {
	out := make([]Outcome, len(turns))
	for i := range turns {
		out[i] = Outcome{Turn: &turns[i], Verdict: j.Exchange(turns[i].Input()), Why: j.Explain(turns[i].Input())}
	}
	return out
}

// CrossValidate judges the turns of every project by weights that were learnt
// without that project: from those of the other folds, and from the project's own
// examples. It is how the figures for turns of unseen projects are
// estimated. What joins the models and makes scores of sums is fitted to the other folds
// too.
//
// A fold is judged by a model that was learnt, joined and scored without it. It takes
// eight times as long as learning.
func CrossValidate(rules *gate.Rules, turns []Turn) ([]Outcome, error) {
	seeds, err := Seeds()
	if err != nil {
		return nil, err
	}
	parts, _, err := folds(ReadAll(rules, append(seeds, turns...)))
	if err != nil {
		return nil, err
	}
	var out []Outcome
	for k, l := range parts {
		j, err := l.judge(rules, decide.Threshold)
		if err != nil {
			return nil, err
		}
		var test []Turn
		for i := range turns {
			if turns[i].fold() == k {
				test = append(test, turns[i])
			}
		}
		out = append(out, judgeBy(j, test)...)
	}
	return out, nil
}
