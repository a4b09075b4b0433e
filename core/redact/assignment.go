package redact

import (
	"slices"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
)

// assignment judges what is assigned to the name in which a promising word
// stands at [start, end).
func (e *Engine) assignment(_ int32, start, end int) {
	if !e.prose() {
		return
	}
	text := e.view.Text
	from, to := names.Around(text, start, end)
	e.work += to - from
	if to == e.named {
		return
	}
	e.named = to
	a := assign.Read(e.view.Text, to)
	if from > 0 && text[from-1] == '<' && (a.Link == assign.None || a.Link == assign.Spaced) {
		a = assign.Content(text, to)
	}
	if a.Link == assign.None || a.At >= len(text) || a.Link == assign.Spaced && a.Quote == 0 && text[from] != '-' && wordLength(text, a.At) < leastSpaced {
		e.inSentence(from, to) // plain prose
		return
	}
	p := names.Judge(text[from:to])
	e.work += 4
	if p == names.Nothing || !e.leads(from, to, &a) {
		return
	}
	e.judge(p, a)
}

// maxAside is how far from the word for a password it may stand in a sentence, in bytes.
const maxAside = 48

// inSentence reports the passwords that stand around the word for one, at [from, to), with
// other words in between: "the password of staging is …", "is … the password?".
func (e *Engine) inSentence(from, to int) {
	if names.Judge(e.view.Text[from:to]) != names.Password {
		return
	}
	text := e.view.Text
	e.work += 2 * maxAside
	for at := to; at < len(text) && at-to < maxAside && text[at] != '\n'; {
		at = e.passwordAt(at)
	}
	start := from
	for start > 0 && from-start < maxAside && text[start-1] != '\n' {
		start--
	}
	if start > 0 && text[start-1] > ' ' { // within a word
		for start < from && text[start] > ' ' {
			start++
		}
	}
	for start < from {
		start = e.passwordAt(start)
	}
}

// passwordAt reports the word at an offset if nobody can have written it but a machine,
// and returns where the next one begins.
func (e *Engine) passwordAt(at int) int {
	text := e.view.Text
	for at < len(text) && !ascii.IsAlnum(text[at]) && text[at] != '\n' {
		at++
	}
	end := at
	for end < len(text) && !endsValue(text[end]) && end-at < maxValue {
		end++
	}
	next := max(end, at+1)
	for end > at && !ascii.IsAlnum(text[end-1]) {
		end--
	}
	if v := text[at:end]; len(v) >= leastSpaced && assign.IsSecret(names.Password, assign.Value{Link: assign.Spoken}, v) && !looks.StandsIn(v) {
		e.work += 4 * len(v)
		e.report(e.set.assigned[names.Password], at, end)
	}
	return next
}

// leastSpaced is the least length of a value that only space parts from its
// name.
const leastSpaced = 14

// wordLength is the length of what stands at an offset, up to the next space, as
// far as it matters.
func wordLength(text []byte, at int) int {
	n := 0
	for at+n < len(text) && n < leastSpaced && text[at+n] > ' ' {
		n++
	}
	return n
}

// leads reports whether what was read as an assignment to the name at
// [from, to) is one, and notes how the name is written.
func (e *Engine) leads(from, to int, a *assign.Value) bool {
	text := e.view.Text
	name := text[from:to]
	a.Capitals = names.IsCapitals(name)
	a.Flag = name[0] == '-' || from > 0 && text[from-1] == '-'
	bare := looks.IsOneOf(name, "pass pwd")
	a.Bare = bare
	a.Header = a.Link == assign.Colon && a.Quote == 0 && looks.IndexFold(name, "-") > 0
	switch a.Link {
	case assign.Element:
		return from > 0 && (text[from-1] == '<' || ascii.IsQuote(text[from-1]) && !bare)
	case assign.Argument:
		return !bare && a.Quote != 0 && from > 0 && ascii.IsQuote(text[from-1]) && (a.Capitals || assign.IsFirstArgument(text, from))
	case assign.Call:
		return a.Quote != 0 && !bare
	case assign.Spaced, assign.Spoken:
		if a.Quote == '`' || bare {
			return false
		}
	default:
	}
	if bare && (!a.Tight && a.Quote == 0 || a.Quote == '`') {
		return false
	}
	// A quote that the name is a part of closes, it does not open a value.
	return from == 0 || a.Quote == 0 || a.Quote != text[from-1] || closes(text[to:a.At-1], a.Quote) ||
		e.view.Width(from-1) != e.view.Width(a.At-1)
}

// closes reports whether a quote stands between a name and what opens its value.
func closes(between []byte, quote byte) bool {
	return slices.Contains(between, quote)
}

// judge reports the value of an assignment if it is a secret.
func (e *Engine) judge(p names.Promise, a assign.Value) {
	text := e.view.Text
	end := e.valueEnd(a)
	if end <= a.At {
		return
	}
	if a.Quote == 0 && assign.IsExpression(text, a.At, end) && !e.findFallback(&a, &end) {
		return
	}
	if k := schemeEnd(text, a.At); k > 0 && k < end && looks.IsOneOf(text[a.At:k-1], schemes) {
		a.At = k
	}
	v := text[a.At:end]
	e.work += 4 * len(v)
	if assign.IsSecret(p, a, v) && !looks.StandsIn(v) {
		e.report(e.set.assigned[p], a.At, end)
	}
}

// maxValue bounds the values of assignments that hold anything. What is one run of
// the letters of tokens is a value however long it is.
const maxValue = 1024

// valueEnd is where the value of an assignment ends.
func (e *Engine) valueEnd(a assign.Value) int {
	text := e.view.Text
	limit := min(len(text), a.At+maxValue)
	closed := a.Quote == 0
	if !closed {
		i := a.At
		for i < limit && text[i] != '\n' && text[i] != a.Quote {
			i++
		}
		if i < limit && text[i] == a.Quote {
			e.work += i - a.At
			return i
		}
		closed = i < a.At+maxValue // or the quote may be further on
	}
	i := e.plainEnd(a.At)
	if !closed && i-a.At < maxValue {
		return a.At // a long text
	}
	for (a.Link == assign.Spoken || a.Link == assign.Spaced && !a.Flag) && i > a.At && (text[i-1] == '.' || text[i-1] == ':' || text[i-1] == '!' || text[i-1] == '?') && !looks.IsElided(text[a.At:i]) {
		i--
	}
	return i
}

// plainRun remembers a run of text without anything that ends a plain value, so
// that a long one is not walked through again for every name in it.
type plainRun struct{ from, to, judged int }

// maxJudged bounds how many values that end with the same run are judged.
const maxJudged = 8

// plainEnd is where the plain value that begins at an offset ends. A long one that
// is no token ends where it begins.
func (e *Engine) plainEnd(at int) int {
	text := e.view.Text
	r := &e.plain
	if at < r.from || at >= r.to {
		i := at
		for i < len(text) && !endsValue(text[i]) {
			i++
		}
		e.work += i - at
		*r = plainRun{from: at, to: i}
	}
	if r.judged++; r.judged > maxJudged {
		return at
	}
	if r.to-at > maxValue && tokenEnd(text, at) < r.to {
		return at
	}
	return r.to
}

// tokenEnd is where the run of token letters that holds an offset ends.
func tokenEnd(text []byte, at int) int {
	for at < len(text) && (ascii.IsTokenByte(text[at]) || text[at] == '%' || text[at] == ':') {
		at++
	}
	return at
}

func endsValue(c byte) bool {
	switch c {
	case '"', '\'', '`', '<', '>', ',', ';', ')', '}', ']', '|', '\\', '&':
		return true
	}
	return c <= ' '
}

// maxFallback is how far behind an expression its fallback may stand.
const maxFallback = 128

// findFallback finds the literal that an expression falls back to: getenv("X",
// "literal"), x || "literal".
func (e *Engine) findFallback(a *assign.Value, end *int) bool {
	text := e.view.Text
	limit := min(len(text), *end+maxFallback)
	for i := *end; i+2 < limit && text[i] != '\n' && text[i] != ';'; i++ {
		e.work++
		if text[i] != ',' && text[i] != '|' && text[i] != '?' && text[i] != 'r' {
			continue
		}
		if j := assign.SkipSpace(text, i+1, true); j < limit && ascii.IsQuote(text[j]) {
			*a = assign.Value{Link: assign.Fallback, At: j + 1, Quote: text[j]}
			*end = e.valueEnd(*a)
			return *end > a.At
		}
	}
	return false
}
