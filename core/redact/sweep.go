package redact

// lanes is into how many parts a long text is cut, which are searched at once:
// a step waits for the one before it, and other parts fill the wait.
const lanes = 4

// enough is how much is searched with an automaton as it is. Making its table
// pays where there is more.
const enough = 1 << 16

// sweep runs an automaton over texts, block by block.
type sweep struct {
	auto  *automaton
	table *table // nil until it pays
	text  []byte
	state uint32       // while there is a table, where its row begins
	hits  [lanes][]hit // of the last block: in order within a lane and from lane to lane
	done  int          // bytes searched without the table
}

// start begins with a text.
func (s *sweep) start(a *automaton, text []byte) {
	s.auto, s.text, s.state = a, text, 0
	if s.table == nil && s.done+len(text) > enough {
		s.table = newTable(a)
	}
}

// block finds the hits in text[from:to], which follows the block before.
func (s *sweep) block(from, to int) {
	for i := range s.hits {
		s.hits[i] = s.hits[i][:0]
	}
	if s.table == nil {
		s.slow(from, to)
		return
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
			st[i] = s.table.after(s.text[at[i]-longest : at[i]])
		}
	}
	st = s.all(at, st, part)
	s.state = s.one(lanes-1, at[lanes-1]+part, to, st[lanes-1])
}

// slow does without the table.
func (s *sweep) slow(from, to int) {
	a, state := s.auto, s.state
	for i, c := range s.text[from:to] {
		if state = a.step(state, a.class[c]); a.ends[state] != 0 {
			s.hits[0] = append(s.hits[0], hit{end: from + i + 1, state: state})
		}
	}
	s.state = state
	s.done += to - from
}

// one runs one lane over text[from:to].
func (s *sweep) one(lane, from, to int, state uint32) uint32 {
	next, class, width := s.table.next, &s.auto.class, s.auto.width
	for i, c := range s.text[from:to] {
		state = next[state+uint32(class[c])]
		if state&hasWords != 0 {
			state &^= hasWords
			s.hits[lane] = append(s.hits[lane], hit{end: from + i + 1, state: state / width})
		}
	}
	return state
}

// all runs all lanes for n bytes.
func (s *sweep) all(at [lanes]int, st [lanes]uint32, n int) [lanes]uint32 {
	next, class, width := s.table.next, &s.auto.class, s.auto.width
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
				s.hits[k] = append(s.hits[k], hit{end: at[k] + i + 1, state: (state &^ hasWords) / width})
			}
		}
		s0, s1, s2, s3 = s0&^hasWords, s1&^hasWords, s2&^hasWords, s3&^hasWords
	}
	return [lanes]uint32{s0, s1, s2, s3}
}

// after returns the state behind a text that is long enough for what came before
// it not to matter.
func (t *table) after(text []byte) uint32 {
	state := uint32(0)
	for _, c := range text {
		state = t.next[state+uint32(t.class[c])] &^ hasWords
	}
	return state
}
