package check_test

import (
	"fmt"
	"testing"

	"github.com/memscribe/memscribe/internal/check"
)

// BenchmarkFind reads the bans of a project and holds one edit to them, as a hook does
// before each edit.
func BenchmarkFind(b *testing.B) {
	var rules []check.Rule
	for i := range 32 {
		rules = append(rules, check.Rule{ID: fmt.Sprint(i), Text: fmt.Sprintf("Never add new dependencies of kind %d, and don't touch legacy%d/.", i, i)})
	}
	changes := []check.Change{{Path: "src/orders.js", Status: check.Modified}}
	for b.Loop() {
		if found := check.Find(rules, changes); len(found) != 0 {
			b.Fatal(found)
		}
	}
}
