package decide

import (
	"math"
	"strings"

	"github.com/memscribe/memscribe/core/decide/forbid"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/score"
)

// How a ban counts, and when; chosen by cross-validation outside the locked fifth.
const (
	// banShare is how much of what speaks for a ban speaks for a decision too, in the sum of its sentence.
	banShare = 4
	// banMost is how much of it counts, in log odds.
	banMost = 3 * score.Unit
	// banLeast is what a sentence weighs as a ban if its decision is flagged as one.
	banLeast = 300
)

// ForDecision returns what a sentence that forbids in a plain form adds to its sum: a person who
// orders that something is not done has decided it, however little else the turn says.
func ForDecision(ban int64) int64 { return banShare * min(max(ban, 0), banMost) }

// forbids returns what sentence i weighs as a ban, and whether it forbids in a plain form. A sentence
// with nothing that may forbid weighs less than any other.
func (j *Judge) forbids(i int) (sum int64, plain bool) {
	if j.forbidding == nil { // made when the first sentence needs it
		j.forbidding = naming.NewForbidding()
	}
	r, b := &j.reading, &j.bags.sentenceShape
	b.Reset()
	some, plain := r.signsOfBan(j.forbidding, j.forms, b, r.group(), i)
	if !some {
		return math.MinInt64, false
	}
	r.sentenceShape(&j.bags, i)
	return j.model.Sum(score.Ban, b, false), plain
}

// forDecision returns what sentence i adds to its sum by forbidding something.
func (j *Judge) forDecision(i int) int64 {
	if form, _ := j.forms.In(j.reading.Turn.Sentences[i].In(j.reading.Turn.Text)); form == forbid.None {
		return 0 // as most sentences do: no more of them is looked at
	}
	if ban, plain := j.forbids(i); plain {
		return ForDecision(ban)
	}
	return 0
}

// bans reports whether a passage forbids something: whether a sentence of it does, as a model
// weighs the words in it that may forbid, its form, and what else the sentence is.
// A sentence with no word that may forbid is never a ban, however strong the model:
// "don't change any other files" of a longer order spares them and forbids nothing.
func (j *Judge) bans(p passage) bool {
	for i := p.first; i <= p.last; i++ {
		if sum, _ := j.forbids(i); sum > banLeast {
			return true
		}
	}
	return false
}

// signsOfBan adds what speaks for and against that sentence i forbids something. It reports
// whether anything speaks for it, and whether the sentence forbids in a plain form.
// If nothing does, the bag is empty and the sentence forbids nothing.
func (r *turn) signsOfBan(f *naming.Forbidding, forms *forbid.Finder, b *score.Bag, group string, i int) (some, plain bool) {
	families, own := r.familiesOf(i), r.Turn.Sentences[i].In(r.Turn.Text)
	if families.any(gate.CtxNoChange) && r.postpones(i) && !r.spares(i) || naming.Excused(own) {
		return false, false
	}
	form, inEnglish := forms.In(own)
	plain = form != forbid.None
	byRules, byWords := r.forbids(i, families), f.Signs(own, inEnglish || !plain && group == "en", b.Add)
	switch {
	case !plain && !byRules && !byWords:
		return false, false
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
	size := bucket(len(r.Turn.Sentences), 1, 2, 5, 12)
	b.Add("ban in sentences ", size)
	if plain {
		b.Add("ban form ", form.String())
	}
	if form > forbid.Without { // "no X" reports more often than it forbids
		b.Add("ban formed")
		b.Add("ban formed in sentences ", size)
	}
	return true, plain
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

// postpones reports whether sentence i only puts the work off:
//
//	do not edit anything yet             puts it off
//	don't change any code, just explain  puts it off
//	do not edit anything under vendor/   forbids
//	don't make any changes to the schema forbids
func (r *turn) postpones(i int) bool {
	last := r.Turn.Sentences[i].Last
	for _, h := range r.Scan.Of(i) {
		if h.Family != gate.CtxNoChange {
			continue
		}
		at := h.Last
		for at < last && isChange(r.Word(at)) {
			at++
		}
		if at >= last || !leadsToPlace(r.Word(at)) || r.waits(at, last) {
			return true
		}
	}
	return false
}

// isChange reports whether a word names what is not to be done, and not where.
func isChange(word string) bool {
	return strings.Contains(" any anything code change changes edit edits file files modification modifications ", " "+word+" ")
}

// leadsToPlace reports whether the word before a place, a file or a part of the program is it.
func leadsToPlace(word string) bool {
	return strings.Contains(" under in inside outside below within to of on from ", " "+word+" ")
}

// waits reports whether some words say until when, or name all there is.
func (r *turn) waits(from, to int) bool {
	for k := from; k < to; k++ {
		if strings.Contains(" yet until till before now just only first code codebase project repo repository ", " "+r.Word(k)+" ") {
			return true
		}
	}
	return false
}
