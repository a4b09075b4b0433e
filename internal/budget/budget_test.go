package budget_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/memscribe/memscribe/internal/budget"
)

// TestNeverMore: however many ask at the same time, no more than the budget is out,
// and everybody is served in the end.
func TestNeverMore(t *testing.T) {
	const limit = 100
	b := budget.New(limit)
	var (
		all       sync.WaitGroup
		out, most atomic.Int64
	)
	for i := range 200 {
		size := int64(i%limit + 1)
		all.Go(func() {
			release, err := b.Acquire(t.Context(), size)
			if err != nil {
				t.Error(err)
				return
			}
			for now := out.Add(size); ; {
				old := most.Load()
				if now <= old || most.CompareAndSwap(old, now) {
					break
				}
			}
			out.Add(-size)
			release()
			release() // a second time does nothing
		})
	}
	all.Wait()
	if most.Load() > limit {
		t.Errorf("%d bytes of %d were out", most.Load(), limit)
	}
	if _, err := b.Acquire(t.Context(), limit); err != nil {
		t.Errorf("not all came back: %v", err)
	}
}

// TestOver: more than there is at all is refused at once, however much is free.
func TestOver(t *testing.T) {
	if _, err := budget.New(10).Acquire(t.Context(), 11); !errors.Is(err, budget.ErrOver) {
		t.Errorf("got %v, want that it is over the limit", err)
	}
}

// TestGivenUp: one that waits no longer stands in nobody's way.
func TestGivenUp(t *testing.T) {
	b := budget.New(10)
	release, err := b.Acquire(t.Context(), 5)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Acquire(ctx, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was given up", err)
	}
	if _, err := b.Acquire(t.Context(), 5); err != nil {
		t.Error(err)
	}
	release()
}
