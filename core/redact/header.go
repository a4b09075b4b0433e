package redact

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
)

// authorization finds the credentials behind the name of the header, or behind
// the scheme "bearer", that ends at end.
func (e *Engine) authorization(rule int32, start, end int) {
	if !e.prose() {
		return
	}
	text := e.view.Text
	at := end
	if text[end-1] != ' ' {
		a := assign.Read(e.view.Text, end)
		if a.Link == assign.None || a.Link == assign.Spaced || a.Link == assign.Spoken {
			return
		}
		at = a.At
		if k := schemeEnd(text, at); k > 0 {
			at = k
		}
	}
	stop := credentialEnd(text, at)
	e.work += 4 * (stop - at)
	v := text[at:stop]
	if len(v) < 6 || looks.IsDummy(v) {
		return
	}
	if m := looks.Inspect(v); m.IsRandom(6) || m.Hex || m.Digits > 0 && m.Letters > 0 && len(v) >= 8 && text[end-1] != ' ' {
		e.report(rule, at, stop)
	}
}

// schemes are those of HTTP authentication that may stand before a token.
const schemes = "bearer basic token digest apikey ssws key negotiate"

// schemeEnd returns where the credentials begin behind a scheme such as Basic,
// or 0.
func schemeEnd(text []byte, at int) int {
	const maxScheme = 24
	i := at
	for i < len(text) && i-at < maxScheme && (ascii.IsAlnum(text[i]) || text[i] == '-') {
		i++
	}
	if i == at || i+1 >= len(text) || text[i] != ' ' {
		return 0
	}
	for i < len(text) && text[i] == ' ' {
		i++
	}
	return i
}

func credentialEnd(text []byte, at int) int {
	i := at
	for i < len(text) && (ascii.IsJoined(text[i]) || isCredentialByte(text[i])) {
		i++
	}
	return i
}

func isCredentialByte(c byte) bool {
	switch c {
	case '.', '~', '+', '/', '=', ':', '!', '@', '$', '%', '*', '^', '<', '{', '}', '>':
		return true
	}
	return false
}

// cookie finds the values of a cookie header that look drawn.
func (e *Engine) cookie(rule int32, start, end int) {
	if !e.prose() || start < e.cookies {
		return
	}
	text := e.view.Text
	limit := min(len(text), end+pattern.LongWindow)
	for i := end; i < limit && text[i] != '\n' && !ascii.IsQuote(text[i]); {
		eq := i
		for eq < limit && text[eq] != '=' && text[eq] != ';' && text[eq] != '\n' && !ascii.IsQuote(text[eq]) {
			eq++
		}
		stop := eq
		for stop < len(text) && text[stop] != ';' && text[stop] > ' ' && !ascii.IsQuote(text[stop]) {
			stop++
		}
		if eq < stop && text[eq] == '=' {
			v := text[eq+1 : stop]
			if m := looks.Inspect(v); len(v) >= 16 && (m.IsRandom(12) || m.Hex || m.UUID) && !looks.IsDummy(v) {
				e.report(rule, eq+1, stop)
			}
		}
		e.work += 4 * (stop - i)
		i = stop + 1
		e.cookies = i
	}
}

// commandUser finds user:password behind an option that takes one.
func (e *Engine) commandUser(rule int32, start, end int) {
	text := e.view.Text
	if !e.prose() || start > 0 && text[start-1] > ' ' && !ascii.IsQuote(text[start-1]) || !e.isTransfer(start) {
		return
	}
	at := assign.SkipSpace(text, end, false)
	if at < len(text) && ascii.IsQuote(text[at]) {
		at++
	}
	colon, i := -1, at
	var quote byte
	for i < len(text) && text[i] > ' ' && (text[i] != quote || quote == 0) {
		if text[i] == ':' && colon < 0 {
			colon = i
		}
		if ascii.IsQuote(text[i]) {
			if i != colon+1 || colon < 0 || quote != 0 {
				break
			}
			quote = text[i] // user:'password'
		}
		i++
	}
	e.work += 4 * (i - at)
	if colon < at || i-colon < 4 {
		return
	}
	user, pass := text[at:colon], text[colon+1:i]
	if quote != 0 {
		pass = pass[1:]
	}
	if m := looks.Inspect(pass); m.Digits == len(pass) || len(pass) < 3 || pass[0] == '/' || looks.IsDummy(pass) || looks.IsOneOf(pass, assign.NotPasswords) {
		return
	}
	if len(user) > 0 && (user[0] == '+' || looks.IsDummy(user) || isPlaceholderPair(user, pass)) {
		return
	}
	e.report(rule, at, i)
}

// isPlaceholderPair reports whether a user and a password are the words for
// them.
func isPlaceholderPair(user, pass []byte) bool {
	return pass[0] == '[' || pass[0] == '<' || looks.IsOneOf(pass, "test pass password pwd token changeme changeit secret admin xxx yyy key apikey api_key") ||
		looks.IsOneOf(user, "user username") && len(pass) < 6
}

// maxCommand is how far behind its command an option may stand.
const maxCommand = 256

// isTransfer reports whether an option belongs to a command that talks to a
// server: curl, wget and their like. The command may stand on a line before, if
// the option's is indented.
func (e *Engine) isTransfer(at int) bool {
	text := e.view.Text[max(0, at-maxCommand):at]
	if k := bytes.LastIndexByte(text, '\n'); k >= 0 && (k+1 == len(text) || text[k+1] > ' ') {
		text = text[k+1:]
	}
	e.work += len(text)
	return looks.ContainsAny(text, "curl wget http ftp")
}

// commandPassword finds the password behind words that take one: sshpass -p,
// IDENTIFIED BY, requirepass.
func (e *Engine) commandPassword(rule int32, start, end int) {
	text := e.view.Text
	if !e.prose() || start > 0 && ascii.IsAlnum(text[start-1]) || end == len(text) || ascii.IsAlnum(text[end]) && !ascii.IsUpper(text[end]) {
		return
	}
	a := assign.Value{Link: assign.Equals, Flag: true, Tight: true}.Open(text, assign.SkipSpace(text, end, false))
	if ascii.Lower(text[end-1]) == 'y' && a.Quote != '\'' {
		return // "identified by" is prose, but for SQL
	}
	stop := e.valueEnd(a)
	if stop <= a.At {
		return
	}
	v := text[a.At:stop]
	e.work += 4 * len(v)
	if assign.IsPassword(a, v, looks.Inspect(v)) && !looks.IsDummy(v) {
		e.report(rule, a.At, stop)
	}
}
