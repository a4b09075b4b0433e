package signs_test

import (
	"testing"

	"github.com/memscribe/memscribe/core/decide/signs"
	"github.com/memscribe/memscribe/core/prose"
)

// TestSignsOfPart: the signs of a part of a text are found on the way through the whole.
// Those that only the whole gives, since they cross the part's ends, are not the part's.
func TestSignsOfPart(t *testing.T) {
	const low = "good idea. i'll remember: from now on tests run first, done"
	s := signs.New(signs.Reply())
	some := 0
	for start := 0; start < len(low); start += 5 {
		for end := start; end <= len(low); end += 3 {
			var both, apart [2]uint32
			part := prose.Span{Start: start, End: end}
			both[0], both[1] = s.InBoth(low, part)
			apart[0], apart[1] = s.In(low), s.In(part.In(low))
			if both != apart {
				t.Fatalf("%q in %q: %b in one pass, %b by itself", low[start:end], low, both, apart)
			}
			if both[0] != both[1] {
				some++
			}
		}
	}
	if some == 0 {
		t.Error("every part has all signs of the whole")
	}
}
