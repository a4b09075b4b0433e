package redact

// matcher runs programs. It owns the memory that backtracking takes.
type matcher struct {
	prog  *program
	text  []byte // up to the limit of the attempt
	stack []choice
	steps int // taken since it was last reset
}

// choice is a place to which a failed match returns.
type choice struct {
	pc       int32
	pos      int
	lo, more int // of a run: pos may go down to lo, or up by more (a lazy one)
	save     [2]int
}

// maxSteps bounds one attempt. No pattern of ours comes near it on any text
// within its window; beyond it the text is not judged at all.
const maxSteps = 1 << 14

// match is where a pattern matched, and the secret in it.
type match struct {
	end         int
	start, stop int // the secret
	ok, gaveUp  bool
}

// match runs p on text from an offset on, as if the text ended at limit (where
// that is less than its length, boundaries still see what follows).
func (m *matcher) match(p *program, text []byte, from, limit int) match {
	if from+p.minLen > limit {
		return match{}
	}
	m.prog, m.text, m.stack = p, text[:limit], m.stack[:0]
	pc, pos, save := int32(0), from, [2]int{from, -1}
	for n := 0; ; n++ {
		if n > maxSteps {
			m.steps += n
			return match{gaveUp: true}
		}
		in := &p.code[pc]
		ok := true
		switch in.op {
		case opLiteral:
			pos, ok = literalAt(p.lits[in.arg], in.arg2 == 1, m.text, pos)
			pc++
		case opRun:
			pos, ok = m.run(in, pc, pos, save)
			pc++
		case opSplit:
			m.stack = append(m.stack, choice{pc: in.arg2, pos: pos, lo: pos, save: save})
			pc = in.arg
		case opJump:
			pc = in.arg
		case opSave:
			save[in.arg] = pos
			pc++
		case opBound:
			ok = isWordAt(text, pos-1) != isWordAt(text, pos)
			pc++
		case opEnd:
			ok = pos == len(text) || text[pos] == '\n'
			pc++
		case opMatch:
			m.steps += n + (pos-from)/8
			if save[1] < 0 {
				save[1] = pos
			}
			return match{end: pos, start: save[0], stop: save[1], ok: true}
		}
		if !ok {
			if pc, pos, save, ok = m.back(); !ok {
				m.steps += n + 1
				return match{}
			}
		}
	}
}

func literalAt(lit string, fold bool, text []byte, pos int) (int, bool) {
	if len(text)-pos < len(lit) {
		return pos, false
	}
	for i := range len(lit) {
		c := text[pos+i]
		if fold {
			c = lowerByte(c)
		}
		if c != lit[i] {
			return pos, false
		}
	}
	return pos + len(lit), true
}

// run takes as many bytes of a class as it may, or as few as it must.
func (m *matcher) run(in *inst, pc int32, pos int, save [2]int) (int, bool) {
	cl, text := &m.prog.classes[in.arg], m.text
	want := in.max
	if in.lazy {
		want = in.min
	}
	end := pos
	for end < len(text) && int32(end-pos) < want && cl.has(text[end]) {
		end++
	}
	if int32(end-pos) < in.min {
		return pos, false
	}
	lo := pos + int(in.min)
	if in.lazy && in.max > in.min {
		m.stack = append(m.stack, choice{pc: pc + 1, pos: end, more: int(in.max - in.min), save: save})
	} else if end > lo {
		m.stack = append(m.stack, choice{pc: pc + 1, pos: end - 1, lo: lo, save: save})
	}
	m.steps += (end - pos) / 8
	return end, true
}

// back returns to the last choice.
func (m *matcher) back() (int32, int, [2]int, bool) {
	for len(m.stack) > 0 {
		c := &m.stack[len(m.stack)-1]
		if c.more > 0 { // a lazy run takes one more
			in := &m.prog.code[c.pc-1]
			if c.pos >= len(m.text) || !m.prog.classes[in.arg].has(m.text[c.pos]) {
				m.stack = m.stack[:len(m.stack)-1]
				continue
			}
			c.pos++
			c.more--
			pc, pos, save := c.pc, c.pos, c.save
			if c.more == 0 {
				m.stack = m.stack[:len(m.stack)-1]
			}
			return pc, pos, save, true
		}
		pc, pos, save := c.pc, c.pos, c.save
		if c.pos > c.lo {
			c.pos--
		} else {
			m.stack = m.stack[:len(m.stack)-1]
		}
		return pc, pos, save, true
	}
	return 0, 0, [2]int{}, false
}

func isWordAt(text []byte, i int) bool { return i >= 0 && i < len(text) && isWord(text[i]) }
