package decide_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
)

// withoutPlace compares decisions by their words alone: TestWordsStandWhereTheySay
// checks where the words stand.
func withoutPlace() cmp.Options {
	return cmp.Options{
		cmpopts.IgnoreFields(core.Option{}, "InAssistant", "Offset"),
		cmpopts.IgnoreFields(decide.Decided{}, "Turn", "Said", "Structured", "Score"),
		cmpopts.IgnoreUnexported(decide.Decided{}),
	}
}

// stand checks that the words of a decision stand where it says, and returns how
// many of its options do in the assistant's words.
func stand(t *testing.T, d *decide.Decided) (inAssistant int) {
	t.Helper()
	check := func(what, text string, at int, said bool) {
		t.Helper()
		whole := d.Turn
		if said {
			whole = d.Said
		}
		if at < 0 || at > len(whole) || !strings.HasPrefix(whole[at:], text) {
			t.Errorf("%s %q does not stand at %d of %q", what, text, at, whole)
		}
	}
	check("epitome", d.Epitome, d.Offset, d.EpitomeInAssistant)
	for _, o := range d.Options {
		check("option", o.Text, o.Offset, o.InAssistant)
		if o.InAssistant {
			inAssistant++
		}
	}
	return inAssistant
}

// TestWordsStandWhereTheySay checks the places of epitomes and options, in turns
// that name their options, that pick from a list, that repeat one side of a
// question and that accept a proposal, and in answers to tools.
func TestWordsStandWhereTheySay(t *testing.T) {
	const list = "Both would do:\n\n1. **Cursors** - fast, and stable.\n2. Offsets: simple\n\n| C | nothing |\n\nWhich one?"
	const proposal = "I looked at it.\n\nI suggest to use Postgres instead of MySQL for the orders. Shall I go ahead?"
	const plan = "\n# Plan: move to cursors\n\nWe always do this.\n"
	decisions, inAssistant := 0, 0
	add := func(all []decide.Decided) {
		for i := range all {
			inAssistant += stand(t, &all[i])
		}
		decisions += len(all)
	}
	for _, in := range []decide.Input{
		{Text: "Thanks. Let's use \"Postgres\", instead of 'MySQL', for the orders service. Never touch `vendor.js`."},
		{Text: "We will need Cura, IdeaMaker and PrusaSlicer support."},
		{Text: "Let's use date-fns instead of date-fns-tz. Rename getOrder to findOrder."},
		{Text: "2.", PrevAssistant: list},
		{Text: "option B please", PrevAssistant: "What next?"},
		{Text: "Add a matrix to the docs", PrevAssistant: "Well. Want me to add a version matrix to the docs, or keep it pinned to 3.12?"},
		{Text: "yes, do that", PrevAssistant: proposal},
	} {
		add(taken(t, standard(t), in).Decisions)
	}
	choice := core.Choice{Question: "Which one?", Options: []core.Option{yes("Postgres"), no("MySQL")}}
	answered := choice
	answered.Answer = " none of them "
	for _, res := range []core.ToolResult{
		{Choices: []core.Choice{choice, answered}},
		{Verdict: core.Approved},
		{Verdict: core.Rejected, Reason: core.Plain("  keep offsets")},
	} {
		add(judge(t, standard(t), decide.Threshold).Structured(&res, plan))
	}
	if decisions < 12 || inAssistant < 10 {
		t.Errorf("%d decisions and %d options in the assistant's words: too few to show anything", decisions, inAssistant)
	}
}
