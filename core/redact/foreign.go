package redact

import (
	"bytes"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/names"
	"github.com/memscribe/memscribe/core/redact/internal/sentence"
)

// maxForeign is how far behind a foreign word for a password its value may begin.
const maxForeign = 32

// foreignPassword finds the password behind a word for one that no identifier holds, as it has
// letters beyond ASCII or is several words. The word ends at end; an ending, a verb, a colon and
// quotes may follow.
func (e *Engine) foreignPassword(rule int32, _, end int) {
	if !e.prose() {
		return
	}
	text := e.view.Text
	limit := min(len(text), end+maxForeign)
	at, assigned := end, false
	for at < limit {
		c := text[at]
		if n := verb(text[at:limit]); n > 0 && text[at-1] == ' ' {
			at += n
			continue
		}
		if c < utf8.RuneSelf && c != ' ' && c != ':' && c != '=' && c != '*' && !ascii.IsQuote(c) {
			break
		}
		assigned = assigned || c == ':' || c == '='
		at++
	}
	stop := at
	for stop < len(text) && stop-at < maxValue && text[stop] < utf8.RuneSelf && !assign.EndsValue(text[stop]) {
		stop++
	}
	v := bytes.TrimRight(text[at:stop], ".:!?")
	e.work += stop - end + 4*len(v)
	made := looks.Inspect(v)
	if (assigned || made.IsRandom(10)) && !made.Hex && !made.UUID && !looks.StandsIn(v) && assign.IsPassword(assign.Value{Link: assign.Colon}, v, made) {
		e.report(rule, at, at+len(v))
		return
	}
	e.behind(rule, names.Password, end)
}

// foreignToken finds the token behind a word for one that no identifier holds.
func (e *Engine) foreignToken(rule int32, _, end int) {
	if e.prose() {
		e.behind(rule, names.Token, end)
	}
}

// behind reports the secrets that a sentence has behind the word for one, which ends at an offset.
func (e *Engine) behind(rule int32, p names.Promise, end int) {
	const looked = 64 // bytes that are looked at if there is nothing
	e.work += looked
	var buf [8]sentence.Span
	for _, s := range sentence.Behind(e.view.Text, p, end, buf[:0]) {
		e.reportWithOthers(rule, s)
	}
}

// verb is the length of the word for "is" that s begins with, and the space behind it; 0 if it
// begins with none.
func verb(s []byte) int {
	for _, w := range [...]string{"est ", "es ", "is ", "jest ", "je "} {
		if bytes.HasPrefix(s, []byte(w)) {
			return len(w)
		}
	}
	return 0
}
