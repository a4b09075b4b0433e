// Package prefetch computes results ahead of the consumer on one goroutine.
package prefetch

import (
	"iter"
	"sync"

	"github.com/memscribe/memscribe/internal/panics"
)

// part is how many results are worked out at a time. Where there are no more than
// two parts nothing is worked out ahead: it would take longer.
const part = 64

// Result is what was worked out, or why it could not be.
type Result[T any] struct {
	Value T
	Err   error
}

// Each yields f(0) to f(n-1) in their order. If they are many, f runs on a goroutine
// of its own, somewhat ahead of whoever takes the results, and has ended when the
// loop has. A panic of f is an error.
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
