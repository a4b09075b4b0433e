package decide

import (
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/decide/forbid"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/decide/reading"

	_ "embed"

	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/score"
)

// weights are the weights that testkit/labels/weigh has learnt.
//
//go:embed weights.tsv
var weights string

// Model returns the built-in weights. An error means that the program was built from a broken
// table; a test reads it.
func Model() (*score.Model, error) { return score.Parse(weights) }

// Threshold is the default of the user's threshold: the score from which on decisions are
// sent. Sure is the score from which on a decision is called sure.
const (
	Threshold = 60
	Sure      = 90
)

const (
	// hopeless is the sum below which no reply can make an exchange a decision. Of 5,668
	// exchanges, most of which the weights were learnt from, none gains more than 1.63 log
	// odds by its reply, and none that began below -1 is sent at the default threshold. With
	// a lower threshold some may be missed.
	hopeless = -2 * score.Unit
)

// Judge judges exchanges one after the other. It reuses its memory, since a turn of a few words
// has hundreds of features. It must be used by one goroutine; any number of Judges may share
// rules and model, which are immutable.
type Judge struct {
	reading   turn    // the turn that is being judged
	bags      bags    // its features
	sums      []int64 // of its sentences
	model     *score.Model
	threshold int // the user's threshold, 0 to 100

	// namer and forbidding are made when they are first needed.
	namer      *naming.Namer
	forbidding *naming.Forbidding
	forms      *forbid.Finder
}

// NewJudge returns a Judge. The threshold is the least score of decisions that are sent.
func NewJudge(rules *gate.Rules, model *score.Model, threshold int) *Judge {
	return &Judge{reading: turn{Reading: reading.New(rules)}, model: model, threshold: threshold, forms: forbid.New()}
}

// Turn judges a person's turn before there is a reply to it. before returns the assistant's
// message before it, or its end; it is called only if it is needed. The caller may keep the
// verdict: it does not change with later calls.
func (j *Judge) Turn(text string, before func() string) Verdict {
	r, b := &j.reading, &j.bags
	r.Read(text, before)
	v := r.verdict()
	if strings.HasPrefix(text, "/ask ") && strings.HasSuffix(strings.TrimSpace(text), "?") {
		v.Elevated = false
		return v // the tool's command for a question, which asks one
	}
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

// decides sets the decisions of a verdict, and its kind to the one that precedes.
func (v *Verdict) decides(all []Decided) {
	v.Decisions, v.Elevated = all, true
	for i := range all {
		if precedes(all[i].Kind, v.Kind) {
			v.Kind = all[i].Kind
		}
	}
}

// Hear returns the sum of an exchange with the reply so far, of which the first [MaxReply] bytes
// count, and with whether the agent made an edit. From call to call the reply may only grow. If
// it has not grown, only the edits are weighed again.
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

// Score returns the score of an exchange with a sum that [Judge.Hear] returned.
func (j *Judge) Score(a *Asked, sum int64) int {
	return j.model.Score(j.model.Mix(sum, a.best))
}

// Sends reports whether an exchange with this score is sent as a decision.
func (j *Judge) Sends(score int) bool { return score >= j.moved(j.model.Least) }

// moved returns a limit of the model adapted to the user's threshold, in proportion: if the
// threshold is half way between [Threshold] and 100, the result is half way between least and
// 100. A limit that the model does not have is 0; the threshold itself takes its place. With
// 100 only certain decisions are sent.
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

// Again returns the decisions of a turn whose exchange now has a sum. The text and the message
// before must be those that it was first judged with. The result is the same as if the reply
// had been known from the start.
func (j *Judge) Again(text, before string, sum int64) []Decided {
	if r := &j.reading; !r.Holds(text, before) { // another turn was judged since
		r.Read(text, func() string { return before })
		r.verdict()
		r.says(&j.bags)
		j.sentences()
	}
	return j.decisions(sum, j.sums)
}

// sentences returns the sum of each of the first maxSentences sentences of the turn. They stay in
// sums as long as the turn is the one in reading.
func (j *Judge) sentences() []int64 {
	r, b := &j.reading, &j.bags
	j.sums = j.sums[:0]
	for i := range min(len(r.Turn.Sentences), maxSentences) {
		r.sentenceFeatures(b, i)
		sum := j.model.Sum(score.OfOne, &b.sentence, true) + j.model.Sum(score.OfOne, &b.sentenceShape, false)
		j.sums = append(j.sums, sum+j.forDecision(i))
	}
	return j.sums
}

// decisions returns the decisions of the strongest passage, and of the other passages that are
// strong enough by themselves. sums are the sums of the sentences.
func (j *Judge) decisions(sum int64, sums []int64) []Decided {
	strongest := j.model.Mix(sum, slices.Max(sums))
	var out []Decided
	all := j.passages(sum, sums)
	besides := j.reading.besides(all)
	for n, p := range all {
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
		if from > 0 && len(out) == from+1 && j.reading.together(all[n-1], p, &out[from-1], &out[from]) {
			all[n].first = all[n-1].first
			j.reading.join(&out[from-1], &out[from])
			out = out[:from]
		}
	}
	return out
}

// Rescore returns the score of a decision in an exchange that now has a sum.
func (j *Judge) Rescore(d *Decided, a *Asked, sum int64) int {
	return j.model.Score(j.model.Mix(sum, a.best) + d.margin)
}

// Input is an exchange: a person's turn, the message before it, and what follows.
type Input struct {
	Text          string // the turn, verbatim
	PrevAssistant string // the assistant's message before it, or its end; may be ""
	Reply         string // the beginning of the assistant's reply
	Edited        bool   // an edit follows before the person speaks again
	Over          bool   // the person has spoken again, so nothing more will follow
}

// Exchange judges a complete exchange in the steps in which it is judged while it arrives: the
// turn alone, then with the reply, then with the edits or, without either, at the next turn.
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
