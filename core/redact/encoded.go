package redact

import (
	"encoding/base64"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// maxEncoded is how far before its first telling letters an encoded token may begin,
// with whatever is encoded before it: a user's name, the head of a file.
const maxEncoded = 4096

// encodedTokens are the beginnings of tokens that are looked for in base64.
const encodedTokens = "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- sk-ant- sk-proj- xoxb- xoxp- npm_ sk_live_ AKIA AIza dckr_pat_ pypi- whsec_"

// encodedToken finds base64 in which a token is encoded. The letters at [start, end)
// are those of the beginning of one, if they are decoded from the right place.
func (e *Engine) encodedToken(rule int32, start, end int) {
	text := e.view.Text
	if start < e.tokenEnd {
		return
	}
	known := false
	for _, shift := range [...]int{0, 2, 3} { // letters of a group of four before these
		if start >= shift && isEncodedToken(text[start-shift:min(len(text), start-shift+4*16)]) {
			known = true
		}
	}
	e.work += 3 * 64
	if !known {
		return
	}
	from, to := start, end
	for from > 0 && start-from < maxEncoded && isBase64(text[from-1]) {
		from--
	}
	for to < len(text) && isBase64(text[to]) {
		to++
	}
	for n := 0; n < 2 && to < len(text) && text[to] == '='; n++ {
		to++
	}
	e.work += to - from
	e.tokenEnd = to
	e.report(rule, from, to)
}

// isEncodedToken reports whether base64 holds the beginning of a token in its first
// group, and enough of the token behind it.
func isEncodedToken(code []byte) bool {
	const least = 16 // letters of the token
	n := 0
	var clean [64]byte
	for n < len(code) && n < len(clean) && isBase64(code[n]) {
		switch clean[n] = code[n]; code[n] {
		case '-':
			clean[n] = '+'
		case '_':
			clean[n] = '/'
		}
		n++
	}
	var plain [48]byte
	size, err := base64.RawStdEncoding.Decode(plain[:], clean[:n-n%4])
	if err != nil {
		return false
	}
	for skip := range 3 {
		if skip >= size {
			return false
		}
		if k := prefixExactly(plain[skip:size], encodedTokens); k > 0 {
			i := skip + k
			for i < size && ascii.IsJoined(plain[i]) {
				i++
			}
			return i-skip-k >= least
		}
	}
	return false
}

// prefixExactly is [prefixOf] with the case that counts.
func prefixExactly(s []byte, words string) int {
	for words != "" {
		var w string
		if w, words = looks.CutWord(words); len(s) >= len(w) && string(s[:len(w)]) == w {
			return len(w)
		}
	}
	return 0
}

// isBase64 reports whether a byte is a letter of base64, in either alphabet.
func isBase64(c byte) bool { return ascii.IsJoined(c) || c == '+' || c == '/' }
