// Package cut records what redaction replaced in a string: the position, other
// occurrences, and the position in the text that the string is part of.
//
// A string may occur in several places of a node, and as a part of a longer one: the epitome of
// a decision is a part of its turn. The whole is scrubbed once, and everything else follows from
// its cuts:
//
//	original   use hunter2A! please          Cut{At: 4, Len: 9, With: 19}
//	scrubbed   use [REDACTED:password] please
//	           ^4                 ^23
//
// [Moved] and [MovedSpan] map an offset or a span of the original to the scrubbed string.
// [Echoes] cuts the same secret from other strings, where nothing around it shows that it is
// one. [Side] joins the lines of one side of a diff, so that a secret whose name is in the line
// before is found. [FromJSON] applies cuts to JSON and leaves its structure valid.
//
// All offsets are in bytes. Cuts are sorted by offset and do not overlap.
//
// An example with two cuts, and the offsets that follow:
//
//	original   a=SECRET1, b=SECRET2        cuts {At: 2, Len: 7, With: 3} {At: 13, Len: 7, With: 3}
//	scrubbed   a=[X], b=[X]
//	Moved      0 → 0    9 → 5    13 → 9    16 → 9    20 → 12
//
// An offset inside of a cut moves to its start; a span that overlaps a cut takes all of its
// placeholder.
package cut

import (
	"cmp"
	"slices"
)

// Cut is a replacement in a scrubbed string.
type Cut struct {
	At   int // offset in the original
	Len  int // bytes that were cut there
	With int // bytes that stand there now
}

// Moved maps an offset of the original string to the scrubbed one; what lay
// inside a cut comes to lie at its start.
func Moved(cuts []Cut, at int) int {
	shift := 0
	for _, c := range cuts {
		if at < c.At {
			break
		}
		if at < c.At+c.Len {
			return c.At + shift
		}
		shift += c.With - c.Len
	}
	return at + shift
}

// MovedSpan maps a span of the original string to the scrubbed one. What it shares
// with a cut becomes all that is there now.
func MovedSpan(cuts []Cut, from, to int) (int, int) {
	end := Moved(cuts, to)
	for _, c := range cuts {
		if c.At < to && to <= c.At+c.Len {
			end = Moved(cuts, c.At) + c.With
		}
	}
	return Moved(cuts, from), end
}

// Stretch is a part of a string that is to be replaced.
type Stretch struct {
	At, End int
	Mark    string // what comes to stand there
}

// Join adds cuts to those that a string has. One that overlaps another is left
// out: it is gone already.
func Join(s, clean []byte, cuts []Cut, more []Stretch) ([]byte, []Cut) {
	shift := 0
	for _, c := range cuts {
		more = append(more, Stretch{At: c.At, End: c.At + c.Len, Mark: string(clean[c.At+shift : c.At+shift+c.With])})
		shift += c.With - c.Len
	}
	slices.SortStableFunc(more, func(a, b Stretch) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(b.End, a.End)) })
	var out []byte
	var all []Cut
	at := 0
	for _, m := range more {
		if m.End <= at {
			continue
		}
		if m.At < at { // what is left of one that was cut in part
			m.At, m.Mark = at, ""
		}
		out = append(append(out, s[at:m.At]...), m.Mark...)
		all = append(all, Cut{At: m.At, Len: m.End - m.At, With: len(m.Mark)})
		at = m.End
	}
	return append(out, s[at:]...), all
}
