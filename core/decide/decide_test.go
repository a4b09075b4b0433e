package decide_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/decide"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/gate/lexicon"
)

func standard(t testing.TB) *gate.Rules {
	t.Helper()
	rules, err := gate.New(lexicon.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// judge returns a judge that sends what has a score of the threshold or more.
func judge(t testing.TB, rules *gate.Rules, threshold int) *decide.Judge {
	t.Helper()
	m, err := decide.Model()
	if err != nil {
		t.Fatal(err)
	}
	return decide.NewJudge(rules, m, threshold)
}

// turn judges an exchange as it is judged unless the user says otherwise.
func turn(t testing.TB, rules *gate.Rules, in decide.Input) decide.Verdict {
	t.Helper()
	return judge(t, rules, decide.Threshold).Exchange(in)
}

// taken judges an exchange that is taken for a decision whatever its score: for tests
// of what a decision says.
func taken(t testing.TB, rules *gate.Rules, in decide.Input) decide.Verdict {
	t.Helper()
	return judge(t, rules, 0).Exchange(in)
}
