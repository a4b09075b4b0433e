package redact

import (
	"bytes"
	"slices"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
	"github.com/memscribe/memscribe/core/redact/internal/sentence"
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
	if isSign(text, from) && from < start && text[from+1] != '-' {
		from++
	}
	a := assign.Read(text, to)
	if from > 0 && text[from-1] == '<' && (a.Link == assign.None || a.Link == assign.Spaced) {
		a = assign.Content(text, to)
	}
	if text[from] == '-' {
		if at, quote := assign.Next(text, to); at >= 0 {
			a = assign.Value{Link: assign.Listed, At: at, Quote: quote}
		}
	}
	p := names.Judge(text[from:to])
	if p == names.SomeKey && from >= len("api ") && looks.EqualFold(text[from-len("api "):from], "api ") {
		p = names.Token
	}
	e.work += 4
	if (p > names.SomeKey || text[to-1]|0x20 == 's') && e.items(p, from, to) {
		return
	}
	if p > names.SomeKey && (e.columns(p, from, to) || e.valueBefore(p, from)) {
		return
	}
	if p != names.Nothing && a.Link != assign.None && a.At < len(text) && !e.isFollowed(from, a) && e.leads(from, to, &a) && e.judge(p, a) {
		return
	}
	if p == names.Password {
		e.answers(to)
	}
	if p > names.SomeKey && e.shown(p, from, to) {
		return
	}
	switch {
	case p == names.SomeKey && from > 0 && text[from-1] == ' ': // my key: "X"
		e.inSentence(p, from, to)
	case a.Quote != 0 && (a.Link != assign.Argument || from == 0 || text[from-1] != ' '): // the string may end with the name
	case p == names.Nothing && looks.EqualFold(text[from:to], "passwords"):
		e.inSentence(names.Password, from, to)
	default:
		e.inSentence(p, from, to)
	}
}

// maxPrompt bounds what stands on a line before and behind a name in a command that shows its value.
const maxPrompt = 160

// shown reports the secret that a command printed on the line below it: $ echo $DB_PASSWORD. The name
// stands at [from, to), behind the prompt of a shell.
func (e *Engine) shown(p names.Promise, from, to int) bool {
	text := e.view.Text
	n := bytes.IndexByte(text[to:min(len(text), to+maxPrompt)], '\n')
	if n < 0 {
		return false
	}
	line := text[max(0, from-maxPrompt):from]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	e.work += n + len(line)
	if !bytes.Contains(line, []byte("$ ")) && !bytes.Contains(line, []byte("% ")) && !bytes.Contains(line, []byte("PS ")) && !bytes.Contains(line, []byte("❯ ")) {
		return false
	}
	at, _ := assign.NextLine(text, to+n)
	if at < 0 {
		return false
	}
	if text[at] == '-' { // of a diff
		at++
	}
	a := assign.Value{Link: assign.Spoken}.Open(text, at)
	end := e.valueEnd(a)
	return end > a.At && assign.EndsLine(text, end) && e.judgeValue(p, a, end)
}

// Limits of a question, in bytes: from the word for a password to its end, and what is offered behind it.
const (
	maxQuestion = 96
	maxOffered  = 512
)

// answers reports the passwords that are offered or given as answers to a question for one: the word
// for it ends at an offset, and the question is a string of its own.
func (e *Engine) answers(to int) {
	text := e.view.Text
	n := bytes.IndexAny(text[to:min(len(text), to+maxQuestion)], "?\"'`\n")
	if n < 0 || text[to+n] != '?' || to+n+1 >= len(text) || !ascii.IsQuote(text[to+n+1]) {
		return
	}
	at := to + n + 2
	limit := min(len(text), at+maxOffered)
	e.work += limit - to
	for ; at < limit; at++ {
		a := assign.Value{}
		switch rest := text[at:limit]; {
		case text[at] == '=':
			a = a.Open(text, at+1)
		case bytes.HasPrefix(rest, []byte(`"label"`)), bytes.HasPrefix(rest, []byte(`"text"`)):
			a = assign.Read(text, at+bytes.IndexByte(rest[1:], '"')+1)
		case text[at] == '?':
			return // the next question
		}
		if a.Quote == 0 {
			continue
		}
		end := e.valueEnd(a)
		if v := text[a.At:end]; assign.IsSecret(names.Password, assign.Value{Link: assign.Spoken}, v) && !looks.StandsIn(v) {
			e.report(e.set.assigned[names.Password], a.At, end)
		}
		at = max(at, end)
	}
}

// maxItems bounds the elements of a list that are judged.
const maxItems = 32

// items reports the secrets in a list that is assigned to a name at [from, to), which promises p
// or is in the plural. Members of an object have names of their own, which say what they are, but
// those of passwords are users.
func (e *Engine) items(p names.Promise, from, to int) (found bool) {
	list, ok := assign.List(e.view.Text, to)
	if !ok {
		return false
	}
	one := names.Singular(e.view.Text[from:to])
	if p = max(p, one); p <= names.SomeKey || one == names.Nothing && list.IsOpen() {
		return false
	}
	list.Keyed = one == names.Password
	for range maxItems {
		a, end, ok := list.Next()
		if !ok {
			break
		}
		e.work += 32
		found = end > a.At && e.judgeValue(p, a, end) || found
	}
	return found
}

// leastSpaced is the least length of a value that only space parts from its
// name.
const leastSpaced = 10

// isFollowed reports whether only a blank and a short word follow a name, as in "password reset": a
// sentence, and no value.
func (e *Engine) isFollowed(from int, a assign.Value) bool {
	text := e.view.Text
	if a.Link != assign.Spaced || a.Quote != 0 || text[from] == '-' {
		return false
	}
	n := 0
	for a.At+n < len(text) && n < leastSpaced && text[a.At+n] > ' ' {
		n++
	}
	return n < leastSpaced
}

// leads reports whether what was read as an assignment to the name at [from, to) is one. It notes in a
// how the name is written, which decides how much its value must look like a secret.
func (e *Engine) leads(from, to int, a *assign.Value) bool {
	text := e.view.Text
	name := text[from:to]
	a.Capitals = names.IsCapitals(name)
	a.Flag = name[0] == '-' || from > 0 && text[from-1] == '-' && !isSign(text, from-1)
	bare := looks.IsOneOf(name, "pass pwd pw")
	a.Bare = bare
	a.Query = from > 0 && (text[from-1] == '?' || text[from-1] == '&')
	if a.Tight && a.Quote == 0 && a.At > 1 && string(text[a.At-2:a.At]) == "->" {
		return false // the member of a structure
	}
	a.Header = a.Link == assign.Colon && a.Quote == 0 && looks.IndexFold(name, "-") > 0
	switch a.Link {
	case assign.Element:
		return from > 0 && (text[from-1] == '<' || ascii.IsQuote(text[from-1]) && !bare)
	case assign.Argument:
		return !bare && a.Quote != 0 && from > 0 && ascii.IsQuote(text[from-1]) && (a.Capitals || assign.IsFirstArgument(text, from))
	case assign.Listed:
		return !bare
	case assign.Paired:
		return true
	case assign.Call:
		if a.Quote == 0 && !a.Tight {
			a.Link = assign.Spoken // the password (…) works
		}
		return !bare && (a.Quote != 0 || !a.Tight)
	case assign.Spaced, assign.Spoken:
		if bare {
			// user bob pass X, and the pass is X, are some; pass X to Y is none
			if a.Link == assign.Spaced && !behindUser(text[:from]) || a.Link == assign.Spoken && !bytes.HasPrefix(text[to:], []byte(" is ")) {
				return false
			}
			a.Link = assign.Spoken
		}
		if a.Quote == '`' {
			a.Quote = 0 // of code: what is in it must be drawn, whatever the quote
		}
	default:
	}
	if bare && (!a.Tight && a.Quote == 0 || a.Quote == '`') {
		a.Link = assign.Spoken
		return a.Quote == 0
	}
	// A quote that the name is a part of closes, it does not open a value.
	return from == 0 || a.Quote == 0 || a.Quote != text[from-1] || closes(text[to:a.At-1], a.Quote) ||
		e.view.Width(from-1) != e.view.Width(a.At-1)
}

// behindUser reports whether a text ends with the name of a user and what says that it is one: user bob, login: bob.
func behindUser(text []byte) bool {
	line := bytes.TrimRight(text[max(0, len(text)-maxPrompt/2):], " ")
	line = bytes.TrimRight(line[:max(0, bytes.LastIndexByte(line, ' '))], " :=")
	for _, w := range [...]string{"user", "username", "login"} {
		if n := len(line) - len(w); n >= 0 && looks.EqualFold(line[n:], w) {
			return true
		}
	}
	return false
}

// closes reports whether a quote stands between a name and what opens its value.
func closes(between []byte, quote byte) bool {
	return slices.Contains(between, quote)
}

// maxLines bounds the lines of a block that are judged.
const maxLines = 16

// judge reports the value of an assignment if it is a secret. Of a value that stands on the lines below,
// it reports each line that is one.
func (e *Engine) judge(p names.Promise, a assign.Value) (found bool) {
	text := e.view.Text
	for range maxLines {
		end := e.valueEnd(a)
		if end <= a.At || a.Below && a.Quote == 0 && !assign.EndsLine(text, end) && !assign.FallsBack(text, end) {
			return found
		}
		found = e.judgeValue(p, a, end) || found
		next, indented := assign.NextLine(text, end)
		if !a.Below || !indented {
			return found
		}
		a.At = next
	}
	return found
}

// judgeValue reports the value of an assignment that ends at an offset if it is a secret.
func (e *Engine) judgeValue(p names.Promise, a assign.Value, end int) bool {
	text := e.view.Text
	if a.Quote == 0 && assign.IsExpression(text, a.At, end) && !braced(text, &a, &end) && !glued(text, a, &end) && !e.findFallback(&a, &end) {
		return false
	}
	if k := schemeEnd(text, a.At); k > 0 && k < end && looks.IsOneOf(text[a.At:k-1], schemes) {
		a.At = k
	}
	v := text[a.At:end]
	e.work += 4 * len(v)
	if !assign.IsSecret(p, a, v) || looks.StandsIn(v) {
		return a.Quote == 0 && assign.FallsBack(text, end) && e.findFallback(&a, &end) && e.judgeValue(p, a, end)
	}
	e.reportWithOthers(e.set.assigned[p], sentence.Span{Start: a.At, End: end})
	if a.Quote != 0 {
		e.replacement(p, a, end)
	}
	return true
}

// replacement judges the value that an arrow behind the quote of another puts in its place, as plans
// of Terraform do.
func (e *Engine) replacement(p names.Promise, a assign.Value, end int) {
	text := e.view.Text
	i := assign.SkipSpace(text, end+1, false)
	if !bytes.HasPrefix(text[min(i, len(text)):], []byte("->")) && !bytes.HasPrefix(text[min(i, len(text)):], []byte("=>")) {
		return
	}
	b := a.Open(text, assign.SkipSpace(text, i+len("->"), false))
	if stop := e.valueEnd(b); b.Quote != 0 && stop > b.At && assign.IsSecret(p, b, text[b.At:stop]) && !looks.StandsIn(text[b.At:stop]) {
		e.report(e.set.assigned[p], b.At, stop)
	}
}

// glued finds the end of a drawn value to which a call, an index or an object is glued.
func glued(text []byte, a assign.Value, end *int) bool {
	n := looks.DrawnHead(text[a.At:*end])
	if n == 0 {
		return false
	}
	*end = a.At + n
	return true
}

// braced finds the value in the braces of a connection string: ;PWD={…};
func braced(text []byte, a *assign.Value, end *int) bool {
	if !a.Tight || a.Link != assign.Equals || a.At == 0 || text[a.At] != '{' {
		return false
	}
	limit := min(len(text), a.At+maxFallback)
	n := bytes.IndexByte(text[a.At:limit], '}')
	line := text[max(0, a.At-maxFallback):a.At]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if n < 0 || bytes.IndexByte(line, ';') < 0 || bytes.IndexByte(text[a.At:a.At+n], '\n') >= 0 {
		return false
	}
	*end = a.At + n
	a.At++
	return *end > a.At
}

// inSentence reports the secrets in the sentence around the word for one, at [from, to).
func (e *Engine) inSentence(p names.Promise, from, to int) {
	if bytes.ContainsAny(e.view.Text[from:to], "0123456789") {
		return // an id, and no word
	}
	const looked = 128 // bytes that are looked at if there is nothing
	e.work += looked
	var buf [8]sentence.Span
	for _, s := range sentence.Around(e.view.Text, p, from, to, buf[:0]) {
		e.reportWithOthers(e.set.assigned[p], s)
	}
}

// reportWithOthers reports a secret, and others that its sentence offers instead: "use A, not B".
func (e *Engine) reportWithOthers(rule int32, one sentence.Span) {
	var buf [9]sentence.Span
	for _, s := range sentence.Others(e.view.Text, one, append(buf[:0], one)) {
		e.work += 64 + 4*(s.End-s.Start)
		e.report(rule, s.Start, s.End)
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
		for i < limit && text[i] == a.Quote && e.view.Width(i) > e.view.Width(a.At-1) { // of the value
			for i++; i < limit && text[i] != '\n' && text[i] != a.Quote; i++ {
			}
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

// plainRun remembers a run of text that holds nothing that ends a plain value. Without it every name in
// a long run would walk through the rest of it.
type plainRun struct{ from, to, judged int }

// maxJudged bounds how many values that end with the same run are judged.
const maxJudged = 8

// plainEnd returns the end of the value without quotes that begins at an offset. A value of more than
// maxValue bytes that is no token is none: it ends where it begins.
func (e *Engine) plainEnd(at int) int {
	text := e.view.Text
	r := &e.plain
	if at < r.from || at >= r.to {
		i := at
		for i < len(text) && !assign.EndsValue(text[i]) {
			i++
		}
		e.work += i - at
		*r = plainRun{from: at, to: i}
	}
	if r.judged++; r.judged > maxJudged {
		return at
	}
	if r.to-at > maxValue && ascii.TokenEnd(text, at) < r.to {
		return at
	}
	return r.to
}

// maxFallback is how far behind an expression its fallback may stand.
const maxFallback = 128

// findFallback finds the literal that an expression takes if it has no other value: getenv("X",
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
