package decide

import (
	"math"
	"strings"

	"github.com/memscribe/memscribe/core/decide/forbid"
	"github.com/memscribe/memscribe/core/decide/naming"
	"github.com/memscribe/memscribe/core/gate"
	"github.com/memscribe/memscribe/core/score"
)

// How much a ban counts. The values were chosen by cross-validation, without the projects that
// are set aside for the final measurement.
const (
	// banShare is the factor by which evidence for a ban is evidence for a decision.
	banShare = 4
	// banMost is the highest sum of a ban that counts, before it is multiplied.
	banMost = 3 * score.Unit
	// banLeast is the sum above which a sentence is a ban.
	banLeast = 300
)

// ForDecision returns what a ban in a plain form adds to the sum of its sentence: a person who
// forbids something has decided it, however little else the turn says. It is between 0 and
// banShare × banMost.
func ForDecision(ban int64) int64 { return banShare * min(max(ban, 0), banMost) }

// forbids returns the sum of sentence i as a ban, and whether it forbids in a plain form. A
// sentence with no word that can forbid has the least possible sum.
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

// forDecision returns what sentence i adds to its sum if it forbids something in a plain form,
// else 0.
func (j *Judge) forDecision(i int) int64 {
	if form, _ := j.forms.In(j.reading.Turn.Sentences[i].In(j.reading.Turn.Text)); form == forbid.None {
		return 0 // most sentences; features are not collected for them
	}
	if ban, plain := j.forbids(i); plain {
		return ForDecision(ban)
	}
	return 0
}

// bans reports whether a sentence of a passage forbids something. A model weighs the words that
// can forbid, the form of the sentence, and its other features. A sentence without such a word
// is never a ban.
func (j *Judge) bans(p passage) bool {
	for i := p.first; i <= p.last; i++ {
		if sum, _ := j.forbids(i); sum > banLeast {
			return true
		}
	}
	return false
}

// signsOfBan adds to b the evidence for and against sentence i being a ban. It reports whether
// there is any evidence for it, and whether the sentence forbids in a plain form. Without
// evidence the bag stays empty.
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
	if form > forbid.Without { // "no X" more often reports than forbids
		b.Add("ban formed")
		b.Add("ban formed in sentences ", size)
	}
	return true, plain
}

// spares reports whether sentence i limits an order and does not only postpone it: "don't
// change any other files".
func (r *turn) spares(i int) bool {
	s := r.Turn.Sentences[i]
	for k := s.First; k < s.Last; k++ {
		if w := r.Word(k); w == "other" || w == "else" {
			return true
		}
	}
	return false
}

// postpones reports whether sentence i only postpones the work:
//
//	do not edit anything yet             postpones
//	don't change any code, just explain  postpones
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

// isChange reports whether a word is a general one for a change, such as "edit", and no place.
func isChange(word string) bool {
	return strings.Contains(" any anything code change changes edit edits file files modification modifications ", " "+word+" ")
}

// leadsToPlace reports whether a word precedes a place, a file or a part of the program, such
// as "under" or "in".
func leadsToPlace(word string) bool {
	return strings.Contains(" under in inside outside below within to of on from ", " "+word+" ")
}

// waits reports whether the words between two tokens say until when, or mean everything.
func (r *turn) waits(from, to int) bool {
	for k := from; k < to; k++ {
		if strings.Contains(" yet until till before now just only first code codebase project repo repository ", " "+r.Word(k)+" ") {
			return true
		}
	}
	return false
}
