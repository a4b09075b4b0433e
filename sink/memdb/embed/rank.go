package embed

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/sink/memdb/api"
	"github.com/memscribe/memscribe/sink/memdb/record"
)

// Most is how many candidates a search takes from each side: by words, and by vectors.
const Most = 200

// Candidate is a version that a search may return.
type Candidate struct {
	Place

	Valid int64 // since when it is so, in milliseconds since 1970
}

// Compare orders candidates that are equally good, in the same way for every store: the later
// valid time first, then the namespace that sorts later, then the later version.
func (c Candidate) Compare(o Candidate) int {
	return cmp.Or(cmp.Compare(o.Valid, c.Valid), cmp.Compare(o.Namespace, c.Namespace), cmp.Compare(o.Seq, c.Seq))
}

// Nearest collects the candidates that are nearest to a vector, at most [Most]. The zero
// Nearest is empty.
type Nearest struct{ found []near }

// near is a candidate, and how near it is: 1 is the same direction.
type near struct {
	Candidate

	score float32
}

// Add adds a candidate. It drops the furthest one if there are more than Most.
func (n *Nearest) Add(c Candidate, score float32) {
	if len(n.found) == Most && score < n.found[Most-1].score {
		return
	}
	added := near{c, score}
	at, _ := slices.BinarySearchFunc(n.found, added, func(a, b near) int { return cmp.Or(cmp.Compare(b.score, a.score), a.Compare(b.Candidate)) })
	if n.found = slices.Insert(n.found, at, added); len(n.found) > Most {
		n.found = n.found[:Most]
	}
}

// Places returns the places of those that were kept, the nearest first.
func (n *Nearest) Places() []Place {
	places := make([]Place, len(n.found))
	for i := range n.found {
		places[i] = n.found[i].Place
	}
	return places
}

// fuseOffset is added to each rank before the reciprocal is taken. With 60, the usual value,
// the first of one list does not outweigh a result that both lists have.
const fuseOffset = 60

// Fuse merges several orders by reciprocal rank fusion: rank r of a list, counted from 1, gives
// 1/(60+r), and the sums decide. Of two equals the one that is met first comes first.
//
//	Fuse({a, b, c}, {b, d}) → b a d c
//
//	a  1/61          = 0.0164
//	b  1/62 + 1/61   = 0.0325
//	c  1/63          = 0.0159
//	d  1/62          = 0.0161
func Fuse[K comparable](lists ...[]K) []K {
	scores := map[K]float64{}
	var all []K
	for _, list := range lists {
		for rank, key := range list {
			if _, known := scores[key]; !known {
				all = append(all, key)
			}
			scores[key] += 1 / float64(fuseOffset+rank+1)
		}
	}
	slices.SortStableFunc(all, func(a, b K) int { return cmp.Compare(scores[b], scores[a]) })
	return all
}

// Worded collects the memories that have all words of a search, the latest [Most] of them.
type Worded struct {
	request *api.SearchRequest
	words   []string // in lower case
	found   []worded
}

// worded is a candidate, and how much it says the words.
type worded struct {
	Candidate

	score float64
}

// NewWorded returns an empty Worded for a search.
func NewWorded(r *api.SearchRequest) *Worded {
	w := &Worded{request: r}
	for _, word := range record.Wanted(r.Query) {
		w.words = append(w.words, strings.ToLower(word))
	}
	return w
}

// Take adds a memory if it meets the conditions of the search and there is room. Memories must
// arrive in the order of [Candidate.Compare].
func (w *Worded) Take(c Candidate, json []byte) record.Taken {
	r, err := record.Read(json)
	switch {
	case err != nil || !record.Fits(w.request, &r.Memory):
		return record.Unfit
	case len(w.found) == Most:
		return record.Full
	}
	w.found = append(w.found, worded{c, relevance(r.Memory.Content, w.words)})
	return record.Added
}

// relevance returns how well a text matches some words: each occurrence counts, and less in a long
// text.
func relevance(content string, words []string) (score float64) {
	text := strings.ToLower(content)
	for _, w := range words {
		// The second time counts less than the first, as in BM25.
		times := float64(strings.Count(text, w))
		score += times / (times + 1 + float64(len(text))/typicalText)
	}
	return score
}

// Join adds the results of another Worded of the same search, for other namespaces.
func (w *Worded) Join(o *Worded) {
	w.found = append(w.found, o.found...)
	slices.SortStableFunc(w.found, func(a, b worded) int { return a.Compare(b.Candidate) })
	w.found = w.found[:min(len(w.found), Most)]
}

// Places returns the places of the memories, those that match the words best first.
func (w *Worded) Places() []Place {
	slices.SortStableFunc(w.found, func(a, b worded) int { return cmp.Or(cmp.Compare(b.score, a.score), a.Compare(b.Candidate)) })
	places := make([]Place, len(w.found))
	for i := range w.found {
		places[i] = w.found[i].Place
	}
	return places
}

// typicalText is the length in bytes to which the length of a text is compared.
const typicalText = 300
