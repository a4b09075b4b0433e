package decide_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
)

func TestStructured(t *testing.T) {
	marker := func(s string) []core.Marker {
		return []core.Marker{{Rule: decide.StructuredRule, Category: core.StructuredChoice, Text: s}}
	}
	judged := func(of core.Category, s string) []core.Marker {
		return []core.Marker{{Rule: decide.StructuredRule, Category: of, Text: s}}
	}
	const question = "Which database should the service use?"
	const plan = "\n# Plan: move to cursors\n\nWe always do this.\n"
	for _, tc := range []struct {
		name     string
		result   core.ToolResult
		proposal string
		want     []decide.Decided
	}{
		{
			name:   "answered question",
			result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{yes("Postgres"), no("MySQL")}}}},
			want: []decide.Decided{{
				Kind: decide.Choice, Epitome: question, EpitomeInAssistant: true, Options: []core.Option{yes("Postgres"), no("MySQL")}, Markers: marker(question),
			}},
		},
		{
			name:   "an option that is no alternative",
			result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{yes("Postgres"), no("MySQL"), no("You decide")}}}},
			want: []decide.Decided{{
				Kind: decide.Choice, Epitome: question, EpitomeInAssistant: true, Options: []core.Option{yes("Postgres"), no("MySQL")}, Markers: marker(question),
			}},
		},
		{
			name:   "answer in own words",
			result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{no("Postgres"), no("MySQL")}, Answer: " SQLite will do"}}},
			want: []decide.Decided{{
				Kind: decide.Choice, Epitome: "SQLite will do", Offset: 1,
				Options: []core.Option{no("Postgres"), no("MySQL"), yes("SQLite will do")}, Markers: marker("SQLite will do"),
			}},
		},
		{
			name:   "answer in own words that settles it",
			result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{no("Postgres")}, Answer: "use SQLite, but store the sessions in Redis"}}},
			want: []decide.Decided{{
				Kind: decide.Choice, Epitome: "use SQLite, but store the sessions in Redis",
				Options: []core.Option{no("Postgres"), yes("use SQLite, but store the sessions in Redis")},
				Markers: judged(core.DecisionVerb, "use SQLite, but store the sessions in Redis"),
			}},
		},
		{name: "answer that weighs", result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{no("Postgres")}, Answer: "well, that would depend on how much of the traffic is read and how much is written"}}}},
		{name: "answer that leaves it open", result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{no("Postgres")}, Answer: "figure it out, sir"}}}},
		{name: "refusal that comments", result: core.ToolResult{Verdict: core.Rejected, Reason: core.Plain("huh, that's what I expected. Try again.")}},
		{name: "unanswered question", result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{no("Postgres")}}}}},
		{name: "a question that is handed back", result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{no("Postgres"), yes("You decide")}}}}},
		{name: "an answer that only moves on", result: core.ToolResult{Choices: []core.Choice{{Question: "More questions about sharing, or the next area?", Options: []core.Option{no("More questions"), yes("Next area")}}}}},
		{name: "an answer that ends the talk", result: core.ToolResult{Choices: []core.Choice{{Question: "Is there more to settle about sharing?", Options: []core.Option{no("Yes, retention"), yes("Done — write it down")}}}}},
		{name: "a question of what to talk about", result: core.ToolResult{Choices: []core.Choice{{Question: "Which areas do you want to discuss?", Options: []core.Option{yes("Sharing"), yes("Retention")}}}}},
		{
			name: "approved plan", result: core.ToolResult{Verdict: core.Approved}, proposal: plan,
			want: []decide.Decided{{
				Kind: decide.Confirm, Epitome: "Plan: move to cursors", EpitomeInAssistant: true, Offset: 3, Confirmation: true, Markers: marker("Plan: move to cursors"),
			}},
		},
		{name: "plain permission", result: core.ToolResult{Verdict: core.Approved}},
		{name: "question asked back", result: core.ToolResult{Choices: []core.Choice{{Question: question, Options: []core.Option{no("Postgres")}, Answer: "what is the difference?"}}}},
		{name: "refusal that asks back", result: core.ToolResult{Verdict: core.Rejected, Reason: core.Plain("_compose 是什么")}, proposal: plan},
		{name: "refusal that asks what would happen", result: core.ToolResult{Verdict: core.Rejected, Reason: core.Plain("如果缓存更新了会怎样")}, proposal: plan},
		{name: "refusal without a reason", result: core.ToolResult{Verdict: core.Rejected}},
		{
			name: "refusal with a reason", result: core.ToolResult{Verdict: core.Rejected, Reason: core.Plain("No. Use the script in tools/.")},
			want: []decide.Decided{{Kind: decide.Choice, Epitome: "No. Use the script in tools/.", Markers: judged(core.Rejection, "No. Use the script in tools/.")}},
		},
		{
			name: "rejected plan", result: core.ToolResult{Verdict: core.Rejected, Reason: core.Plain("keep offsets")}, proposal: plan,
			want: []decide.Decided{{Kind: decide.Choice, Epitome: "keep offsets", Options: []core.Option{no("Plan: move to cursors")}, Markers: judged(core.Rejection, "keep offsets")}},
		},
		{
			name: "plan that is refused to add to it", result: core.ToolResult{Verdict: core.Rejected, Reason: core.Plain("Yes, create a branch and implement it")}, proposal: plan,
			want: []decide.Decided{{Kind: decide.Choice, Epitome: "Yes, create a branch and implement it", Options: []core.Option{yes("Plan: move to cursors")}, Markers: judged(core.Rejection, "Yes, create a branch and implement it")}},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, judge(t, standard(t), decide.Threshold).Structured(&tc.result, tc.proposal), withoutPlace()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
