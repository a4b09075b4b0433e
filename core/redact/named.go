package redact

// Named values are secrets whose form alone says little; the name of a service
// before them does the rest.

const (
	reach     = 96 // how far after a name its value may begin
	maxLeadIn = 48 // how much of a value may stand before the run that makes it one
)

// A value holds a run of letters and digits of at least this length: with both
// in it, only of digits, only of letters.
const (
	minNamed   = 7
	minDigits  = 12
	minLetters = 18
)

// runMemo remembers a stretch of text in which no run begins that could be part
// of a value. Without it a text full of names would be searched again and
// again.
type runMemo struct{ from, to int }

// nextRun returns where in [from, to) a run begins that could be part of a
// value, or to.
func (e *Engine) nextRun(from, to int) int {
	at := from
	if from >= e.words.from && from < e.words.to {
		at = e.words.to
	} else {
		e.words.from = from
	}
	text := e.view.text
	start := at
	for at < to {
		n, digits := 0, 0
		for at+n < len(text) && isValueByte(text[at+n]) && n < minLetters {
			if isDigit(text[at+n]) {
				digits++
			}
			n++
		}
		if n >= minNamed && digits > 0 && (digits < n || n >= minDigits) || n == minLetters {
			break
		}
		at += n + 1
	}
	at = min(at, to)
	e.work += at - start
	e.words.to = at
	return at
}

// namedValue tries the rules of a name that stands at [start, end).
func (e *Engine) namedValue(rules []int32, start, end int) {
	text := e.view.text
	to := min(len(text), end+reach)
	run := e.nextRun(end, to)
	if run == to || !isWholeName(text, start, end) {
		return
	}
	l := lead{start: start, end: end, bound: startsName(text, start, end)}
	at := end
	for run < to {
		at = max(at, run-maxLeadIn)
		stop := run
		for stop < to && isValueByte(text[stop]) {
			stop++
		}
		for ; at < stop; at++ {
			if at > end && isAlnum(text[at]) && isAlnum(text[at-1]) {
				continue
			}
			if text[at] == '[' && e.inZone(at, at+1) || e.valueAt(rules, &l, at) {
				return
			}
		}
		e.work += 4 * (stop - run)
		run = e.nextRun(stop, to)
	}
}

// valueAt tries the rules of a name on the value that may begin at an offset.
func (e *Engine) valueAt(rules []int32, l *lead, at int) bool {
	for _, i := range rules {
		r := &e.set.rules[i]
		if !l.bound && (r.bound || l.end-l.start < minUnbound) {
			continue
		}
		e.work += 4
		p := e.pattern(i)
		if p == nil || !p.first.has(e.view.text[at]) {
			continue
		}
		based := p.first.has('/')
		if based && inBase64(e.view.text, at) {
			continue
		}
		m := e.matchAt(i, at)
		if !m.ok {
			continue
		}
		if !l.read {
			e.readLead(l)
		}
		if at >= l.until || !l.leadsTo(e.view.text, r, at) {
			continue
		}
		if based && isBase64At(e.view.text, m.stop) {
			continue // a longer value, whose own name tells
		}
		if m.stop = e.namedEnd(l, m); m.stop > 0 && e.isNamedSecret(l, r, at, m) {
			e.report(i, m.start, m.stop)
			return true
		}
	}
	return false
}

// inBase64 reports whether what begins at an offset is the rest of a run of base64.
func inBase64(text []byte, at int) bool {
	if at < 2 {
		return false
	}
	switch text[at-1] {
	case '/':
		return true
	case '+':
		return text[at-2] != '\n' // of a diff
	}
	return (text[at] == '/' || text[at] == '+') && isAlnum(text[at-1])
}

// isBase64At reports whether a run of base64 continues at an offset.
func isBase64At(text []byte, at int) bool {
	return at > 0 && at < len(text) && text[at-1] != '=' && (isAlnum(text[at]) || text[at] == '+' || text[at] == '/')
}

// minUnbound is the least length of a name that counts within a word.
const minUnbound = 7

// maxOver is by how much a value may be longer than its pattern says.
const maxOver = 24

// namedEnd is where the value ends that a pattern matched, or 0 if it continues in
// a way that makes it something else.
func (e *Engine) namedEnd(l *lead, m match) int {
	text := e.view.text
	if !goesOn(text, m.stop) {
		return m.stop
	}
	stop := runEnd(text, m.stop)
	if v := text[m.start:stop]; l.keyed < 0 || stop-m.stop > maxOver || !inspect(v).isRandom(len(v)*3/4) {
		return 0
	}
	return stop
}

// goesOn reports whether a value does not end at an offset.
func goesOn(text []byte, at int) bool {
	if at >= len(text) || at == 0 || !isAlnum(text[at-1]) {
		return false
	}
	switch text[at] {
	case '-', '+', '/':
		return at+1 < len(text) && isAlnum(text[at+1])
	}
	return isWord(text[at])
}

// isNamedSecret reports whether a value of the form that a rule asks for is a
// secret.
func (e *Engine) isNamedSecret(l *lead, r *rule, at int, m match) bool {
	value := e.view.text[m.start:m.stop]
	if r.entropy > 0 && entropy(value) < r.entropy || isDummy(value) {
		return false
	}
	if r.any {
		return true
	}
	made := inspect(value)
	if made.random < 6 && made.digits < 2 {
		return false
	}
	if l.keyed >= 0 {
		return true
	}
	// Nothing says "key".
	if at == l.direct {
		// An id of the service is more likely than a key, if more than its name
		// is assigned to.
		return !made.uuid || l.exact || !r.keyed || r.near > 0
	}
	return (!made.hex || isGlue(e.view.text[l.end:at])) && (made.isRandom(8) || made.uuid)
}

// isGlue reports whether nothing but space and punctuation stands in between.
func isGlue(gap []byte) bool {
	for _, c := range gap {
		if isAlnum(c) || c == '/' {
			return false
		}
	}
	return true
}
