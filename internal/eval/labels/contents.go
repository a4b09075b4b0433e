package labels

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
)

// contents measures what the decisions say.
//
// Shares are of the decisions that were found, so a missed decision counts in recall
// only.
func (r *Report) contents(outcomes []Outcome) {
	var c struct{ found, epitome, same, kind, options, optionsAll, complete, completeAll, named, namedAll, ban, banSaid, banAll, standing int }
	for i := range outcomes {
		o := &outcomes[i]
		said := slices.ContainsFunc(o.Verdict.Decisions, func(d decide.Decided) bool { return d.IsBan })
		c.banSaid += one(said)
		c.banAll += one(o.IsBan)
		c.ban += one(said && o.IsBan)
		if said != o.IsBan && o.taken() && o.IsDecision() {
			r.Misflagged = append(r.Misflagged, *o)
		}
		if !o.taken() || !o.IsDecision() {
			continue
		}
		c.found++
		equal, within := o.epitome()
		c.same += one(equal)
		c.epitome += one(within)
		if !within {
			r.Misplaced = append(r.Misplaced, *o)
		}
		c.kind += one(o.Verdict.Kind == o.Kind() || string(o.Verdict.Kind) == o.OtherReader)
		c.standing += one(o.standing() == (o.Scope == "standing"))
		right, all := o.labelledOptions()
		c.options, c.optionsAll = c.options+right, c.optionsAll+all
		c.complete, c.completeAll = c.complete+one(all > 0 && right == all), c.completeAll+one(all > 0)
		right, all = o.namedOptions()
		c.named, c.namedAll = c.named+right, c.namedAll+all
	}
	r.Epitome, r.EpitomeSame, r.Kind, r.Standing = share(c.epitome, c.found), share(c.same, c.found), share(c.kind, c.found), share(c.standing, c.found)
	r.Options, r.Complete, r.Named = share(c.options, c.optionsAll), share(c.complete, c.completeAll), share(c.named, c.namedAll)
	r.Ban, r.BanAll = share(c.ban, c.banSaid), share(c.ban, c.banAll)
}

// one returns 1 for true.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// standing reports whether a decision of the turn outlives its task.
func (o *Outcome) standing() bool {
	return slices.ContainsFunc(o.Verdict.Decisions, func(d decide.Decided) bool { return d.Standing })
}

// epitome reports whether a decision of the turn has the labelled sentence, and
// whether one contains it.
func (o *Outcome) epitome() (equal, within bool) {
	want := bare(o.Epitome)
	for _, d := range o.Verdict.Decisions {
		if d.EpitomeInAssistant != (o.EpitomeIn == "assistant") {
			continue
		}
		got := bare(d.Epitome)
		equal = equal || got == want
		within = within || strings.Contains(got, want)
	}
	return equal, within
}

// bare takes off what does not belong to a sentence's words: blanks, marks at
// its ends, the emphasis of Markdown.
func bare(s string) string {
	s = strings.ReplaceAll(s, "*", "")
	return strings.Join(strings.Fields(strings.Trim(s, " \t\n.,;:!?-–—")), " ")
}

// labelledOptions counts the labelled options that were named with the right
// mark.
func (o *Outcome) labelledOptions() (right, all int) {
	for _, want := range o.Options {
		all++
		if slices.ContainsFunc(o.options(), func(got core.Option) bool { return got.Chosen == want.Chosen && alike(got.Text, want.Text) }) {
			right++
		}
	}
	return right, all
}

// namedOptions counts the named options that are labelled with the same mark,
// of turns that have labelled ones.
func (o *Outcome) namedOptions() (right, all int) {
	if len(o.Options) == 0 {
		return 0, 0
	}
	for _, got := range o.told() {
		all++
		if slices.ContainsFunc(o.Options, func(want Option) bool { return got.Chosen == want.Chosen && alike(got.Text, want.Text) }) {
			right++
		}
	}
	return right, all
}

// told returns the options of the decisions with the labelled sentence, which is
// the one that the labels describe; of all if none has it.
func (o *Outcome) told() []core.Option {
	var out []core.Option
	for i := range o.Verdict.Decisions {
		d := &o.Verdict.Decisions[i]
		if d.EpitomeInAssistant == (o.EpitomeIn == "assistant") && strings.Contains(bare(d.Epitome), bare(o.Epitome)) {
			out = append(out, d.Options...)
		}
	}
	if out == nil {
		return o.options()
	}
	return out
}

// options returns the options of all decisions of the turn.
func (o *Outcome) options() []core.Option {
	var out []core.Option
	for _, d := range o.Verdict.Decisions {
		out = append(out, d.Options...)
	}
	return out
}

// alike reports whether two names are the same, or one contains the other.
func alike(a, b string) bool {
	a, b = name(a), name(b)
	return a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}

// name takes articles and quotation marks off a name.
func name(s string) string {
	s = strings.ToLower(strings.Trim(s, " \t\"'`“”.,"))
	for _, article := range []string{"the ", "a ", "an "} {
		s = strings.TrimPrefix(s, article)
	}
	return s
}
