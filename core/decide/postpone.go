package decide

import (
	"strings"

	"github.com/memscribe/memscribe/core/gate"
)

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
