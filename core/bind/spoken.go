package bind

import (
	"github.com/memscribe/memscribe/core/segment"
	"github.com/memscribe/memscribe/core/topic"
)

// spoken counts of each decision how many of the words that it speaks of stand in the path
// and the changed lines of an edit.
func spoken(e *segment.Edit, all []*segment.Decision) []int {
	var any topic.Words
	for _, d := range all {
		any = any.With(d.Words)
	}
	n := make([]int, len(all))
	seen := make([]bool, len(any))
	count := func(word uint32) bool {
		if at, found := any.Find(word); found && !seen[at] {
			seen[at] = true
			for i, d := range all {
				if d.Words.Has(word) {
					n[i]++
				}
			}
		}
		return true
	}
	topic.Each(e.Diff.Path, count)
	eachChange(e, func(line string) { topic.Each(line[1:], count) })
	return n
}
