package prefetch_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"github.com/memscribe/memscribe/internal/panics"
	"github.com/memscribe/memscribe/sink/internal/prefetch"
)

// TestEach wants every result once, in order, whatever their number, and a panic
// as the error of the one that it came of.
func TestEach(t *testing.T) {
	wrong := errors.New("wrong")
	for _, n := range []int{0, 1, 64, 128, 129, 192, 1000} {
		next := 0
		for i, r := range prefetch.Each(n, func(i int) (int, error) {
			switch i % 50 {
			case 7:
				panic("broken")
			case 8:
				return 0, wrong
			}
			return i * i, nil
		}) {
			_, panicked := errors.AsType[*panics.Error](r.Err)
			if i != next || panicked != (i%50 == 7) || errors.Is(r.Err, wrong) != (i%50 == 8) || r.Err == nil && r.Value != i*i {
				t.Fatalf("of %d: %d gives %v, %v", n, i, r.Value, r.Err)
			}
			next++
		}
		if next != n {
			t.Errorf("%d results of %d", next, n)
		}
	}
}

// TestEachLeft leaves the loop early: nothing is worked out after it.
func TestEachLeft(t *testing.T) {
	var calls atomic.Int64
	for i := range prefetch.Each(100_000, func(i int) (int, error) { return i, errors.ErrUnsupported }) {
		calls.Store(int64(i))
		if i == 200 {
			break
		}
	}
	for range prefetch.Each(100_000, func(int) (int, error) { return int(calls.Add(1)), nil }) {
		break
	}
	after := calls.Load()
	if after > 10_000 {
		t.Errorf("%d calls for one result", after)
	}
	if again := calls.Load(); again != after {
		t.Errorf("%d calls, and later %d", after, again)
	}
}
