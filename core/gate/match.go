package gate

import "github.com/memscribe/memscribe/core/prose"

// match matches a pattern at the token at, where sequence seq of its anchor must begin. It
// returns the tokens [first, last) of the match.
//
// The terms before the anchor are matched from right to left, those after it from left to
// right.
func (m *matcher) match(p *pattern, seq int32, at int) (first, last int, ok bool) {
	n := m.forward(p.anchor.seqs[seq], at)
	if n == 0 {
		return 0, 0, false
	}
	first, ok = m.left(p.before, at)
	if !ok {
		return 0, 0, false
	}
	last, ok = m.right(p.after, at+n)
	return first, last, ok
}

// forward returns the length of a sequence if the tokens from at on are its words, else 0.
func (m *matcher) forward(seq []int32, at int) int {
	if at+len(seq) > m.last {
		return 0
	}
	for k, id := range seq {
		if m.scan.ids[at+k] != id {
			return 0
		}
	}
	return len(seq)
}

// right matches terms at the token at and the following ones, and returns the end of the match.
//
// For each term it tries a class, then phrases, then words, then nothing if the term is
// optional, and takes the first after which the other terms match. A gap grows by one token at
// a time, and never over punctuation that ends a clause.
func (m *matcher) right(terms []term, at int) (int, bool) {
	if len(terms) == 0 {
		return at, true
	}
	t, rest := &terms[0], terms[1:]
	switch t.kind {
	case start:
		if at < m.last && m.scan.verb[at] {
			return m.right(rest, at)
		}
		return 0, false
	case stop:
		if at == m.last || m.turn.Tokens[at].Kind == prose.Mark {
			return m.right(rest, at)
		}
		return 0, false
	case gap:
		for k := 0; k <= t.n && at+k <= m.last; k++ {
			if end, ok := m.right(rest, at+k); ok {
				return end, true
			}
			if at+k < m.last && m.turn.Tokens[at+k].Kind == prose.Mark && endsClause(m.turn.Tokens[at+k].In(m.turn.Text)) {
				break
			}
		}
		return 0, false
	case token:
		if at < m.last && t.class != 0 && m.class(at)&t.class != 0 {
			if end, ok := m.right(rest, at+1); ok {
				return end, true
			}
		}
		for _, seq := range t.phrases {
			if n := m.forward(seq, at); n > 0 {
				if end, ok := m.right(rest, at+n); ok {
					return end, true
				}
			}
		}
		if at < m.last && t.words.has(m.scan.ids[at]) {
			if end, ok := m.right(rest, at+1); ok {
				return end, true
			}
		}
	}
	if t.optional {
		return m.right(rest, at)
	}
	return 0, false
}

// left matches terms, nearest first, at the tokens before at, and returns the beginning of the
// match.
func (m *matcher) left(terms []term, at int) (int, bool) {
	if len(terms) == 0 {
		return at, true
	}
	t, rest := &terms[0], terms[1:]
	switch t.kind {
	case start:
		if at < m.last && m.scan.verb[at] {
			return m.left(rest, at)
		}
		return 0, false
	case stop:
		return 0, false
	case gap:
		for k := 0; k <= t.n && at-k >= m.first; k++ {
			if first, ok := m.left(rest, at-k); ok {
				return first, true
			}
			if at-k > m.first && m.turn.Tokens[at-k-1].Kind == prose.Mark && endsClause(m.turn.Tokens[at-k-1].In(m.turn.Text)) {
				break
			}
		}
		return 0, false
	case token:
		if at > m.first && t.class != 0 && m.class(at-1)&t.class != 0 {
			if first, ok := m.left(rest, at-1); ok {
				return first, true
			}
		}
		for _, seq := range t.phrases {
			if n := len(seq); at-n >= m.first && m.forward(seq, at-n) > 0 {
				if first, ok := m.left(rest, at-n); ok {
					return first, true
				}
			}
		}
		if at > m.first && t.words.has(m.scan.ids[at-1]) {
			if first, ok := m.left(rest, at-1); ok {
				return first, true
			}
		}
	}
	if t.optional {
		return m.left(rest, at)
	}
	return 0, false
}

// endsClause reports whether a gap must not contain a punctuation mark.
func endsClause(mark string) bool {
	switch mark {
	case ";", "..", "...", "…", ".", "!", "?", "；", "。", "！", "？", "，", ",", ":":
		return true
	}
	return false
}
