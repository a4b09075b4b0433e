package sqlite

import (
	"iter"
	"slices"
	"sync"

	"github.com/memscribe/memscribe/io/fault"
)

// reading is a line that is being read: what it is, or why it cannot be read. One
// that the table may hold as it is has only its digest.
type reading struct {
	sum digest
	row *row
	err error
}

// one reads lines one by one.
func (b *batch) one(last []int) iter.Seq2[int, reading] {
	return func(yield func(int, reading) bool) {
		for _, i := range last {
			if !yield(i, reading{sum: digestOf(b.lines[i].JSON)}) {
				return
			}
		}
	}
}

// readAhead is how many lines are read at a time while others are written.
const readAhead = 64

// ahead reads lines on a goroutine of its own while those before them are written.
func (b *batch) ahead(last []int) iter.Seq2[int, reading] {
	return func(yield func(int, reading) bool) {
		parts, enough := make(chan []reading, 2), make(chan struct{})
		var reader sync.WaitGroup
		defer reader.Wait()
		defer close(enough)
		reader.Go(func() {
			defer close(parts)
			for part := range slices.Chunk(last, readAhead) {
				select {
				case parts <- b.readAll(part):
				case <-enough:
					return
				}
			}
		})
		next := 0
		for part := range parts {
			for _, r := range part {
				if !yield(last[next], r) {
					return
				}
				next++
			}
		}
	}
}

func (b *batch) readAll(part []int) []reading {
	out := make([]reading, len(part))
	for k, i := range part {
		r, l := &out[k], &b.lines[i]
		r.err = fault.Caught(func() (err error) {
			r.sum = digestOf(l.JSON)
			r.row, err = b.sink.rows.read(l, r.sum)
			return err
		})
	}
	return out
}
