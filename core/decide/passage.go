package decide

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/core/decide/words"
	"github.com/memscribe/memscribe/core/prose"
)

// passage is what becomes an epitome: the sentence that decides, with neighbours that
// decide along with it.
//
//	-2.4  thanks for that
//	-0.6  they should not wrap either    ┐
//	 1.9  Make the buttons blue.         ┘ one passage: the second is the best
//	-3.0  I will look at it tomorrow.
type passage struct {
	first, last int // sentences, both in
	best        int
}

const (
	// further is the score that another sentence of a turn than the best one needs to be
	// a decision of its own. It has to speak for one by itself, too.
	further = 70
	// forbidding is the same for a sentence that forbids: it stands for itself.
	forbidding = 50
	// maxPassage is how many bytes a passage of several sentences may have.
	maxPassage = 400
	// long is how many sentences a turn has that reads like a document: a plan, a brief for
	// an agent, a page of rules. Most of what it says is work, conditions and background, so
	// that no more than its maxOfLong strongest passages are decisions.
	long, maxOfLong = 30, 5
	// brief is how many sentences a turn has from which on a sentence often says only with
	// those around it what it is of: "Both are optional. The default is the first." Then
	// neighbours that decide are one decision of up to maxTogether bytes.
	brief, maxTogether = 4, 240
)

// passages returns those that decide, by place, of a turn whose exchange weighs sum and
// whose sentences weigh sums. There is one at least.
func (j *Judge) passages(sum int64, sums []int64) []passage {
	r := &j.reading
	strongest := slices.Max(sums)
	alone := make([]bool, len(sums)) // has a passage of its own, or is in one
	for i, s := range sums {
		leans := i > 0 && alone[i-1] && r.leans(i) && r.joins(passage{i - 1, i - 1, i - 1}, i)
		alone[i] = !leans && (s == strongest || s >= j.byItself(i) && !r.isLabel(i) && j.model.Score(j.model.Mix(sum, s)) >= r.needs(i))
	}
	for i, s := range sums {
		if alone[i] && s >= j.model.Joins && r.onlyTells(i) && (r.leadsTo(i, i+1, alone) || r.leadsTo(i, i-1, alone)) {
			alone[i] = false
		}
	}
	var out []passage
	for i := range sums {
		if alone[i] {
			out = append(out, passage{i, i, i})
		}
	}
	slices.SortStableFunc(out, func(a, b passage) int { return cmp.Compare(sums[b.best], sums[a.best]) })
	if len(r.Turn.Sentences) > long && len(out) > maxOfLong {
		out = out[:maxOfLong]
	}
	for k := range out {
		j.grow(&out[k], sums, alone)
	}
	slices.SortStableFunc(out, func(a, b passage) int { return a.first - b.first })
	return out
}

// byItself returns what sentence i weighs at least to be a decision beside the best one. An item of a list
// needs no neighbour, so that it stands alone where another sentence would join one.
func (j *Judge) byItself(i int) int64 {
	if j.reading.Turn.Sentences[i].Item {
		return j.model.Joins
	}
	return j.model.Alone
}

// needs returns the score that sentence i needs to be a decision beside the best one.
func (r *turn) needs(i int) int {
	if r.forbids(i, r.familiesOf(i)) {
		return forbidding
	}
	return further
}

// isLabel reports whether sentence i is an item of a list that is one or two words and no act: the name of a part
// in "3. Globe", but no answer such as "D: extract".
func (r *turn) isLabel(i int) bool {
	const most = 2 // words
	n := strings.Count(r.Turn.Sentences[i].In(r.Turn.Text), ":")
	for _, t := range r.Turn.Tokens[r.Turn.Sentences[i].First:r.Turn.Sentences[i].Last] {
		if t.Kind == prose.Word {
			n++
		}
	}
	return r.Turn.Sentences[i].Item && n <= most && r.onlyTells(i)
}

// onlyTells reports whether no rule finds an act in sentence i: it tells how things are.
func (r *turn) onlyTells(i int) bool {
	return r.judged[i].clause.Group == words.None && !r.judged[i].answer && !r.forbids(i, r.familiesOf(i))
}

// leadsTo reports whether sentence k is a decision that says what to do, and sentence i can stand in one
// passage with it: "The page has lost its footer. Put it back."
func (r *turn) leadsTo(i, k int, alone []bool) bool {
	return k >= 0 && k < len(alone) && alone[k] && r.judged[k].clause.Group.Directive() && r.joins(passage{k, k, k}, i)
}

// grow takes the stronger of its two neighbours into a passage, as long as one weighs
// enough.
func (j *Judge) grow(p *passage, sums []int64, taken []bool) {
	r := &j.reading
	for !r.judged[p.best].answer {
		next := -1
		for _, k := range [...]int{p.first - 1, p.last + 1} {
			if k < 0 || k >= len(sums) || taken[k] || !r.joins(*p, k) {
				continue
			}
			if sums[k] < j.model.Joins && (k > p.first || !r.leans(p.first)) {
				continue
			}
			if next < 0 || sums[k] > sums[next] {
				next = k
			}
		}
		if next < 0 {
			break
		}
		taken[next] = true
		p.first, p.last = min(p.first, next), max(p.last, next)
		if sums[next] > sums[p.best] {
			p.best = next
		}
	}
}

// besides reports whether a sentence outside of all passages asks for something to be made
// or changed. To run, commit or explain something makes no edit.
func (r *turn) besides(all []passage) bool {
	for i := range r.judged {
		if slices.ContainsFunc(all, func(p passage) bool { return p.first <= i && i <= p.last }) {
			continue
		}
		switch r.judged[i].clause.Group {
		case words.Set, words.Build, words.Modal, words.Want, words.Chore:
			return true
		default:
		}
	}
	return false
}

// joins reports whether sentence k can stand in one passage with p: nothing that was
// left out lies between, and neither is an item of a list or an answer.
func (r *turn) joins(p passage, k int) bool {
	if r.judged[k].answer || r.Turn.Sentences[k].Item || r.Turn.Sentences[p.best].Item {
		return false
	}
	span := r.span(passage{first: min(p.first, k), last: max(p.last, k)})
	if span.End-span.Start > maxPassage {
		return false
	}
	for _, own := range r.Turn.Spans {
		if own.Start <= span.Start && span.End <= own.End {
			return true
		}
	}
	return false
}

// span returns where a passage stands.
func (r *turn) span(p passage) prose.Span {
	return prose.Span{Start: r.Turn.Sentences[p.first].Start, End: r.Turn.Sentences[p.last].End}
}

// leans reports whether a sentence begins by pointing back, so that it cannot be
// understood alone.
func (r *turn) leans(i int) bool {
	switch r.Word(r.Turn.Sentences[i].First) {
	case "and", "or", "instead", "otherwise", "it", "they", "this", "that", "these", "those", "then", "same", "there", "both", "so", "if":
		return true
	}
	return false
}
