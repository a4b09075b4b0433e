package claudecode

import (
	"fmt"
	"testing"

	"github.com/memscribe/memscribe/core/jsondoc"
)

// TestCallsBound: neither calls that are never answered nor one that is written
// again and again make the memory of calls grow, or the work for each.
func TestCallsBound(t *testing.T) {
	for name, id := range map[string]func(int) string{
		"the same": func(int) string { return "toolu_1" },
		"others":   func(i int) string { return fmt.Sprint("toolu_", i) },
		"in turns": func(i int) string { return fmt.Sprint("toolu_", i%7) },
	} {
		t.Run(name, func(t *testing.T) {
			var c calls
			longest := 0
			for i := range 100 * maxCalls {
				c.open(id(i), "Bash", jsondoc.Value{})
				longest = max(longest, len(c.order))
			}
			if longest > 4*maxCalls+1 || len(c.byID) > maxCalls {
				t.Errorf("%d calls are open, in an order of up to %d", len(c.byID), longest)
			}
		})
	}
}

// TestCallAgain: a call that is written again is as old as the last time.
func TestCallAgain(t *testing.T) {
	var c calls
	c.open("a", "Bash", jsondoc.Value{})
	c.open("b", "Bash", jsondoc.Value{})
	c.open("a", "Bash", jsondoc.Value{})
	for i := range maxCalls - 1 {
		c.open(fmt.Sprint(i), "Bash", jsondoc.Value{})
	}
	if c.byID["a"] == nil || c.byID["b"] != nil {
		t.Errorf("a is kept: %v, b is kept: %v; want the later one alone", c.byID["a"] != nil, c.byID["b"] != nil)
	}
}
