// Package pattern matches the pattern of a rule at one place of a text.
//
// A pattern is an expression of package regexp, tried where its word stands and nowhere else.
// Two facts spare most tries, as they are read off the expression: how short a match can be,
// and with which bytes it may begin. ghp_[\dA-Za-z]{36} has 40 bytes and begins with g.
package pattern

import (
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// Pattern is a rule's pattern, ready to run. It does not change, and may be shared.
type Pattern struct {
	re     *regexp.Regexp // anchored where the match begins
	MinLen int            // of a match, in bytes
	First  class          // the bytes with which a match may begin
}

// Compile compiles a pattern in the syntax of package regexp. The first group of the pattern, if
// it has one, is the secret.
func Compile(expr string) (*Pattern, error) {
	re, err := regexp.Compile("^(?:" + expr + ")")
	if err != nil {
		return nil, fmt.Errorf("compile pattern: %w", err)
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("compile pattern: %w", err)
	}
	p := &Pattern{re: re, MinLen: minLength(tree)}
	if mayBeEmpty := firstOf(tree, &p.First); mayBeEmpty {
		p.First = class{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	return p, nil
}

// Match is where a pattern matched, and the secret in it: its first group, or all of it.
type Match struct {
	End         int
	Start, Stop int // the secret
	Ok          bool
}

// Windows bound how much of a text one attempt may look at, in bytes. So a rule costs constant
// time at each of its words. The long one is for patterns that match long tokens, all of them
// runs of one class of bytes with short joints.
const (
	Window     = 512
	LongWindow = 4096
)

// Match runs the pattern at an offset of a text. The pattern sees a window that begins there,
// as if the text ended with it. It allocates only if the pattern has a group.
func (p *Pattern) Match(text []byte, at int) Match {
	limit := at + Window
	if p.MinLen > Window/4 {
		limit = at + LongWindow
	}
	limit = min(limit, len(text))
	if at+p.MinLen > limit || at < limit && !p.First.Has(text[at]) {
		return Match{}
	}
	if p.re.NumSubexp() == 0 {
		found := p.re.Find(text[at:limit]) // allocates nothing
		end := at + len(found)
		return Match{Ok: found != nil, End: end, Start: at, Stop: end}
	}
	m := p.re.FindSubmatchIndex(text[at:limit])
	switch {
	case m == nil:
		return Match{}
	case m[2] < 0:
		return Match{Ok: true, End: at + m[1], Start: at, Stop: at + m[1]}
	}
	return Match{Ok: true, End: at + m[1], Start: at + m[2], Stop: at + m[3]}
}

// class is a set of bytes.
type class [4]uint64

// Has reports whether a byte is in the set.
func (c *class) Has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }

// add adds a range of characters. All bytes of longer characters count as one class.
func (c *class) add(lo, hi rune) {
	for b := lo; b <= hi && b < utf8.RuneSelf; b++ {
		c[b>>6] |= 1 << (b & 63)
	}
	if hi >= utf8.RuneSelf {
		c[2], c[3] = ^uint64(0), ^uint64(0)
	}
}

// minLength returns the least number of bytes of a match. It may be too low, never too high; of
// what it does not know it is 0.
func minLength(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return minLength(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * minLength(re.Sub[0])
	case syntax.OpConcat:
		n := 0
		for _, s := range re.Sub {
			n += minLength(s)
		}
		return n
	case syntax.OpAlternate:
		n := math.MaxInt
		for _, s := range re.Sub {
			n = min(n, minLength(s))
		}
		return n
	}
	return 0
}

// firstOf adds the bytes with which a match of re may begin; it reports whether
// a match may be empty.
func firstOf(re *syntax.Regexp, to *class) (empty bool) {
	switch re.Op {
	case syntax.OpLiteral:
		to.add(re.Rune[0], re.Rune[0])
		for r := unicode.SimpleFold(re.Rune[0]); re.Flags&syntax.FoldCase != 0 && r != re.Rune[0]; r = unicode.SimpleFold(r) {
			to.add(r, r)
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			to.add(re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		to.add(0, utf8.MaxRune)
	case syntax.OpCapture, syntax.OpPlus:
		return firstOf(re.Sub[0], to)
	case syntax.OpRepeat:
		return firstOf(re.Sub[0], to) || re.Min == 0
	case syntax.OpStar, syntax.OpQuest:
		firstOf(re.Sub[0], to)
		return true
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(s *syntax.Regexp) bool { return !firstOf(s, to) })
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			empty = firstOf(s, to) || empty
		}
		return empty
	default:
		return true
	}
	return false
}
