package bind

import (
	"slices"

	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// The weight of a word that an edit and a text have in common. A word on both sides of the
// diff only breaks ties; a word that the agent says right before the call tells most.
const (
	keptWeight      = 1
	changedWeight   = 16
	announcedWeight = 2 * changedWeight
)

// fitScores returns how well an edit fits each text: the weights of the text's words that
// are in the changes, in the path, or in what the agent announced before the call.
//
//	announced  Now the tests: retry three times.
//	edit       test/client.js
//	           -  client.get(url)
//	           +  client.get(url, retry(3))
//
//	text       Retry all failures by default.     retry, retry     48   changed, and announced
//	           Put a check into the client.       client           16   in the path
//	           The URL has a port.                url               1   on both sides of the diff
func fitScores(e *segment.Edit, texts ...topic.Words) []int {
	var all topic.Words
	for _, w := range texts {
		all = all.With(w)
	}
	const (
		added = 1 << iota
		removed
		inPath
		announced
	)
	where := make([]uint8, len(all))
	mark := func(in uint8) func(uint32) bool {
		return func(word uint32) bool {
			if at, found := all.Find(word); found {
				where[at] |= in
			}
			return true
		}
	}
	topic.Each(e.Diff.Path, mark(inPath))
	eachChange(e, func(line string) {
		if line[0] == '+' {
			topic.Each(line[1:], mark(added))
		} else {
			topic.Each(line[1:], mark(removed))
		}
	})
	for _, word := range topic.Of(e.Announced) {
		mark(announced)(word)
	}
	n := make([]int, len(texts))
	for at, word := range all {
		worth := 0
		switch change := where[at] & (added | removed); {
		case change == added, change == removed, where[at]&inPath != 0:
			worth = changedWeight
		case change != 0:
			worth = keptWeight
		}
		if where[at]&announced != 0 {
			worth += announcedWeight
		}
		for i, w := range texts {
			if worth > 0 && w.Has(word) {
				n[i] += worth
			}
		}
	}
	return n
}

// nameScore returns the weight of the names that an edit and a decision share.
func (m matches) nameScore(d *segment.Decision) int {
	const name, path = changedWeight, 4 * changedWeight
	if s := m.of[d]; s != nil {
		return name*s.names + path*s.paths
	}
	return 0
}

// best returns the decision that an edit fits best, or nil, its score, and how much better
// that is than the score of the rest of the turn. Of equals it returns the latest; in one
// turn, the person's own words come before an accepted offer.
func (m matches) best(e *segment.Edit, all []*segment.Decision, rest topic.Words) (best *segment.Decision, most, lead int) {
	texts := make([]topic.Words, len(all)+1)
	for i, d := range all {
		texts[i] = d.Words
	}
	texts[len(all)] = rest
	n := fitScores(e, texts...)
	for i, d := range all {
		if n := n[i] + m.nameScore(d); n > most || n == most && n > 0 && (d.Head.Seq > best.Head.Seq || best.EpitomeInAssistant) {
			best, most = d, n
		}
	}
	return best, most, most - n[len(all)]
}

// isOneDecision reports whether decisions are the same thing: an offer, and the words that
// accept it.
func isOneDecision(all []*segment.Decision) bool {
	for _, d := range all[1:] {
		if d.Head.Seq != all[0].Head.Seq || !slices.Equal(d.Title, all[0].Title) {
			return false
		}
	}
	return true
}
