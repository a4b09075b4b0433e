package decide

import "github.com/memscribe/memscribe/core/prose"

// ReplySigns returns the signs of a reply's beginning, and those of a part of it: found
// in one pass, and by themselves.
func ReplySigns(low string, at prose.Span) (both, apart [2]uint32) {
	s := newSigns(replySigns())
	both[0], both[1] = s.inBoth(low, at)
	apart[0], apart[1] = s.in(low), s.in(at.In(low))
	return both, apart
}
