package redact

import (
	"slices"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
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
	a := e.assigned(to)
	if from > 0 && text[from-1] == '<' && (a.link == noLink || a.link == spaced) {
		a = elementContent(text, to)
	}
	if a.link == noLink || a.value >= len(text) || a.link == spaced && a.quote == 0 && text[from] != '-' && wordLength(text, a.value) < leastSpaced {
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
	if v := text[at:end]; len(v) >= leastSpaced && isSecret(names.Password, assigned{link: spoken}, v) && !looks.StandsIn(v) {
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

// maxAttributes bounds the attributes of an element.
const maxAttributes = 64

// elementContent finds the content of an element with attributes, whose name
// ends at an offset.
func elementContent(text []byte, at int) assigned {
	for i := at; i < len(text) && i-at < maxAttributes && text[i] != '\n' && text[i] != '<'; i++ {
		if text[i] == '>' {
			return assigned{link: element, value: skipSpace(text, i+1, true)}
		}
	}
	return assigned{}
}

// leads reports whether what was read as an assignment to the name at
// [from, to) is one, and notes how the name is written.
func (e *Engine) leads(from, to int, a *assigned) bool {
	text := e.view.Text
	name := text[from:to]
	a.capitals = names.IsCapitals(name)
	a.flag = name[0] == '-' || from > 0 && text[from-1] == '-'
	bare := isOneOf(name, "pass pwd")
	a.bare = bare
	a.header = a.link == colon && a.quote == 0 && looks.IndexFold(name, "-") > 0
	switch a.link {
	case element:
		return from > 0 && (text[from-1] == '<' || ascii.IsQuote(text[from-1]) && !bare)
	case argument:
		return !bare && a.quote != 0 && from > 0 && ascii.IsQuote(text[from-1]) && (a.capitals || isFirstArgument(text, from))
	case call:
		return a.quote != 0 && !bare
	case spaced, spoken:
		if a.quote == '`' || bare {
			return false
		}
	default:
	}
	if bare && (!a.tight && a.quote == 0 || a.quote == '`') {
		return false
	}
	// A quote that the name is a part of closes, it does not open a value.
	return from == 0 || a.quote == 0 || a.quote != text[from-1] || closes(text[to:a.value-1], a.quote) ||
		e.view.Width(from-1) != e.view.Width(a.value-1)
}

// isFirstArgument reports whether the quoted name that begins at an offset is the
// first in a call or a pair.
func isFirstArgument(text []byte, from int) bool {
	i := from - 2
	for n := 0; i >= 0 && n < maxSpace && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t'); n++ {
		i--
	}
	return i >= 0 && (text[i] == '(' || text[i] == '{')
}

// closes reports whether a quote stands between a name and what opens its value.
func closes(between []byte, quote byte) bool {
	return slices.Contains(between, quote)
}

// judge reports the value of an assignment if it is a secret.
func (e *Engine) judge(p names.Promise, a assigned) {
	text := e.view.Text
	end := e.valueEnd(a)
	if end <= a.value {
		return
	}
	if a.quote == 0 && isExpression(text, a.value, end) && !e.findFallback(&a, &end) {
		return
	}
	if k := schemeEnd(text, a.value); k > 0 && k < end && isOneOf(text[a.value:k-1], schemes) {
		a.value = k
	}
	v := text[a.value:end]
	e.work += 4 * len(v)
	if isSecret(p, a, v) && !looks.StandsIn(v) {
		e.report(e.set.assigned[p], a.value, end)
	}
}

// maxValue bounds the values of assignments that hold anything. What is one run of
// the letters of tokens is a value however long it is.
const maxValue = 1024

// valueEnd is where the value of an assignment ends.
func (e *Engine) valueEnd(a assigned) int {
	text := e.view.Text
	limit := min(len(text), a.value+maxValue)
	closed := a.quote == 0
	if !closed {
		i := a.value
		for i < limit && text[i] != '\n' && text[i] != a.quote {
			i++
		}
		if i < limit && text[i] == a.quote {
			e.work += i - a.value
			return i
		}
		closed = i < a.value+maxValue // or the quote may be further on
	}
	i := e.plainEnd(a.value)
	if !closed && i-a.value < maxValue {
		return a.value // a long text
	}
	for (a.link == spoken || a.link == spaced && !a.flag) && i > a.value && (text[i-1] == '.' || text[i-1] == ':' || text[i-1] == '!' || text[i-1] == '?') && !looks.IsElided(text[a.value:i]) {
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

// isExpression reports whether an unquoted value is code that computes one.
func isExpression(text []byte, from, to int) bool {
	for _, c := range text[from:to] {
		if c == '(' || c == '[' || c == '{' {
			return true
		}
	}
	return to < len(text) && (text[to] == '(' || text[to] == '[')
}

// maxFallback is how far behind an expression its fallback may stand.
const maxFallback = 128

// findFallback finds the literal that an expression falls back to: getenv("X",
// "literal"), x || "literal".
func (e *Engine) findFallback(a *assigned, end *int) bool {
	text := e.view.Text
	limit := min(len(text), *end+maxFallback)
	for i := *end; i+2 < limit && text[i] != '\n' && text[i] != ';'; i++ {
		e.work++
		if text[i] != ',' && text[i] != '|' && text[i] != '?' && text[i] != 'r' {
			continue
		}
		if j := skipSpace(text, i+1, true); j < limit && ascii.IsQuote(text[j]) {
			*a = assigned{link: fallback, value: j + 1, quote: text[j]}
			*end = e.valueEnd(*a)
			return *end > a.value
		}
	}
	return false
}
