package labels

import "github.com/memscribe/memscribe/core/decide"

// Prior is what the weights are taken to be as far as the labels say nothing:
// what a linguist would guess, in log odds. With few labels it counts, with
// many it would not.
func Prior() *Weights {
	var w Weights
	for _, g := range [...]struct {
		weight   float64
		features []string
	}{
		{6, []string{"decisive"}},
		{2.5, []string{"answer.to-tech", "short.pick"}},
		{2, []string{"short.echo", "short.overlap"}},
		{1.5, []string{"mod.instead-of", "act.never", "act.must-not", "act.decided", "act.prefer", "act.always", "mod.instead-of in none"}},
		{1.2, []string{"act.option", "mod.from-now-on"}},
		{1, []string{"mod.always", "mod.remember", "mod.default"}},
		{0.7, []string{"mod.not-but", "mod.named", "act.revert"}},
		{0.6, []string{"mod.state"}},
		{0.5, []string{
			"does in set", "does in neg", "mod.from-to", "mod.everywhere", "mod.bound", "mod.must", "mod.colour", "mod.place", "act.dont", "act.use",
			"act.replace", "act.name", "has.hex", "short.choice",
		}},
		{0.4, []string{"mod.unit", "act.should", "has.quote"}},
		{0.3, []string{"does in modal", "mod.only", "mod.style", "mod.when", "mod.same", "mod.compare", "act.no-x", "answer.to-unclear"}},
		{0.2, []string{"does in want", "mod.that", "mod.so-that", "has.code", "has.number"}},
		{-0.2, []string{"ctx.past"}},
		{-0.3, []string{"does in build", "act.fix", "act.update", "ctx.still", "ctx.praise"}},
		{-0.4, []string{"mod.tests", "mod.meta", "act.check", "act.run", "ctx.not-working", "ctx.you-did"}},
		{-0.5, []string{
			"does in assent", "short", "mod.vague", "mod.plan", "ctx.symptom", "ctx.i-saw", "turn.pasted", "asks", "answer.asks",
		}},
		{-0.6, []string{"mod.docs", "act.tell", "act.go-on"}},
		{-0.7, []string{"ctx.errand", "mod.vcs", "act.git", "answer.weak"}},
		{-0.8, []string{"ctx.no-change"}},
		{-1, []string{"answer.to-nothing", "answer.and-chore"}},
		{-1.5, []string{"does in chore", "does in none", "answer.to-chore"}},
		{-2, []string{"does in question", "is.command"}},
	} {
		for _, name := range g.features {
			if f, ok := decide.FeatureNamed(name); ok {
				w[f] = g.weight
			}
		}
	}
	return &w
}
