package redact

// lanes is into how many parts a long text is cut, which are searched at once:
// a step waits for the one before it, and other parts fill the wait.
const lanes = 4

// sweep runs an automaton over a text, block by block.
type sweep struct {
	auto  *automaton
	text  []byte
	state uint32
	hits  [lanes][]hit // of the last block: in order within a lane and from lane to lane
}

// start begins with a text.
func (s *sweep) start(a *automaton, text []byte) {
	s.auto, s.text, s.state = a, text, 0
}

// block finds the hits in text[from:to], which follows the block before.
func (s *sweep) block(from, to int) {
	for i := range s.hits {
		s.hits[i] = s.hits[i][:0]
	}
	longest := s.auto.longest
	if to-from < 4*lanes*longest {
		s.state = s.one(0, from, to, s.state)
		return
	}
	part := (to - from) / lanes
	var at [lanes]int // where each lane is; all but the first run up to their part
	var st [lanes]uint32
	st[0] = s.state
	for i := range lanes {
		at[i] = from + i*part
		if i > 0 {
			st[i] = s.auto.after(s.text[at[i]-longest : at[i]])
		}
	}
	st = s.all(at, st, part)
	s.state = s.one(lanes-1, at[lanes-1]+part, to, st[lanes-1])
}

// one runs one lane over text[from:to].
func (s *sweep) one(lane, from, to int, state uint32) uint32 {
	next, class := s.auto.next, &s.auto.class
	for i, c := range s.text[from:to] {
		state = next[state+uint32(class[c])]
		if state&hasWords != 0 {
			s.hits[lane] = append(s.hits[lane], hit{end: from + i + 1, state: state})
			state &^= hasWords
		}
	}
	return state
}

// all runs all lanes for n bytes.
func (s *sweep) all(at [lanes]int, st [lanes]uint32, n int) [lanes]uint32 {
	next, class := s.auto.next, &s.auto.class
	t0, t1, t2, t3 := s.text[at[0]:at[0]+n], s.text[at[1]:at[1]+n], s.text[at[2]:at[2]+n], s.text[at[3]:at[3]+n]
	s0, s1, s2, s3 := st[0], st[1], st[2], st[3]
	for i := range n {
		s0 = next[s0+uint32(class[t0[i]])]
		s1 = next[s1+uint32(class[t1[i]])]
		s2 = next[s2+uint32(class[t2[i]])]
		s3 = next[s3+uint32(class[t3[i]])]
		if (s0|s1|s2|s3)&hasWords == 0 {
			continue
		}
		for k, state := range [lanes]uint32{s0, s1, s2, s3} {
			if state&hasWords != 0 {
				s.hits[k] = append(s.hits[k], hit{end: at[k] + i + 1, state: state})
			}
		}
		s0, s1, s2, s3 = s0&^hasWords, s1&^hasWords, s2&^hasWords, s3&^hasWords
	}
	return [lanes]uint32{s0, s1, s2, s3}
}

// after returns the state behind a text that is long enough for what came before
// it not to matter.
func (a *automaton) after(text []byte) uint32 {
	state := uint32(0)
	for _, c := range text {
		state = a.next[state+uint32(a.class[c])] &^ hasWords
	}
	return state
}
