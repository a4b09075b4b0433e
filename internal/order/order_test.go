package order_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/memscribe/memscribe/internal/order"
)

// TestSort has lists of many lengths, with many equals, in the order of package slices.
func TestSort(t *testing.T) {
	type pair struct{ by, at int }
	compare := func(a, b pair) int { return cmp.Compare(a.by, b.by) }
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same lists each time
	for length := range 300 {
		list := make([]pair, length)
		for i := range list {
			list[i] = pair{r.IntN(length/3 + 1), i}
		}
		sorted, stable := slices.Clone(list), slices.Clone(list)
		slices.SortFunc(sorted, compare)
		slices.SortStableFunc(stable, compare)
		if got := order.Sorted(slices.Values(list), compare); !slices.Equal(got, sorted) {
			t.Fatalf("%v is sorted to %v, want %v", list, got, sorted)
		}
		if order.Stable(list, compare); !slices.Equal(list, stable) {
			t.Fatalf("sorted to %v, want %v", list, stable)
		}
	}
}
