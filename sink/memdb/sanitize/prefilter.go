package sanitize

import (
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// prefilter rules out a pattern in most texts, several times as fast as package regexp. It
// reads each byte once.
//
// It matches a looser pattern, in which whatever may occur up to n times may occur any number
// of times (see loosen). So it may let a text through that does not match, but never stops a
// text that does.
//
// It is a lazy deterministic automaton. A state is the set of instructions of the compiled
// pattern that the text so far can have led to. States are made when a text first leads to
// them, and kept. Example, for the pattern ig+nore:
//
//	text      i        g          g          n        …
//	state   {i} → {i, g} → {i, g, n} → {i, g, n} → {i, o}   …
//
// It is safe for concurrent use: next pointers are atomic, and a mutex guards the table of
// states.
//
// Its worth: to scrub, sanitize and store 3,000 memories from outside, of 640 bytes each, takes
// 0.6 s of processor time; without it 1.0 s.
type prefilter struct {
	pattern string
	made    sync.Once
	begin   *state // nil: the machine could not be made
	program *syntax.Prog
	// Characters are grouped into classes that the pattern does not tell apart, so that a state
	// needs one pointer for each class: ascii has the class of each ASCII character, beyond
	// that of the characters from each of bounds on.
	ascii  [utf8.RuneSelf]uint8
	bounds []rune // where classes of other characters begin
	beyond []uint8
	shown  []rune // by class: one of its characters

	mutex  sync.Mutex
	states map[string]*state
}

// mostStates bounds the states of one prefilter. When there are so many, a text that needs
// another one is passed on to package regexp.
const mostStates = 2000

// state is a set of places in the program, in order. It does not change, but for the
// states to which its characters lead, which are found when they are first needed.
type state struct {
	places []uint32
	found  bool // the pattern is there
	next   []atomic.Pointer[state]
}

// mayMatch reports whether a text could have the pattern in it.
func (p *prefilter) mayMatch(text []byte) bool {
	p.made.Do(p.make)
	s := p.begin
	if s == nil {
		return true
	}
	for i := 0; i < len(text) && !s.found; {
		class, size := uint8(0), 1
		if b := text[i]; b < utf8.RuneSelf {
			class = p.ascii[b]
		} else {
			class, size = p.classBeyond(text[i:])
		}
		i += size
		n := s.next[class].Load()
		if n == nil {
			if n = p.step(s, class); n == nil {
				return true
			}
		}
		s = n
	}
	return s.found
}

// make compiles the pattern for the prefilter. If that fails the prefilter lets
// every text through, which costs time only.
func (p *prefilter) make() {
	tree, err := syntax.Parse(p.pattern, syntax.Perl)
	if err != nil {
		return
	}
	loosen(tree)
	if p.program, err = syntax.Compile(tree.Simplify()); err != nil {
		return
	}
	p.classify()
	p.states = map[string]*state{}
	s := &set{program: p.program}
	s.add(uint32(p.program.Start), true)
	p.begin = p.keep(s)
}

// loosen makes a pattern match more, so that its automaton is small: counted repetition becomes
// unlimited, assertions about words and ends always hold, and a class with many ranges of
// characters beyond ASCII has all of them.
func loosen(tree *syntax.Regexp) {
	const fewRanges = 8
	for _, sub := range tree.Sub {
		loosen(sub)
	}
	switch tree.Op {
	case syntax.OpRepeat:
		if tree.Op = syntax.OpStar; tree.Min > 0 {
			tree.Op = syntax.OpPlus
		}
	case syntax.OpWordBoundary, syntax.OpNoWordBoundary, syntax.OpEndText, syntax.OpEndLine:
		tree.Op = syntax.OpEmptyMatch
	case syntax.OpCharClass:
		beyond := slices.IndexFunc(tree.Rune, func(r rune) bool { return r >= utf8.RuneSelf })
		if beyond < 0 || len(tree.Rune)-beyond < 2*fewRanges {
			return
		}
		if beyond%2 == 1 { // inside a range
			tree.Rune = append(tree.Rune[:beyond:beyond], utf8.MaxRune)
		} else {
			tree.Rune = append(tree.Rune[:beyond:beyond], utf8.RuneSelf, utf8.MaxRune)
		}
	}
}

// classify groups the characters into classes. Two characters are in one class if every
// instruction of the program accepts both or neither. Only the bounds of the pattern's ranges
// can begin a new class, so one character from each stretch between two bounds is tried.
func (p *prefilter) classify() {
	bounds := []rune{utf8.RuneSelf}
	var reading []*syntax.Inst
	for i := range p.program.Inst {
		inst := &p.program.Inst[i]
		if !reads(inst) {
			continue
		}
		reading = append(reading, inst)
		for j, r := range inst.Rune {
			if single := len(inst.Rune) == 1; single || j%2 == 1 {
				bounds = append(bounds, r+1)
			}
			bounds = append(bounds, r)
		}
	}
	slices.Sort(bounds)
	bounds = slices.Compact(bounds)
	known := map[string]uint8{}
	class := func(r rune) uint8 {
		who := make([]byte, len(reading))
		for i, inst := range reading {
			if inst.MatchRune(r) {
				who[i] = 1
			}
		}
		c, ok := known[string(who)]
		if !ok {
			c = uint8(len(p.shown))
			known[string(who)], p.shown = c, append(p.shown, r)
		}
		return c
	}
	for b := range p.ascii {
		p.ascii[b] = class(rune(b))
	}
	for _, r := range bounds {
		if r >= utf8.RuneSelf {
			p.bounds, p.beyond = append(p.bounds, r), append(p.beyond, class(r))
		}
	}
}

// reads reports whether an instruction consumes a character.
func reads(inst *syntax.Inst) bool {
	return inst.Op == syntax.InstRune || inst.Op == syntax.InstRune1 || inst.Op == syntax.InstRuneAny || inst.Op == syntax.InstRuneAnyNotNL
}

// classBeyond returns the class of the character with which a text begins.
func (p *prefilter) classBeyond(text []byte) (class uint8, size int) {
	r, size := utf8.DecodeRune(text)
	i, at := slices.BinarySearch(p.bounds, r)
	if !at {
		i--
	}
	return p.beyond[i], size
}

// step returns the state to which a character of a class leads, and stores it in from. nil
// means that there are too many states. Two goroutines may do this at the same time; both find
// the same state. A match may begin at every character, so the start of the program is in every
// state.
func (p *prefilter) step(from *state, class uint8) *state {
	s := &set{program: p.program}
	s.add(uint32(p.program.Start), false)
	for _, at := range from.places {
		if inst := &p.program.Inst[at]; inst.MatchRune(p.shown[class]) {
			s.add(inst.Out, false)
		}
	}
	to := p.keep(s)
	if to != nil {
		from.next[class].Store(to)
	}
	return to
}

// keep returns the state of a set; nil if there are too many.
func (p *prefilter) keep(s *set) *state {
	slices.Sort(s.places)
	key := make([]byte, 0, 2*len(s.places))
	for _, at := range s.places {
		key = append(key, byte(at), byte(at>>8), byte(at>>16))
	}
	if s.found {
		key = []byte("found")
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	have := p.states[string(key)]
	if have == nil && len(p.states) < mostStates {
		have = &state{places: s.places, found: s.found, next: make([]atomic.Pointer[state], len(p.shown))}
		p.states[string(key)] = have
	}
	return have
}

// set gathers the places to which a text can have come without reading on.
type set struct {
	program *syntax.Prog
	places  []uint32 // that read a character
	passed  []uint32 // that do not
	found   bool
}

// add adds what can be reached from a place; atBegin says that nothing was read.
func (s *set) add(at uint32, atBegin bool) {
	if slices.Contains(s.passed, at) || slices.Contains(s.places, at) {
		return
	}
	inst := &s.program.Inst[at]
	if reads(inst) {
		s.places = append(s.places, at)
		return
	}
	s.passed = append(s.passed, at)
	switch inst.Op { //nolint:exhaustive // what reads stands above, and what fails leads nowhere
	case syntax.InstMatch:
		s.found = true
	case syntax.InstAlt, syntax.InstAltMatch:
		s.add(inst.Out, atBegin)
		s.add(inst.Arg, atBegin)
	case syntax.InstCapture, syntax.InstNop:
		s.add(inst.Out, atBegin)
	case syntax.InstEmptyWidth:
		if atBegin || syntax.EmptyOp(inst.Arg)&syntax.EmptyBeginText == 0 {
			s.add(inst.Out, atBegin)
		}
	}
}
