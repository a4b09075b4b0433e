package pending

import "testing"

// TestForgetsTheOldest: what is never answered is bounded in number and in bytes.
func TestForgetsTheOldest(t *testing.T) {
	var c Calls[int, string]
	for i := range most + 10 {
		c.Put(i, "made", 1)
	}
	if len(c.open) != most || c.size != most {
		t.Errorf("%d calls of %d bytes are kept", len(c.open), c.size)
	}
	if c.Get(9) != nil || c.Get(10) == nil {
		t.Error("it is not the oldest that are forgotten")
	}
	c.Put(-1, "large", mostBytes+1)
	if len(c.open) != 1 || c.Take(-1) != "large" || c.size != 0 {
		t.Errorf("%d calls of %d bytes stay beside one that is too large", len(c.open), c.size)
	}
}

// TestUsedAgain: a name that comes again, of a client that counts, is as old as its
// last call.
func TestUsedAgain(t *testing.T) {
	var c Calls[int, int]
	c.Put(0, 1, 1)
	c.Put(1, 1, 1)
	if got := c.Take(0); got != 1 || c.Take(0) != 0 {
		t.Errorf("took %d", got)
	}
	c.Put(0, 2, 1)
	for i := range most - 1 {
		c.Put(2+i, 1, 1)
	}
	if c.Get(1) != nil || c.Get(0) == nil || *c.Get(0) != 2 {
		t.Error("the older call is kept, or the newer forgotten")
	}
	*c.Get(0) = 3
	if got := c.Take(0); got != 3 {
		t.Errorf("took %d after a change", got)
	}
	c.Put(2, 5, 3)
	if c.size != most-1+2 {
		t.Errorf("%d bytes after a call was replaced by one with two more", c.size)
	}
}

// TestAnswered: nothing is remembered of calls that were answered.
func TestAnswered(t *testing.T) {
	var c Calls[int, string]
	longest := 0
	for i := range 100 * most {
		c.Put(i, "made", 1)
		c.Take(i)
		longest = max(longest, len(c.order))
	}
	if len(c.open) != 0 || c.size != 0 || longest > 4*most {
		t.Errorf("%d calls, %d bytes, an order of up to %d", len(c.open), c.size, longest)
	}
}

// TestBound: neither calls that are never answered nor one that is made again and
// again let the memory of calls grow, or the work for each.
func TestBound(t *testing.T) {
	for name, id := range map[string]func(int) int{
		"the same": func(int) int { return 1 },
		"others":   func(i int) int { return i },
		"in turns": func(i int) int { return i % 7 },
	} {
		t.Run(name, func(t *testing.T) {
			var c Calls[int, int]
			longest := 0
			for i := range 100 * most {
				c.Put(id(i), i, 0)
				longest = max(longest, len(c.order))
			}
			if longest > 4*most+1 || len(c.open) > most {
				t.Errorf("%d calls are open, in an order of up to %d", len(c.open), longest)
			}
			last := -1
			for _, made := range c.All() {
				if *made <= last {
					t.Errorf("%d is visited behind %d", *made, last)
				}
				last = *made
			}
		})
	}
}
