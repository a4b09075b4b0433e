package redact

// Tokens are secrets that show what they are: by how they begin, or by
// something in their middle.

// shortWord is the length up to which a word of letters and digits alone also
// turns up by chance in long runs; there its borders must be clear.
const shortWord = 4

// token tries a rule whose pattern begins with the word at start.
func (e *Engine) token(rule int32, start, end int) {
	text := e.view.text
	short := isPlain(text[start:end])
	if isAlnum(text[start]) && start > 0 && !borderBefore(text, start, short) {
		return
	}
	if short && !e.prose() && end-start < shortWord && isAlnum(text[end-1]) {
		return // an id may begin so
	}
	if m := e.matchAt(rule, start); m.ok {
		e.accept(rule, m, short, end)
	}
}

// isPlain reports whether a word is short: a few letters and digits, even fewer
// before a separator.
func isPlain(w []byte) bool {
	n := 0
	for n < len(w) && isAlnum(w[n]) {
		n++
	}
	return n == len(w) && n <= shortWord || n == len(w)-1 && n < shortWord-1
}

func borderBefore(text []byte, at int, strict bool) bool {
	c := text[at-1]
	if strict && (c == '_' || c == '/' || c == '+' || c == '-' || c == '.') {
		return at == 1 || text[at-2] == '\n' // of a diff
	}
	return !isAlnum(c)
}

// accept reports the secret of a match, if it is one: whole, drawn, and no
// dummy. What stands before the offset fixed is the same in all of them.
func (e *Engine) accept(rule int32, m match, strict bool, fixed int) {
	text := e.view.text
	stop := m.stop
	if stop == m.end {
		if stop = runEnd(text, m.stop); m.end-m.start == window || m.end-m.start == longWindow {
			stop = max(stop, tokenEnd(text, m.stop)) // the window ended before the token
		}
		if stop > m.stop && (strict || isSuffixWord(text[m.stop:stop])) {
			return
		}
	}
	e.work += 4 * (stop - m.start)
	secret := text[m.start:stop]
	if r := &e.set.rules[rule]; !r.raw {
		if r.entropy > 0 && entropy(secret) < r.entropy || isTemplate(secret) {
			return
		}
		if body := secret[min(max(fixed-m.start, 0), len(secret)):]; !r.any && (!isDrawn(body) || isMonotone(body) || r.loose && isCounted(body)) {
			return
		}
	}
	e.report(rule, m.start, stop)
}

// isSuffixWord reports whether what follows a token is a word that is joined to
// it: then the whole is an identifier.
func isSuffixWord(rest []byte) bool {
	if isAlnum(rest[0]) {
		return false
	}
	for _, c := range rest[1:] {
		if !isLetter(c) {
			return false
		}
	}
	return len(rest) > 2 && !unspeakable(rest[1:])
}

// isDrawn reports whether a token holds something that was drawn: some of its
// runs, or at least digits.
func isDrawn(v []byte) bool {
	m := inspect(v)
	return m.random >= 6 || m.digits >= 3
}

// runEnd is where the run of letters and digits, and what joins them, ends that
// goes on at an offset.
func runEnd(text []byte, at int) int {
	if at == 0 || !isJoined(text[at-1]) {
		return at
	}
	for n := 0; at < len(text) && isJoined(text[at]) && n < window; n++ {
		at++
	}
	return at
}

// Limits of what stands before the word of a token: bytes, and places where the
// token may begin.
const (
	maxBefore = 128
	maxStarts = 8
)

// middle tries a rule whose pattern begins somewhere before the word that stands
// at start: where the run begins that leads to it, or a part of that run.
func (e *Engine) middle(rule int32, start int) {
	text := e.view.text
	for at, n := start-1, 0; at >= 0 && start-at < maxBefore && isTokenByte(text[at]) && n < maxStarts; at-- {
		e.work += 2
		if at > 0 && (isAlnum(text[at-1]) || !isAlnum(text[at]) && isTokenByte(text[at-1])) {
			continue
		}
		n++
		if m := e.matchAt(rule, at); m.ok && m.end > start {
			e.accept(rule, m, false, 0)
			return
		}
	}
}
