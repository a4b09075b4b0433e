package ahocorasick

// lanes is into how many parts a long text is cut, which are searched at once:
// a step waits for the one before it, and other parts fill the wait. With one lane a
// replay with redaction takes some 5 % longer.
const lanes = 4

// Hit says that the words of a state end before an offset.
type Hit struct {
	End   int
	State uint32
}

// enough is how much is searched with an automaton as it is. Making its table
// pays where there is more.
const enough = 1 << 16

// Scanner runs an automaton over texts, block by block. It belongs to one automaton and
// one goroutine. The zero value is ready to use.
type Scanner struct {
	// Hits are those of the last block: in order within a lane, and from lane to lane.
	Hits [lanes][]Hit

	auto  *Automaton
	table *table // nil until it pays
	text  []byte
	state uint32
	done  int // bytes searched without the table
}

// Fork returns a scanner for another goroutine, which shares the table of this one.
func (s *Scanner) Fork(a *Automaton) Scanner {
	if s.table == nil {
		s.table = newTable(a)
	}
	return Scanner{table: s.table}
}

// Start begins with a text.
func (s *Scanner) Start(a *Automaton, text []byte) {
	s.auto, s.text, s.state = a, text, 0
	if s.table == nil && s.done+len(text) > enough {
		s.table = newTable(a)
	}
}

// Scan finds the hits in text[from:to], which follows the block before.
func (s *Scanner) Scan(from, to int) {
	for i := range s.Hits {
		s.Hits[i] = s.Hits[i][:0]
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
func (s *Scanner) slow(from, to int) {
	a, state := s.auto, s.state
	for i, c := range s.text[from:to] {
		if state = a.step(state, a.class[c]); a.ends[state] != 0 {
			s.Hits[0] = append(s.Hits[0], Hit{End: from + i + 1, State: state})
		}
	}
	s.state = state
	s.done += to - from
}

// one runs one lane over text[from:to].
func (s *Scanner) one(lane, from, to int, state uint32) uint32 {
	next, column := s.table.next, &s.table.column
	for i, c := range s.text[from:to] {
		state = uint32(next[state+column[c]])
		if state&hasWords != 0 {
			state &^= hasWords
			s.Hits[lane] = append(s.Hits[lane], Hit{End: from + i + 1, State: state})
		}
	}
	return state
}

// all runs all lanes for n bytes.
func (s *Scanner) all(at [lanes]int, st [lanes]uint32, n int) [lanes]uint32 {
	next, column := s.table.next, &s.table.column
	t0, t1, t2, t3 := s.text[at[0]:at[0]+n], s.text[at[1]:at[1]+n], s.text[at[2]:at[2]+n], s.text[at[3]:at[3]+n]
	s0, s1, s2, s3 := st[0], st[1], st[2], st[3]
	for i := range n {
		s0 = uint32(next[s0+column[t0[i]]])
		s1 = uint32(next[s1+column[t1[i]]])
		s2 = uint32(next[s2+column[t2[i]]])
		s3 = uint32(next[s3+column[t3[i]]])
		if (s0|s1|s2|s3)&hasWords == 0 {
			continue
		}
		for k, state := range [lanes]uint32{s0, s1, s2, s3} {
			if state&hasWords != 0 {
				s.Hits[k] = append(s.Hits[k], Hit{End: at[k] + i + 1, State: state &^ hasWords})
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
		state = uint32(t.next[state+t.column[c]]) &^ hasWords
	}
	return state
}
