package redact

import (
	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
)

// Tokens are secrets that show what they are: by how they begin, or by
// something in their middle.

// shortWord is the length up to which a word of letters and digits alone also
// turns up by chance in long runs; there its borders must be clear.
const shortWord = 4

// token tries a rule whose pattern begins with the word at start.
func (e *Engine) token(rule int32, start, end int) {
	text := e.view.Text
	short := isPlain(text[start:end])
	if ascii.IsAlnum(text[start]) && start > 0 && !borderBefore(text, start, short) {
		return
	}
	if short && !e.prose() && end-start < shortWord && ascii.IsAlnum(text[end-1]) {
		return // an id may begin so
	}
	if m := e.matchAt(rule, start); m.Ok {
		e.accept(rule, m, short, end)
		return
	}
	e.joinedToken(rule, start, end)
}

// isPlain reports whether the word of a rule is so short that it also turns up by chance: four letters
// and digits, or two and a separator.
func isPlain(w []byte) bool {
	n := 0
	for n < len(w) && ascii.IsAlnum(w[n]) {
		n++
	}
	return n == len(w) && n <= shortWord || n == len(w)-1 && n < shortWord-1
}

// borderBefore reports whether a token can begin at an offset: the byte before it belongs to something
// else. For short words signs count as part of the token too.
func borderBefore(text []byte, at int, strict bool) bool {
	c := text[at-1]
	if strict && (c == '_' || c == '/' || c == '+' || c == '-' || c == '.') {
		return at == 1 || text[at-2] == '\n' // of a diff
	}
	return !ascii.IsAlnum(c)
}

// accept reports the secret of a match if it is whole, drawn and no placeholder. All tokens of a rule
// have the text before the offset fixed in common, so that only the rest is judged.
func (e *Engine) accept(rule int32, m pattern.Match, strict bool, fixed int) {
	text := e.view.Text
	stop := m.Stop
	if stop == m.End {
		if stop = runEnd(text, m.Stop); m.End-m.Start == pattern.Window || m.End-m.Start == pattern.LongWindow {
			stop = max(stop, ascii.TokenEnd(text, m.Stop)) // the window ended before the token
		}
		if stop > m.Stop && (strict || isSuffixWord(text[m.Stop:stop])) {
			return
		}
	}
	e.work += 4 * (stop - m.Start)
	secret := text[m.Start:stop]
	if r := &e.set.rules[rule]; !r.Raw {
		if r.Entropy > 0 && looks.Entropy(secret) < r.Entropy || looks.IsTemplate(secret) {
			return
		}
		if body := secret[min(max(fixed-m.Start, 0), len(secret)):]; !r.Any && (!isDrawn(body) || looks.IsMonotone(body) || r.Loose && looks.IsCounted(body)) {
			return
		}
	}
	e.report(rule, m.Start, stop)
}

// isSuffixWord reports whether a word is joined to the end of a token: then the whole is an identifier,
// such as sk_test_handler, and no secret.
func isSuffixWord(rest []byte) bool {
	if ascii.IsAlnum(rest[0]) {
		return false
	}
	for _, c := range rest[1:] {
		if !ascii.IsLetter(c) {
			return false
		}
	}
	return len(rest) > 2 && !looks.Unspeakable(rest[1:])
}

// isDrawn reports whether a token holds something that was drawn: some of its
// runs, or at least digits.
func isDrawn(v []byte) bool {
	m := looks.Inspect(v)
	return m.Random >= 6 || m.Digits >= 3
}

// runEnd returns the end of the run of letters, digits, underscores and hyphens that holds the byte
// before an offset.
func runEnd(text []byte, at int) int {
	if at == 0 || !ascii.IsJoined(text[at-1]) {
		return at
	}
	for n := 0; at < len(text) && ascii.IsJoined(text[at]) && n < pattern.Window; n++ {
		at++
	}
	return at
}

// Bounds of the text before the word of a token, in bytes and in places where the token may begin.
const (
	maxBefore = 128
	maxStarts = 8
)

// middle tries a rule whose word is in the middle of the token. The pattern is tried where the run of
// token letters before the word begins, and at each part of that run.
func (e *Engine) middle(rule int32, start int) {
	text := e.view.Text
	for at, n := start-1, 0; at >= 0 && start-at < maxBefore && ascii.IsTokenByte(text[at]) && n < maxStarts; at-- {
		e.work += 2
		if at > 0 && (ascii.IsAlnum(text[at-1]) || !ascii.IsAlnum(text[at]) && ascii.IsTokenByte(text[at-1])) {
			continue
		}
		n++
		if m := e.matchAt(rule, at); m.Ok && m.End > start {
			e.accept(rule, m, false, 0)
			return
		}
	}
}
