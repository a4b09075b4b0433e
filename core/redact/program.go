package redact

import (
	"regexp/syntax"
	"unicode/utf8"
)

// program is a compiled pattern. It matches bytes, from a given place on only,
// with backtracking; a run of one class is one step, which makes the patterns
// of secrets, a few literals and runs, cheap.
type program struct {
	code    []inst
	classes []class
	lits    []string
	minLen  int
	first   class // the bytes with which a match may begin
}

// class is a set of bytes.
type class [4]uint64

func (c *class) has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }

func (c *class) add(lo, hi rune) {
	for b := lo; b <= hi && b < utf8.RuneSelf; b++ {
		c[b>>6] |= 1 << (b & 63)
	}
	if hi >= utf8.RuneSelf {
		c[2], c[3] = ^uint64(0), ^uint64(0)
	}
}

type opcode uint8

const (
	opLiteral opcode = iota // lits[arg]; arg2 is 1 where it folds
	opRun                   // min to max bytes of classes[arg]
	opSplit                 // arg, or else arg2
	opJump                  // arg
	opSave                  // the secret begins (arg 0) or ends (arg 1) here
	opBound                 // a word begins or ends here
	opEnd                   // the text or the line ends here
	opMatch
)

type inst struct {
	op        opcode
	lazy      bool
	arg, arg2 int32
	min, max  int32
}

// Limits of what is compiled: patterns beyond them are matched by package
// regexp.
const (
	maxCode   = 400
	unlimited = 1 << 30
)

// compileProgram compiles a pattern in the syntax of package regexp. It reports
// false for one that needs more than a program can do.
func compileProgram(pattern string) (*program, bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, false
	}
	c := compiler{p: &program{}}
	c.compile(re)
	c.emit(inst{op: opMatch})
	if c.failed {
		return nil, false
	}
	c.p.minLen = minLength(re)
	if firstOf(re, &c.p.first) {
		c.p.first = class{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	return c.p, true
}

type compiler struct {
	p      *program
	failed bool
}

func (c *compiler) emit(i inst) int {
	if len(c.p.code) >= maxCode {
		c.failed = true
		return 0
	}
	c.p.code = append(c.p.code, i)
	return len(c.p.code) - 1
}

func (c *compiler) compile(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpEmptyMatch:
	case syntax.OpLiteral:
		c.literal(re)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		c.run(re, 1, 1, false)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		c.repeat(re)
	case syntax.OpConcat:
		for _, s := range re.Sub {
			c.compile(s)
		}
	case syntax.OpAlternate:
		c.alternate(re.Sub)
	case syntax.OpCapture:
		c.capture(re)
	case syntax.OpWordBoundary:
		c.emit(inst{op: opBound})
	case syntax.OpEndText, syntax.OpEndLine:
		c.emit(inst{op: opEnd})
	default:
		c.failed = true
	}
}

func (c *compiler) literal(re *syntax.Regexp) {
	i := inst{op: opLiteral, arg: int32(len(c.p.lits))}
	lit := string(re.Rune)
	if re.Flags&syntax.FoldCase != 0 {
		i.arg2 = 1
		lit = lower(lit)
	}
	c.p.lits = append(c.p.lits, lit)
	c.emit(i)
}

// single is the class of an expression that matches one character.
func single(re *syntax.Regexp) (cl class, ok bool) {
	switch re.Op {
	case syntax.OpLiteral:
		if len(re.Rune) != 1 || re.Rune[0] >= utf8.RuneSelf {
			return cl, false
		}
		cl.add(re.Rune[0], re.Rune[0])
		if l := rune(lowerByte(byte(re.Rune[0]))); re.Flags&syntax.FoldCase != 0 && l >= 'a' && l <= 'z' {
			cl.add(l, l)
			cl.add(l-32, l-32)
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			// Folding adds a long s and the sign of Kelvin to s and k.
			if lo := re.Rune[i]; lo != 0x17f && lo != 0x212a {
				cl.add(lo, re.Rune[i+1])
			}
		}
	case syntax.OpAnyChar:
		cl.add(0, utf8.MaxRune)
	case syntax.OpAnyCharNotNL:
		cl.add(0, '\n'-1)
		cl.add('\n'+1, utf8.MaxRune)
	default:
		return cl, false
	}
	return cl, true
}

func (c *compiler) run(re *syntax.Regexp, lo, hi int32, lazy bool) bool {
	cl, ok := single(re)
	if !ok {
		return false
	}
	k := len(c.p.classes)
	for i := range c.p.classes {
		if c.p.classes[i] == cl {
			k = i
		}
	}
	if k == len(c.p.classes) {
		c.p.classes = append(c.p.classes, cl)
	}
	c.emit(inst{op: opRun, arg: int32(k), min: lo, max: hi, lazy: lazy})
	return true
}

func (c *compiler) repeat(re *syntax.Regexp) {
	lo, hi := re.Min, re.Max
	switch re.Op {
	case syntax.OpStar:
		lo, hi = 0, -1
	case syntax.OpPlus:
		lo, hi = 1, -1
	case syntax.OpQuest:
		lo, hi = 0, 1
	}
	lazy := re.Flags&syntax.NonGreedy != 0
	if hi < 0 {
		hi = unlimited
	}
	if c.run(re.Sub[0], int32(lo), int32(hi), lazy) {
		return
	}
	if hi == unlimited && minLength(re.Sub[0]) == 0 {
		c.failed = true
		return
	}
	for range lo {
		c.compile(re.Sub[0])
	}
	if hi == unlimited {
		c.loop(re.Sub[0], lazy)
		return
	}
	var skips []int
	for range hi - lo {
		skips = append(skips, c.split(lazy))
		c.compile(re.Sub[0])
	}
	for _, s := range skips {
		c.land(s, lazy)
	}
}

func (c *compiler) loop(re *syntax.Regexp, lazy bool) {
	s := c.split(lazy)
	c.compile(re)
	c.emit(inst{op: opJump, arg: int32(s)})
	c.land(s, lazy)
}

// split emits a choice between going on and jumping to where land is called.
func (c *compiler) split(lazy bool) int {
	i := c.emit(inst{op: opSplit})
	if !c.failed {
		if lazy {
			c.p.code[i].arg2 = int32(i + 1)
		} else {
			c.p.code[i].arg = int32(i + 1)
		}
	}
	return i
}

func (c *compiler) land(split int, lazy bool) {
	if c.failed {
		return
	}
	if lazy {
		c.p.code[split].arg = int32(len(c.p.code))
	} else {
		c.p.code[split].arg2 = int32(len(c.p.code))
	}
}

func (c *compiler) alternate(subs []*syntax.Regexp) {
	var ends []int
	for i, s := range subs {
		if i == len(subs)-1 {
			c.compile(s)
			break
		}
		at := c.split(false)
		c.compile(s)
		ends = append(ends, c.emit(inst{op: opJump}))
		c.land(at, false)
	}
	if c.failed {
		return
	}
	for _, e := range ends {
		c.p.code[e].arg = int32(len(c.p.code))
	}
}

// capture marks the first group as the secret; others are only grouping.
func (c *compiler) capture(re *syntax.Regexp) {
	if re.Cap != 1 {
		c.compile(re.Sub[0])
		return
	}
	c.emit(inst{op: opSave, arg: 0})
	c.compile(re.Sub[0])
	c.emit(inst{op: opSave, arg: 1})
}

// minLength is the least number of bytes that a match has.
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
		n := minLength(re.Sub[0])
		for _, s := range re.Sub[1:] {
			n = min(n, minLength(s))
		}
		return n
	}
	return 0
}

// firstOf adds the bytes with which a match of re may begin; it reports whether
// a match may be empty.
func firstOf(re *syntax.Regexp, to *class) (empty bool) {
	if cl, ok := single(re); ok {
		to.union(cl)
		return false
	}
	switch re.Op {
	case syntax.OpLiteral:
		head := *re
		head.Rune = re.Rune[:1]
		if cl, ok := single(&head); ok {
			to.union(cl)
			return false
		}
		return true // not ASCII: anything
	case syntax.OpCapture, syntax.OpPlus:
		return firstOf(re.Sub[0], to)
	case syntax.OpRepeat:
		return firstOf(re.Sub[0], to) || re.Min == 0
	case syntax.OpStar, syntax.OpQuest:
		firstOf(re.Sub[0], to)
		return true
	case syntax.OpConcat:
		for _, s := range re.Sub {
			if !firstOf(s, to) {
				return false
			}
		}
	case syntax.OpAlternate:
		for _, s := range re.Sub {
			empty = firstOf(s, to) || empty
		}
		return empty
	}
	return true
}

func (c *class) union(d class) {
	for i := range c {
		c[i] |= d[i]
	}
}
