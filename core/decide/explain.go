package decide

import "github.com/memscribe/memscribe/core/gate"

// Sentence is one sentence of a turn with what speaks for and against it.
type Sentence struct {
	Text    string
	Offset  int         // in the turn
	Clauses [][]Feature // evidence by clause; an answer's is the last
}

// Evidence lists what is known of every sentence of a turn, before anything is
// weighed. Weights are learnt from it.
func Evidence(rules *gate.Rules, in Input) []Sentence {
	r := read(rules, in)
	out := make([]Sentence, 0, len(r.turn.Sentences))
	for i, s := range r.turn.Sentences {
		x := Sentence{Text: s.In(in.Text), Offset: s.Start}
		cs := r.clauses(i)
		act := cs[0].first
		if cs[0].n == 0 {
			act = s.Last
		}
		for k := range cs {
			x.Clauses = append(x.Clauses, append([]Feature(nil), r.evidence(i, &cs[k], act)...))
		}
		if i == 0 {
			if ev := r.answer(); len(ev) > 0 {
				x.Clauses = append(x.Clauses, append([]Feature(nil), ev...))
			}
		}
		out = append(out, x)
	}
	return out
}

// Term is a piece of evidence and what it weighs, in hundredths of log odds.
type Term struct {
	Feature string
	Weight  int32
}

// Breakdown explains the score of a sentence.
type Breakdown struct {
	Sentence string
	Score    int32
	Terms    []Term // of the clause that scored, the heaviest first
}

// Explain shows how every sentence of a turn came to its score.
func (w Weights) Explain(rules *gate.Rules, in Input) []Breakdown {
	var out []Breakdown
	for _, s := range Evidence(rules, in) {
		b := Breakdown{Sentence: s.Text, Score: NoScore}
		for _, c := range s.Clauses {
			if sum := w.sum(c); sum > b.Score {
				b.Score, b.Terms = sum, w.terms(c)
			}
		}
		out = append(out, b)
	}
	return out
}

func (w Weights) terms(ev []Feature) []Term {
	var out []Term
	for _, f := range ev {
		t := Term{Feature: f.String(), Weight: w(f)}
		if t.Weight == 0 {
			continue
		}
		at := len(out)
		for at > 0 && abs(out[at-1].Weight) < abs(t.Weight) {
			at--
		}
		out = append(out, Term{})
		copy(out[at+1:], out[at:])
		out[at] = t
	}
	return out
}

func abs(n int32) int32 { return max(n, -n) }
