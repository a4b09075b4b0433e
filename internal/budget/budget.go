// Package budget bounds the memory of the whole program: all parts draw from one budget.
//
// How large a single thing may be (a line, a cell, a request) is a fixed share of the budget.
// Whether something is too large depends on its size alone, so a watch and a replay with the
// same setting keep the same. What is held at the same time is counted: a caller that asks for
// more than is free waits.
//
// With the standard budget of 512 MiB:
//
//	Line       64 MiB     one line of a transcript, one row of a database
//	Document  128 MiB     a transcript that is one JSON document
//	Facts      64 MiB     what is kept of one transcript
//	Edit        8 MiB     one diff
//	Request    16 MiB     one OTLP request, decompressed
//	Heap      448 MiB     the limit of the garbage collector
//	Reading   320 MiB     what reading acquires while servers run beside it
package budget

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Standard is the budget where none is set, Least the smallest that can be.
const (
	Standard = 512 << 20
	Least    = 256 << 20
)

// Shares of the budget.
const (
	lineShare     = 8
	documentShare = 4
	requestShare  = 32
	factsShare    = 8
	editShare     = 64
	bodyShare     = 8
	heapShare     = 8 // that is not the heap's: code, stacks, pages of databases
)

// ErrOver is what an error wraps when something is larger than its limit.
var ErrOver = errors.New("over the limit")

// Budget is what is left of a number of bytes. Several goroutines may use it.
type Budget struct {
	limit int64

	mu      sync.Mutex
	used    int64
	waiting []*waiter // the first has asked first
}

// waiter is one that waits for bytes.
type waiter struct {
	size  int64
	ready chan struct{}
}

// New returns a budget of limit bytes, all unused.
func New(limit int64) *Budget { return &Budget{limit: limit} }

// Limit returns all there is.
func (b *Budget) Limit() int64 { return b.limit }

// Heap returns how much of it the collector may let the heap grow to.
func (b *Budget) Heap() int64 { return b.limit - b.limit/heapShare }

// Line returns the longest line, and the largest row of a database, that is kept whole.
func (b *Budget) Line() int { return int(b.limit / lineShare) }

// Document returns the largest transcript of one document, and the largest conversation
// of a database, that is kept whole.
func (b *Budget) Document() int { return int(b.limit / documentShare) }

// Facts returns how much is kept for good of what one transcript decides.
func (b *Budget) Facts() int { return int(b.limit / factsShare) }

// Edit returns the longest diff of an edit that is kept.
func (b *Budget) Edit() int { return int(b.limit / editShare) }

// Request returns the largest request, decompressed.
func (b *Budget) Request() int64 { return b.limit / requestShare }

// Bodies returns how much of requests is held that have not been read to their end, or wait
// for memory to be worked on.
func (b *Budget) Bodies() int64 { return b.limit / bodyShare }

// Reading returns what reading transcripts takes at most. While others draw from the budget
// at the same time, whoever reads has acquired it.
func (b *Budget) Reading() int64 { return b.limit / 8 * 5 }

// Acquire takes size bytes from the budget, and waits for them until ctx ends. Requests are
// served in the order in which they came, so a large one is not starved by small ones. A size
// over the limit fails at once with [ErrOver]. release gives the bytes back; calling it twice
// is harmless.
func (b *Budget) Acquire(ctx context.Context, size int64) (release func(), err error) {
	if size > b.limit {
		return nil, fmt.Errorf("take %d bytes of a budget of %d: %w", size, b.limit, ErrOver)
	}
	b.mu.Lock()
	if b.used+size <= b.limit && len(b.waiting) == 0 {
		b.used += size
		b.mu.Unlock()
		return b.releaser(size), nil
	}
	w := &waiter{size, make(chan struct{})}
	b.waiting = append(b.waiting, w)
	b.mu.Unlock()
	select {
	case <-w.ready:
		return b.releaser(size), nil
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-w.ready: // meanwhile
		return b.releaser(size), nil
	default:
	}
	for i, other := range b.waiting {
		if other == w {
			b.waiting = append(b.waiting[:i], b.waiting[i+1:]...)
			break
		}
	}
	b.serve() // it may have stood before one that fits
	return nil, fmt.Errorf("take %d bytes of a budget of %d: %w", size, b.limit, ctx.Err())
}

// releaser gives size bytes back, once.
func (b *Budget) releaser(size int64) func() {
	var once sync.Once
	return func() {
		once.Do(func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.used -= size
			b.serve()
		})
	}
}

// serve gives those that wait what is free, in their order. The lock is held.
func (b *Budget) serve() {
	for len(b.waiting) > 0 && b.used+b.waiting[0].size <= b.limit {
		b.used += b.waiting[0].size
		close(b.waiting[0].ready)
		b.waiting = b.waiting[1:]
	}
}
