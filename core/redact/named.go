package redact

import (
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
	"github.com/memscribe/memscribe/core/redact/internal/rules"
)

// A named value has a form that many other things have, such as 32 hexadecimal digits. It is a
// secret because the name of a service stands before it: DATADOG_API_KEY=….

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

// runMemo remembers a stretch of text in which no value begins. Without it every name of a text
// would search the same stretch again.
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
	text := e.view.Text
	start := at
	for at < to {
		n, digits := 0, 0
		for at+n < len(text) && ascii.IsValueByte(text[at+n]) && n < minLetters {
			if ascii.IsDigit(text[at+n]) {
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
	text := e.view.Text
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
		for stop < to && ascii.IsValueByte(text[stop]) {
			stop++
		}
		for ; at < stop; at++ {
			if at > end && ascii.IsAlnum(text[at]) && ascii.IsAlnum(text[at-1]) {
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
		if !l.bound && (r.Bound || l.end-l.start < minUnbound) {
			continue
		}
		e.work += 4
		p := e.pattern(i)
		if p == nil || !p.First.Has(e.view.Text[at]) {
			continue
		}
		based := p.First.Has('/')
		if based && inBase64(e.view.Text, at) {
			continue
		}
		m := e.matchAt(i, at)
		if !m.Ok {
			continue
		}
		if !l.read {
			e.readLead(l)
		}
		if at >= l.until || !l.leadsTo(e.view.Text, r, at) {
			continue
		}
		if based && isBase64At(e.view.Text, m.Stop) {
			continue // a longer value, whose own name tells
		}
		if m.Stop = e.namedEnd(l, m); m.Stop > 0 && e.isNamedSecret(l, r, at, m) {
			e.report(i, m.Start, m.Stop)
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
	return (text[at] == '/' || text[at] == '+') && ascii.IsAlnum(text[at-1])
}

// isBase64At reports whether a run of base64 continues at an offset.
func isBase64At(text []byte, at int) bool {
	return at > 0 && at < len(text) && text[at-1] != '=' && (ascii.IsAlnum(text[at]) || text[at] == '+' || text[at] == '/')
}

// minUnbound is the least length of a name that counts within a word.
const minUnbound = 7

// maxOver is how many bytes longer than its pattern a value may be.
const maxOver = 24

// namedEnd returns the end of the value that a pattern matched. It is 0 if letters follow that
// make the value something else, such as a path or a longer hash.
func (e *Engine) namedEnd(l *lead, m pattern.Match) int {
	text := e.view.Text
	if !continues(text, m.Stop) {
		return m.Stop
	}
	stop := runEnd(text, m.Stop)
	if v := text[m.Start:stop]; l.keyed < 0 || stop-m.Stop > maxOver || !looks.Inspect(v).IsRandom(len(v)*3/4) {
		return 0
	}
	return stop
}

// continues reports whether the value before an offset has more letters behind it.
func continues(text []byte, at int) bool {
	if at >= len(text) || at == 0 || !ascii.IsAlnum(text[at-1]) {
		return false
	}
	switch text[at] {
	case '-', '+', '/':
		return at+1 < len(text) && ascii.IsAlnum(text[at+1])
	}
	return ascii.IsWord(text[at])
}

// isNamedSecret reports whether a value of the form that a rule asks for is a
// secret.
func (e *Engine) isNamedSecret(l *lead, r *rules.Rule, at int, m pattern.Match) bool {
	value := e.view.Text[m.Start:m.Stop]
	if r.Entropy > 0 && looks.Entropy(value) < r.Entropy || looks.IsDummy(value) {
		return false
	}
	if r.Any {
		return true
	}
	made := looks.Inspect(value)
	if made.Random < 6 && made.Digits < 2 {
		return false
	}
	if l.keyed >= 0 {
		return true
	}
	// Nothing says "key".
	if at == l.direct {
		// An id of the service is more likely than a key, if more than its name
		// is assigned to.
		return !made.UUID || l.exact || !r.Keyed || r.Near > 0
	}
	return (!made.Hex || isGlue(e.view.Text[l.end:at])) && (made.IsRandom(8) || made.UUID)
}

// isGlue reports whether nothing but space and punctuation is in between.
func isGlue(gap []byte) bool {
	for _, c := range gap {
		if ascii.IsAlnum(c) || c == '/' {
			return false
		}
	}
	return true
}
