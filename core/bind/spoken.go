package bind

import (
	"slices"

	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// What it is worth that an edit and a text have a word in common. One that the edit leaves where it is
// decides only where no other does; one that the agent says right before the call tells what the edit is for.
const (
	stays     = 1
	shows     = 16
	announces = 2 * shows
)

// fits says of each text how well an edit fits it: how many of the words that the text speaks
// of are in what the edit changes or in the path of its file, and how many in what
// the agent says right before it.
//
//	said       Now the tests: retry three times.
//	edit       test/client.js
//	           -  client.get(url)
//	           +  client.get(url, retry(3))
//
//	text       Retry all failures by default.     retry, retry     48   it is changed, and announced
//	           Put a check into the client.       client           16   it is in the path
//	           The URL has a port.                url               1   it stays, as it is
func fits(e *segment.Edit, texts ...topic.Words) []int {
	var all topic.Words
	for _, w := range texts {
		all = all.With(w)
	}
	const (
		comes = 1 << iota
		goes
		inPath
		said
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
			topic.Each(line[1:], mark(comes))
		} else {
			topic.Each(line[1:], mark(goes))
		}
	})
	for _, word := range e.Announced {
		mark(said)(word)
	}
	n := make([]int, len(texts))
	for at, word := range all {
		worth := 0
		switch change := where[at] & (comes | goes); {
		case change == comes, change == goes, where[at]&inPath != 0:
			worth = shows
		case change != 0:
			worth = stays
		}
		if where[at]&said != 0 {
			worth += announces
		}
		for i, w := range texts {
			if worth > 0 && w.Has(word) {
				n[i] += worth
			}
		}
	}
	return n
}

// named says what it is worth, in words, that an edit names what a decision names.
func (m matches) named(d *segment.Decision) int {
	const name, path = shows, 4 * shows
	if s := m.of[d]; s != nil {
		return name*s.names + path*s.paths
	}
	return 0
}

// best is the decision which an edit fits best, nil if it fits none, how much it fits that, and by how much
// better than the rest of what is said. Of equals the latest counts, and of one turn the
// person's own words before those that they accept.
func (m matches) best(e *segment.Edit, all []*segment.Decision, rest topic.Words) (best *segment.Decision, most, lead int) {
	texts := make([]topic.Words, len(all)+1)
	for i, d := range all {
		texts[i] = d.Words
	}
	texts[len(all)] = rest
	n := fits(e, texts...)
	for i, d := range all {
		if n := n[i] + m.named(d); n > most || n == most && n > 0 && (d.Head.Seq > best.Head.Seq || best.EpitomeInAssistant) {
			best, most = d, n
		}
	}
	return best, most, most - n[len(all)]
}

// twins reports whether decisions are one thing that is said twice: what is offered, and the
// words that accept it.
func twins(all []*segment.Decision) bool {
	for _, d := range all[1:] {
		if d.Head.Seq != all[0].Head.Seq || !slices.Equal(d.Title, all[0].Title) {
			return false
		}
	}
	return true
}
