package redact

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
)

// urlCredentials finds the user and password, or the token, in front of the host
// of a URL whose "://" stands at [start, end), or of a connection string of Go.
func (e *Engine) urlCredentials(rule int32, start, end int) {
	if e.view.Text[start] == '@' {
		e.dsnCredentials(rule, start)
		return
	}
	if start == 0 || !ascii.IsAlnum(e.view.Text[start-1]) {
		return
	}
	text := e.view.Text
	web := isWeb(text, start)
	info := e.userInfo(end, web)
	if info < 0 {
		return
	}
	e.work += 4 * (info - end)
	colon := end
	for colon < info && text[colon] != ':' {
		colon++
	}
	if colon == info {
		if v := text[end:info]; len(v) >= 16 && looks.Inspect(v).IsRandom(12) && !looks.IsDummy(v) {
			e.report(rule, end, info)
		}
		return
	}
	if !isURLPassword(text[colon+1:info]) || looks.IndexFold(text[end:colon], "/") >= 0 {
		return
	}
	if !web {
		info = urlEnd(text, info) // of a database the host says everything
	}
	e.report(rule, end, info)
}

// maxCredentials bounds the user and the password of a connection string.
const maxCredentials = 128

// dsnCredentials finds the user and password in user:password@tcp(host), where the @ stands at
// an offset.
func (e *Engine) dsnCredentials(rule int32, at int) {
	text := e.view.Text
	from := at
	for from > 0 && at-from < maxCredentials && text[from-1] > ' ' && !ascii.IsQuote(text[from-1]) && text[from-1] != '=' {
		from--
	}
	e.work += at - from
	user, password, ok := bytes.Cut(text[from:at], []byte(":"))
	if ok && len(user) > 0 && isURLPassword(password) {
		e.report(rule, from, at)
	}
}

// urlEnd is where the URL that holds an offset ends.
func urlEnd(text []byte, at int) int {
	for n := 0; at < len(text) && n < pattern.Window; n++ {
		if c := text[at]; c <= ' ' || ascii.IsQuote(c) || c == '<' || c == '>' || c == '\\' || c == ')' || c == ']' || c == '}' {
			break
		}
		at++
	}
	for at > 0 && (text[at-1] == '.' || text[at-1] == ',' || text[at-1] == ';') {
		at--
	}
	return at
}

// isURLPassword reports whether what stands behind the colon is a password, and
// not the word for one.
func isURLPassword(v []byte) bool {
	return len(v) >= 2 && !looks.IsDummy(v) &&
		!looks.IsOneOf(v, "password pass passwd pwd secret token user username key db_password dbpassword x-oauth-basic x-token-auth")
}

// isWeb reports whether the scheme that ends at an offset belongs to the web,
// whose passwords hold no slash.
func isWeb(text []byte, end int) bool {
	i := end
	for i > 0 && end-i < 8 && ascii.IsAlnum(text[i-1]) {
		i--
	}
	return looks.IsOneOf(text[i:end], "http https ws wss file")
}

// userInfo returns where the @ stands that ends the credentials of a URL, or -1. What is
// encoded in a URL that is not is a part of them.
func (e *Engine) userInfo(from int, web bool) int {
	text, width := e.view.Text, e.view.Width(from-1)
	at, colon, most := -1, false, pattern.Window
	if web {
		most = pattern.LongWindow // it ends with the next slash
	}
	for i := from; i < len(text) && i-from < most; i++ {
		switch c := text[i]; {
		case c == '@':
			at = i
		case c == ':':
			colon = true
		case (c == '/' || c == '?' || c == '#') && e.view.Width(i) > width:
		case c == '/' || (c == '?' || c == '#') && !colon:
			if web || at >= 0 || i == from {
				return at
			}
		case c == ' ' && colon && !web && at < 0 && i+1 < len(text) && text[i+1] == '@':
			// Some clients take an @ for the mention of a file, and put a space before it.
		case c <= ' ' || ascii.IsQuote(c) || c == '<' || c == '>' || c == '\\' || at >= 0 && (c == ']' || c == ',' || c == '?' || c == '#'):
			return at
		}
	}
	return at
}
