package pipeline

import (
	"fmt"
	"strings"
	"testing"
)

// TestUnique gives every event of a record an id of its own, in few and in many.
func TestUnique(t *testing.T) {
	for _, n := range []int{3, maxLinear, maxLinear + 1, 500} {
		var r recordIDs
		seen := map[string]bool{}
		for range 3 {
			for i := range n {
				id := r.unique(fmt.Sprint("m", i))
				if seen[id] {
					t.Fatalf("of %d: %s again", n, id)
				}
				seen[id] = true
			}
		}
		if !seen["m0"] || !seen["m0#1"] || !seen["m0#2"] || len(seen) != 3*n {
			t.Errorf("of %d: %d ids", n, len(seen))
		}
		r.next()
		if id := r.unique("m0"); strings.Contains(id, "#") {
			t.Errorf("of %d: %s in the next record", n, id)
		}
	}
}
