package decide

import (
	"slices"

	"github.com/memscribe/memscribe/core/decide/forbid"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/decide/reading"

	_ "embed"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/score"
)

// weights are what testkit/labels/weigh has learnt.
//
//go:embed weights.tsv
var weights string

// Model returns the weights that Memscribe comes with.
// The table is part of the program, so that an error is one of the build.
func Model() (*score.Model, error) { return score.Parse(weights) }

// Threshold stands for the least scores with which decisions are sent, unless the user says otherwise; Sure is the score from which
// on a decision is called sure.
const (
	Threshold = 60
	Sure      = 90
)

const (
	// hopeless is what an exchange weighs that no reply makes a decision, in log
	// odds. With the weights that ship, which have seen most of them, none of 5,668
	// exchanges gains more than 1.63 by its whole reply, and none that began below -1
	// is sent at the standard threshold; with a lower one some may be missed.
	hopeless = -2 * score.Unit
)

// Judge judges one exchange after the other, in memory that it uses again: a turn has
// some words for which hundreds of things are noted. It serves one goroutine; any
// number of Judges may share rules and model, which do not change.
type Judge struct {
	reading   turn
	bags      bags
	model     *score.Model
	threshold int

	namer      *naming.Namer
	forbidding *naming.Forbidding
	forms      *forbid.Finder
}

// NewJudge returns a Judge that sends what has a score of the threshold or more.
func NewJudge(rules *gate.Rules, model *score.Model, threshold int) *Judge {
	return &Judge{reading: turn{Reading: reading.New(rules)}, model: model, threshold: threshold, forms: forbid.New()}
}

// Turn judges a person's turn before there is a reply to it. Before gives the
// assistant's message before it, or its tail. The verdict is the caller's to keep.
func (j *Judge) Turn(text string, before func() string) Verdict {
	r, b := &j.reading, &j.bags
	r.Read(text, before)
	v := r.verdict()
	r.turnFeatures(b)
	a := r.keep(b)
	a.shapes = shapesOf(r.group())
	a.base = j.model.Sum(score.Exchange, &b.own, true) + j.model.Sum(score.Exchange, &b.before, true) +
		j.model.Sum(a.shapes, &b.shape, false)
	sums := j.sentences()
	for i, s := range sums {
		if i == 0 || s > a.best {
			a.best = s
		}
	}
	sum := j.Hear(a, "", false)
	if v.Score = j.Score(a, sum); len(sums) == 0 {
		v.Score = 0
		return v
	}
	if r.Decisive() {
		v.Score = 100
		v.decides(j.decisions(sum, sums))
		for i := range v.Decisions {
			v.Decisions[i].Score = v.Score
		}
		return v
	}
	if j.model.Mix(sum, a.best) >= hopeless {
		v.Asked = a
	}
	if v.Score >= j.moved(j.model.First) {
		v.decides(j.decisions(sum, sums))
	}
	return v
}

// decides says what the turn decides.
func (v *Verdict) decides(all []Decided) {
	v.Decisions, v.Elevated = all, true
	for i := range all {
		if precedes(all[i].Kind, v.Kind) {
			v.Kind = all[i].Kind
		}
	}
}

// Hear says what an exchange weighs with the reply to it, of which the first
// [MaxReply] bytes count, and with the edits. A reply only grows from call to call.
// Calling it again with the same reply costs little: only edits are weighed again.
func (j *Judge) Hear(a *Asked, reply string, edited bool) (sum int64) {
	b := &j.bags
	if !a.heard.known || a.heard.size != len(reply) {
		b.shape.Reset()
		replyFeatures(j.reading.Rules, b, a, reply)
		a.heard.sum = j.model.Sum(score.Exchange, &b.reply, true) + j.model.Sum(a.shapes, &b.shape, false)
		a.heard.size, a.heard.known = len(reply), true
	}
	b.shape.Reset()
	editFeatures(b, a, reply, edited)
	return a.base + a.heard.sum + j.model.Sum(a.shapes, &b.shape, false)
}

// Score returns the score of an exchange that weighs sum.
func (j *Judge) Score(a *Asked, sum int64) int {
	return j.model.Score(j.model.Mix(sum, a.best))
}

// Sends reports whether a turn's score is enough for a decision to be sent.
func (j *Judge) Sends(score int) bool { return score >= j.moved(j.model.Least) }

// moved returns a score from which on decisions are sent, as the user's threshold
// moves it: if that is half way from [Threshold] to 100, so is this from where it is.
// 100 sends what is certain.
func (j *Judge) moved(least int64) int {
	at := int(least)
	switch {
	case at == 0:
		return j.threshold
	case j.threshold <= Threshold:
		return j.threshold * at / Threshold
	}
	return 100 - (100-j.threshold)*(100-at)/(100-Threshold)
}

// Again returns what a turn decides whose exchange weighs sum. The text and what
// stood before it are those with which it was judged first.
// The result is that of a turn that was judged with the reply there from the start: the
// order of what became known does not show in what is decided.
func (j *Judge) Again(text, before string, sum int64) []Decided {
	r := &j.reading
	r.Read(text, func() string { return before })
	r.verdict()
	r.says(&j.bags)
	return j.decisions(sum, j.sentences())
}

// sentences returns what each sentence of the turn weighs.
func (j *Judge) sentences() []int64 {
	r, b := &j.reading, &j.bags
	n := min(len(r.Turn.Sentences), maxSentences)
	sums := make([]int64, n)
	for i := range n {
		r.sentenceFeatures(b, i)
		sums[i] = j.model.Sum(score.OfOne, &b.sentence, true) + j.model.Sum(score.OfOne, &b.sentenceShape, false)
		sums[i] += j.forDecision(i)
	}
	return sums
}

// decisions returns what the strongest passage decides, and the others that are sure.
// The strongest comes by its sum; of the others only those that would be sent alone.
func (j *Judge) decisions(sum int64, sums []int64) []Decided {
	strongest := j.model.Mix(sum, slices.Max(sums))
	var out []Decided
	all := j.passages(sum, sums)
	besides := j.reading.besides(all)
	for _, p := range all {
		mix := j.model.Mix(sum, sums[p.best])
		from := len(out)
		out = j.reading.decide(out, p)
		for k := range out[from:] {
			j.aspects(&out[from+k], p)
			j.name(&out[from+k], p)
			out[from+k].Score = j.model.Score(mix)
			out[from+k].margin = mix - strongest
			out[from+k].Besides = besides
		}
	}
	return out
}

// Rescore gives a decision the score that it has in an exchange which now weighs
// sum.
func (j *Judge) Rescore(d *Decided, a *Asked, sum int64) int {
	return j.model.Score(j.model.Mix(sum, a.best) + d.margin)
}

// Input is an exchange: a person's turn, what stands before it and what follows.
type Input struct {
	Text          string // the turn, verbatim
	PrevAssistant string // the assistant's message before it, or its tail; may be empty
	Reply         string // the beginning of what the assistant says to it
	Edited        bool   // an edit follows before the person speaks again
	Over          bool   // the person has spoken again
}

// Exchange judges a whole exchange, as it is judged while it continues: at once, with
// its reply, with its edits; without either, when the person speaks again.
func (j *Judge) Exchange(in Input) Verdict {
	v := j.Turn(in.Text, func() string { return in.PrevAssistant })
	a := v.Asked
	if a == nil {
		return v
	}
	type stage struct {
		reply  string
		edited bool
	}
	for _, s := range []stage{{in.Reply, false}, {in.Reply, in.Edited}} {
		if s.reply == "" && !s.edited && !in.Over {
			continue
		}
		sum := j.Hear(a, s.reply, s.edited)
		v.Score = j.Score(a, sum)
		switch {
		case len(v.Decisions) > 0:
			for k := range v.Decisions {
				v.Decisions[k].Score = j.Rescore(&v.Decisions[k], a, sum)
			}
		case j.Sends(v.Score):
			v.decides(j.Again(in.Text, in.PrevAssistant, sum))
		}
	}
	return v
}
