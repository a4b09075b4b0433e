package labels

import (
	"math"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core"
	"github.com/memscribe/memscribe/core/decide"
)

// Share is a part of a whole, with the interval in which the true share lies
// with a probability of 95 % (Wilson).
type Share struct {
	Of, All   int
	Low, High float64
}

// Value is the share itself; 0 of nothing.
func (s Share) Value() float64 {
	if s.All == 0 {
		return 0
	}
	return float64(s.Of) / float64(s.All)
}

func share(of, all int) Share {
	s := Share{Of: of, All: all, High: 1}
	if all == 0 {
		return s
	}
	const z = 1.959964
	n, p := float64(all), float64(of)/float64(all)
	mid := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	s.Low, s.High = math.Max(0, mid-half), math.Min(1, mid+half)
	return s
}

// Score is how well decisions are told from the rest.
type Score struct {
	Precision, Recall Share
	F1, Low, High     float64
}

// score counts true, false and missed decisions. The interval of F1 is that of
// the counts drawn anew many times, by a fixed sequence.
func score(hit, wrong, missed int) Score {
	s := Score{Precision: share(hit, hit+wrong), Recall: share(hit, hit+missed), F1: f1(hit, wrong, missed)}
	const draws = 2000
	n := hit + wrong + missed
	if n == 0 {
		return s
	}
	values := make([]float64, draws)
	state := uint64(1)
	for d := range values {
		h, w := 0, 0
		for range n {
			state = state*6364136223846793005 + 1442695040888963407
			switch k := int((state >> 33) % uint64(n)); {
			case k < hit:
				h++
			case k < hit+wrong:
				w++
			}
		}
		values[d] = f1(h, w, n-h-w)
	}
	slices.Sort(values)
	s.Low, s.High = values[draws/40], values[draws-draws/40-1]
	return s
}

func f1(hit, wrong, missed int) float64 {
	if hit == 0 {
		return 0
	}
	return 2 * float64(hit) / float64(2*hit+wrong+missed)
}

// taken reports whether the turn was taken for a decision.
func (o *Outcome) taken() bool { return len(o.Verdict.Decisions) > 0 }

// Row is a named share of the report.
type Row struct {
	Name  string
	Share Share
}

// RuleRow says how a rule did: in how many turns it fired, how many of these
// were decisions, and what part of all decisions that is.
type RuleRow struct {
	Rule              string
	Precision, Recall Share
}

// Report is everything that is measured.
type Report struct {
	Turns     int
	Overall   Score
	Found     []Row // decisions that were found, by label
	Taken     []Row // other turns that were taken for decisions, by label
	Languages []struct {
		Name string
		Score
	}
	Categories, Rules []RuleRow

	Epitome     Share // of the decisions that were found: the labelled sentence, or one that contains it
	EpitomeSame Share // the labelled sentence itself
	Options     Share // of the labelled options of those: named, with the right mark
	Named       Share // of the options that were named: labelled, with the right mark
	Ban, BanAll Share // of the turns flagged as a ban: labelled so; and the other way round
	Standing    Share
	Kind        Share // of the decisions that were found: the labelled kind, or the other reader's

	Wrong, Missed []Outcome
}

// Measure compares verdicts with labels.
func Measure(outcomes []Outcome) *Report {
	r := &Report{Turns: len(outcomes)}
	r.Overall = scoreOf(outcomes)
	for _, k := range []decide.Kind{decide.Choice, decide.Ban, decide.Rule, decide.Spec, decide.Confirm, decide.Revoke} {
		r.Found = append(r.Found, r.kindRow(outcomes, k))
	}
	for _, k := range []decide.Kind{decide.Request, decide.Question, decide.Feedback, decide.Other} {
		r.Taken = append(r.Taken, r.kindRow(outcomes, k))
	}
	for _, lang := range distinct(outcomes, func(o *Outcome) []string { return []string{o.Lang} }) {
		some := slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool { return o.Lang != lang })
		r.Languages = append(r.Languages, struct {
			Name string
			Score
		}{lang, scoreOf(some)})
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
	return score(hit, wrong, missed)
}

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
func ruleRows(outcomes []Outcome, name func(core.Marker) string) []RuleRow {
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
	var out []RuleRow
	for _, n := range distinct(outcomes, fired) {
		out = append(out, RuleRow{n, share(right[n], all[n]), share(right[n], decisions)})
	}
	return out
}

// contents measures what the decisions say.
func (r *Report) contents(outcomes []Outcome) {
	var c struct{ found, epitome, same, kind, options, optionsAll, named, namedAll, ban, banSaid, banAll, standing int }
	for i := range outcomes {
		o := &outcomes[i]
		said := slices.ContainsFunc(o.Verdict.Decisions, func(d decide.Decided) bool { return d.IsBan })
		c.banSaid += one(said)
		c.banAll += one(o.IsBan)
		c.ban += one(said && o.IsBan)
		if !o.taken() || !o.IsDecision() {
			continue
		}
		c.found++
		equal, within := o.epitome()
		c.same += one(equal)
		c.epitome += one(within)
		c.kind += one(o.Verdict.Kind == o.Kind() || string(o.Verdict.Kind) == o.OtherReader)
		c.standing += one(o.standing() == (o.Scope == "standing"))
		right, all := o.labelledOptions()
		c.options, c.optionsAll = c.options+right, c.optionsAll+all
		right, all = o.namedOptions()
		c.named, c.namedAll = c.named+right, c.namedAll+all
	}
	r.Epitome, r.EpitomeSame, r.Kind, r.Standing = share(c.epitome, c.found), share(c.same, c.found), share(c.kind, c.found), share(c.standing, c.found)
	r.Options, r.Named = share(c.options, c.optionsAll), share(c.named, c.namedAll)
	r.Ban, r.BanAll = share(c.ban, c.banSaid), share(c.ban, c.banAll)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

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

// told are the options of the decisions with the labelled sentence, which is
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
