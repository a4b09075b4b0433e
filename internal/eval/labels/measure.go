package labels

import (
	"slices"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
)

// taken reports whether the turn was taken for a decision.
func (o *Outcome) taken() bool { return len(o.Verdict.Decisions) > 0 }

// Row is a named share of the report.
type Row struct {
	Name  string
	Share Share
}

// ScoreRow is a named score of the report.
type ScoreRow struct {
	Name string
	Score
}

// Report is everything that is measured.
type Report struct {
	Turns     int
	Overall   Score
	Found     []Row      // decisions that were found, by label
	Taken     []Row      // other turns that were taken for decisions, by label
	Kinds     []ScoreRow // how well each kind of decision is separated from everything else
	Languages []ScoreRow

	// Categories of markers, and rules: the precision is how many of the turns
	// that they marked are decisions, the recall what part of all decisions that
	// is.
	Categories, Rules []ScoreRow

	// of the decisions that were found: the labelled sentence, or one that contains it
	Epitome     Share
	EpitomeSame Share // the labelled sentence itself
	Options     Share // of the labelled options of those: named, with the right mark
	// of the decisions with labelled options: all of these are named, with the right mark
	Complete    Share
	Named       Share // of the options that were named: labelled, with the right mark
	Ban, BanAll Share // of the turns flagged as a ban: labelled so; and the other way round
	Standing    Share
	Kind        Share // of the decisions that were found: the labelled kind, or the other reader's

	Wrong, Missed []Outcome
	// Of the decisions that were found: another sentence than the labelled one,
	// and what forbids taken for what does not, or the other way round.
	Misplaced, Misflagged []Outcome
}

// Measure compares verdicts with labels.
//
// A turn counts as taken if at least one decision was found in it, whichever sentence
// it is of.
func Measure(outcomes []Outcome) *Report {
	r := &Report{Turns: len(outcomes)}
	r.Overall = scoreOf(outcomes)
	for _, k := range decisionKinds() {
		r.Found = append(r.Found, r.kindRow(outcomes, k))
	}
	for _, k := range []decide.Kind{decide.Request, decide.Question, decide.Feedback, decide.Other} {
		r.Taken = append(r.Taken, r.kindRow(outcomes, k))
	}
	for _, lang := range distinct(outcomes, func(o *Outcome) []string { return []string{o.Lang} }) {
		some := slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool { return o.Lang != lang })
		r.Languages = append(r.Languages, ScoreRow{lang, scoreOf(some)})
	}
	for _, k := range decisionKinds() {
		r.Kinds = append(r.Kinds, ScoreRow{string(k), kindScore(outcomes, k)})
	}
	r.Categories = ruleRows(outcomes, func(m core.Marker) string { return string(m.Category) })
	r.Rules = ruleRows(outcomes, func(m core.Marker) string { return m.Rule })
	for _, o := range outcomes {
		switch {
		case o.taken() && !o.IsDecision():
			r.Wrong = append(r.Wrong, o)
		case !o.taken() && o.IsDecision():
			r.Missed = append(r.Missed, o)
		}
	}
	r.contents(outcomes)
	return r
}

// decisionKinds lists the labels that are decisions.
func decisionKinds() []decide.Kind {
	return []decide.Kind{decide.Choice, decide.Ban, decide.Rule, decide.Spec, decide.Confirm, decide.Revoke}
}

// kindScore counts the turns that are of a kind, and those that were taken for
// it. The label of either reader will do.
func kindScore(outcomes []Outcome, k decide.Kind) Score {
	hit, wrong, missed := 0, 0, 0
	for i := range outcomes {
		o := &outcomes[i]
		labelled := o.Kind() == k || decide.Kind(o.OtherReader) == k && o.Verdict.Kind == k
		switch taken := o.taken() && o.Verdict.Kind == k; {
		case taken && labelled:
			hit++
		case taken:
			wrong++
		case labelled && decide.Kind(o.OtherReader) != o.Verdict.Kind:
			missed++
		}
	}
	return scored(hit, wrong, missed)
}

// scoreOf counts hits, false alarms and misses.
func scoreOf(outcomes []Outcome) Score {
	hit, wrong, missed := 0, 0, 0
	for i := range outcomes {
		switch o := &outcomes[i]; {
		case o.taken() && o.IsDecision():
			hit++
		case o.taken():
			wrong++
		case o.IsDecision():
			missed++
		}
	}
	return scored(hit, wrong, missed)
}

// kindRow returns how many of a kind were taken for decisions.
func (r *Report) kindRow(outcomes []Outcome, k decide.Kind) Row {
	taken, all := 0, 0
	for i := range outcomes {
		if o := &outcomes[i]; o.Kind() == k {
			all++
			if o.taken() {
				taken++
			}
		}
	}
	return Row{string(k), share(taken, all)}
}

// distinct lists the different names of the outcomes, sorted.
func distinct(outcomes []Outcome, names func(*Outcome) []string) []string {
	var out []string
	for i := range outcomes {
		out = append(out, names(&outcomes[i])...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ruleRows measures markers by a name of theirs.
func ruleRows(outcomes []Outcome, name func(core.Marker) string) []ScoreRow {
	fired := func(o *Outcome) []string {
		var names []string
		for _, m := range o.Verdict.Markers {
			names = append(names, name(m))
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	decisions := 0
	right, all := map[string]int{}, map[string]int{}
	for i := range outcomes {
		o := &outcomes[i]
		if o.IsDecision() {
			decisions++
		}
		for _, n := range fired(o) {
			all[n]++
			if o.IsDecision() {
				right[n]++
			}
		}
	}
	var out []ScoreRow
	for _, n := range distinct(outcomes, fired) {
		out = append(out, ScoreRow{n, scored(right[n], all[n]-right[n], decisions-right[n])})
	}
	return out
}
