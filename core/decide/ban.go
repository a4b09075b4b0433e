package decide

import (
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/score"
)

// bans reports whether a passage forbids something: whether a sentence of it does, as a model
// weighs the words in it that may forbid, and what else the sentence is.
// A sentence with no word that may forbid is never a ban, however strong the model:
// "don't change any other files" of a longer order spares them and forbids nothing.
func (j *Judge) bans(p passage) bool {
	if j.forbidding == nil { // made when the first decision needs it
		j.forbidding = naming.NewForbidding()
	}
	r, b := &j.reading, &j.bags.sentenceShape
	for i := p.first; i <= p.last; i++ {
		b.Reset()
		if !r.signsOfBan(j.forbidding, b, r.group(), i) {
			continue
		}
		if r.sentenceShape(&j.bags, i); j.model.Sum(score.Ban, b, false) > 0 {
			return true
		}
	}
	return false
}

// signsOfBan adds what speaks for and against that sentence i forbids something. It reports
// whether anything speaks for it.
// In that case the bag is empty and the sentence forbids nothing.
func (r *turn) signsOfBan(f *naming.Forbidding, b *score.Bag, group string, i int) bool {
	families, own := r.familiesOf(i), r.Turn.Sentences[i].In(r.Turn.Text)
	if families.any(gate.CtxNoChange) && r.postpones(i) && !r.spares(i) || naming.Excused(own) {
		return false
	}
	byRules, byWords := r.forbids(i, families), f.Signs(own, group == "en", b.Add)
	switch {
	case !byRules && !byWords:
		return false
	case !byWords:
		b.Add("ban by the rules alone")
	case byRules:
		b.Add("ban by the rules")
	}
	b.Add(Always)
	if families.any(gate.ModAlways, gate.ModFromNowOn, gate.ModRemember, gate.ModEverywhere, gate.ActNever, gate.ActMustNot, gate.ActAlways) {
		b.Add("ban standing")
	}
	if families.any(gate.ModInsteadOf, gate.ModInstead) {
		b.Add("ban instead")
	}
	b.Add("ban in sentences ", bucket(len(r.Turn.Sentences), 1, 2, 5, 12))
	return true
}

// spares reports whether sentence i wants everything else left as it is: "don't change any
// other files".
func (r *turn) spares(i int) bool {
	s := r.Turn.Sentences[i]
	for k := s.First; k < s.Last; k++ {
		if w := r.Word(k); w == "other" || w == "else" {
			return true
		}
	}
	return false
}
