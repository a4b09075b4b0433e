// Package address finds credentials in URLs and in connection strings of Go.
//
//	https://user:PASSWORD@host/       user and password
//	https://TOKEN@host/               a token, if it looks drawn
//	postgres://user:pw@host/db        the whole address: the host of a database is secret, too
//	user:PASSWORD@tcp(host)/db        a data source of Go's MySQL driver
package address

import (
	"bytes"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
	"github.com/memscribe/memscribe/core/redact/internal/pattern"
	"github.com/memscribe/memscribe/core/redact/internal/view"
)

// Found is what was found in an address. Start and End are offsets in the text of the view.
// Work counts bytes that were looked at, so that the caller can bound it.
type Found struct {
	Start, End int  // of the credentials; of a database that of the whole address
	Ok         bool // there are some
	Work       int  // that it took
}

// Credentials finds the user and password, or the token, in front of the host of a URL whose "://" stands
// at [start, end) of a view. In the URL of a database the host says everything, so that all of it is found.
func Credentials(v *view.View, start, end int) (f Found) {
	text := v.Text
	if start == 0 || !ascii.IsAlnum(text[start-1]) {
		return Found{}
	}
	web := isWeb(text, start)
	info := userInfo(v, end, web)
	if info < 0 {
		return Found{}
	}
	f = Found{Start: end, End: info, Work: 4 * (info - end)}
	colon := end
	for colon < info && text[colon] != ':' {
		colon++
	}
	if colon == info {
		token := text[end:info]
		f.Ok = len(token) >= 16 && looks.Inspect(token).IsRandom(12) && !looks.IsDummy(token)
		return f
	}
	user, password := text[end:colon], text[colon+1:info]
	isDefault := bytes.Equal(user, password) && looks.IsOneOf(user, "guest postgres root")
	if f.Ok = !isDefault && isPassword(password) && looks.IndexFold(user, "/") < 0; f.Ok && !web {
		f.End = urlEnd(text, info)
	}
	return f
}

// maxCredentials bounds the user and the password of a connection string.
const maxCredentials = 128

// OfGo finds the user and password in user:password@tcp(host), where the @ stands at an offset.
func OfGo(text []byte, at int) Found {
	from := at
	for from > 0 && at-from < maxCredentials && text[from-1] > ' ' && !ascii.IsQuote(text[from-1]) && text[from-1] != '=' {
		from--
	}
	user, password, ok := bytes.Cut(text[from:at], []byte(":"))
	return Found{Start: from, End: at, Ok: ok && len(user) > 0 && isPassword(password), Work: at - from}
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

// isPassword reports whether what stands behind the colon is a password, and
// not the word for one.
func isPassword(v []byte) bool {
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
// encoded in a URL that is not is a part of them. A password in the URL of a database may hold
// slashes and question marks; one of the web may not, so that the search ends at the first of
// them.
func userInfo(v *view.View, from int, web bool) int {
	text, width := v.Text, v.Width(from-1)
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
		case (c == '/' || c == '?' || c == '#') && v.Width(i) > width:
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
