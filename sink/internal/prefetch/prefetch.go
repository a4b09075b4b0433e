// Package prefetch computes results ahead of the consumer on one goroutine.
//
// Sinks use it to parse lines while the database writes the ones before:
//
//	worker    │ parse 0–63 │ parse 64–127 │ parse 128–191 │
//	consumer               │ write 0–63   │ write 64–127  │ write 128–191 │
package prefetch

import (
	"iter"
	"sync"

	"github.com/memscribe/memscribe/internal/panics"
)

// part is the number of results that are computed at a time. Up to two parts are computed in
// the loop itself, as starting a goroutine would take longer.
const part = 64

// Result is what was worked out, or why it could not be.
type Result[T any] struct {
	Value T
	Err   error
}

// Each yields f(0) to f(n-1) in order. If there are many, f runs on a goroutine of its own, a few parts
// ahead of the consumer. The goroutine has ended when the loop ends, also by a
// break. A panic of f becomes the Err of its result.
func Each[T any](n int, f func(i int) (T, error)) iter.Seq2[int, Result[T]] {
	one := func(i int) (r Result[T]) {
		r.Err = panics.Caught(func() (err error) {
			r.Value, err = f(i)
			return err
		})
		return r
	}
	return func(yield func(int, Result[T]) bool) {
		if n > 2*part {
			aside(n, one, yield)
			return
		}
		for i := range n {
			if !yield(i, one(i)) {
				return
			}
		}
	}
}

// aside runs one on a goroutine, some results ahead of yield. The goroutine has
// ended when aside returns.
func aside[T any](n int, one func(i int) T, yield func(int, T) bool) {
	parts, enough := make(chan []T, 2), make(chan struct{})
	var worker sync.WaitGroup
	defer worker.Wait()
	defer close(enough)
	worker.Go(func() {
		defer close(parts)
		for from := 0; from < n; from += part {
			some := make([]T, min(part, n-from))
			for i := range some {
				some[i] = one(from + i)
			}
			select {
			case parts <- some:
			case <-enough:
				return
			}
		}
	})
	i := 0
	for some := range parts {
		for _, r := range some {
			if !yield(i, r) {
				return
			}
			i++
		}
	}
}
