package embed

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memscribe/memscribe/sink/memdb/api"
)

// Most is how many candidates each side of a search brings: so many by words, and so many
// by vectors.
const Most = 200

// Nearest gathers which things are nearest to a vector. Of two that are equally near the one
// comes first that is First.
type Nearest[K any] struct {
	First func(a, b K) bool // must not be nil
	found []near[K]
}

// near is something that was found, and how near it is: 1 is the same direction.
type near[K any] struct {
	key   K
	score float32
}

// Add adds something. What is further away than [Most] others is dropped.
func (n *Nearest[K]) Add(key K, score float32) {
	if len(n.found) == Most && score < n.found[Most-1].score {
		return
	}
	at, _ := slices.BinarySearchFunc(n.found, score, func(a near[K], score float32) int {
		if a.score > score || a.score == score && n.First(a.key, key) {
			return -1
		}
		return 1
	})
	if n.found = slices.Insert(n.found, at, near[K]{key, score}); len(n.found) > Most {
		n.found = n.found[:Most]
	}
}

// Keys returns the things that were kept, the nearest first.
func (n *Nearest[K]) Keys() []K {
	keys := make([]K, 0, len(n.found))
	for _, f := range n.found {
		keys = append(keys, f.key)
	}
	return keys
}

// fuseOffset is what is added to each rank before it is turned over: 60, as is usual. With
// it the first of one list does not outweigh what both lists have.
const fuseOffset = 60

// Fuse makes one order of several, by reciprocal ranks: what stands at rank r of a list
// gets 1/(60+r) for it, and the sums decide. Of equals the one that is met first stays
// first.
//
//	Fuse({a, b, c}, {b, d}) → b a d c
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

// ByWords sorts memories that all have some words, by their keys: first those that say the
// words more often for their length. Of equals the one that stands first stays first.
func ByWords[K any](keys []K, memories []api.Memory, words []string) []K {
	scores := make([]float64, len(keys))
	order := make([]int, len(keys))
	for i := range keys {
		order[i] = i
		text := strings.ToLower(memories[i].Content)
		for _, w := range words {
			// The second time counts less than the first, as in BM25.
			times := float64(strings.Count(text, strings.ToLower(w)))
			scores[i] += times / (times + 1 + float64(len(text))/typicalText)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	sorted := make([]K, len(keys))
	for i, at := range order {
		sorted[i] = keys[at]
	}
	return sorted
}

// typicalText is how many bytes a memory has about.
const typicalText = 300
