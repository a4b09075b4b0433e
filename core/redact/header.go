package redact

import (
	"strings"

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
	if len(v) < 6 {
		return
	}
	if m := looks.Inspect(v); (m.IsRandom(6) || m.Hex || m.Digits > 0 && m.Letters > 0 && len(v) >= 8 && text[end-1] != ' ') && !looks.IsDummy(v) {
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

// credentialEnd returns the end of a credential in a header that begins at at.
func credentialEnd(text []byte, at int) int {
	i := at
	for i < len(text) && (ascii.IsJoined(text[i]) || strings.IndexByte("~.+/=:!@$%*^<{}>", text[i]) >= 0) {
		i++
	}
	return i
}

// cookie finds the values of a cookie header that look drawn.
func (e *Engine) cookie(rule int32, start, end int) {
	if !e.prose() || start < e.cookies {
		return
	}
	text := e.view.Text
	if text[end-1] == '{' {
		e.cookieMembers(rule, start+len("cookies"))
		return
	}
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
			e.cookieValue(rule, eq+1, stop)
		}
		e.work += 4 * (stop - i)
		i = stop + 1
		e.cookies = i
	}
}

// cookieMembers finds the values that look drawn of an object of cookies, whose name ends at an offset.
func (e *Engine) cookieMembers(rule int32, end int) {
	list, ok := assign.List(e.view.Text, end)
	list.Keyed = true
	for n := 0; ok && n < maxItems; n++ {
		var a assign.Value
		var stop int
		if a, stop, ok = list.Next(); ok {
			e.work += 32
			e.cookieValue(rule, a.At, stop)
		}
	}
}

// cookieValue reports the value of a cookie if it looks drawn.
func (e *Engine) cookieValue(rule int32, start, end int) {
	const least = 16
	v := e.view.Text[start:end]
	if m := looks.Inspect(v); len(v) >= least && (m.IsRandom(12) || m.Hex || m.UUID) && !looks.IsDummy(v) {
		e.report(rule, start, end)
	}
}
