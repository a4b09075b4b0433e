package sqlite

import (
	"iter"

	"github.com/memscribe/memscribe/sink/internal/prefetch"
	"github.com/memscribe/memscribe/sink/sqlite/table"
)

// reading is a line that is being read. One that the table may hold as it is has
// only its digest.
type reading struct {
	sum table.Digest
	row *table.Row
}

// readEach reads lines one by one.
func (b *batch) readEach(last []int) iter.Seq2[int, prefetch.Result[reading]] {
	return func(yield func(int, prefetch.Result[reading]) bool) {
		for k, i := range last {
			if !yield(k, prefetch.Result[reading]{Value: reading{sum: table.DigestOf(b.lines[i].JSON)}}) {
				return
			}
		}
	}
}

// readAhead reads lines while those before them are written.
func (b *batch) readAhead(last []int) iter.Seq2[int, prefetch.Result[reading]] {
	return prefetch.Each(len(last), func(k int) (r reading, err error) {
		l := &b.lines[last[k]]
		r.sum = table.DigestOf(l.JSON)
		r.row, err = b.sink.rows.Read(l, r.sum)
		return r, err
	})
}
