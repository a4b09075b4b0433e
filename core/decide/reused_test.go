package decide_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/memscribe/memscribe/core/decide"
)

// TestReused: a judge that has judged other exchanges before says of one what a new judge
// says of it, also where the reply is the message before the next turn.
func TestReused(t *testing.T) {
	const (
		plan  = "You're right, sorry. I'll use Postgres for the queue instead. Want me to drop Redis, too?"
		lower = "İstanbul: I'll switch it. ȺȺȺ done."
	)
	rules := standard(t)
	used := judge(t, rules, 60)
	for _, in := range []decide.Input{
		{Text: "Let's use Postgres instead of Redis.", Reply: plan},
		{Text: "Yes, drop it. Never use Redis here.", PrevAssistant: plan, Reply: plan, Edited: true},
		{Text: "Yes, drop it. Never use Redis here.", PrevAssistant: "", Reply: ""},
		{Text: "Yes, drop it. Never use Redis here.", PrevAssistant: plan, Reply: lower},
		{Text: "ok", PrevAssistant: lower, Reply: " "},
		{Text: "必ず Postgres を使ってください。", PrevAssistant: lower, Reply: "了解しました。Postgres に変更します。", Edited: true},
	} {
		got, want := used.Exchange(in), judge(t, rules, 60).Exchange(in)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(decide.Verdict{}, "Asked"), cmp.AllowUnexported(decide.Decided{})); diff != "" {
			t.Errorf("%q after %q, a used judge (+) and a new one (-):\n%s", in.Text, in.PrevAssistant, diff)
		}
	}
}
