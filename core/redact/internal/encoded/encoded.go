// Package encoded finds tokens that were encoded in base64, alone or within other text.
//
// Three bytes become four letters, so that what "ghp_" becomes depends on the place where it
// begins: Z2hwX…, …docF…, …naHBf…. The table of rules lists these letters as words; where one
// stands, the run around it is decoded from each place that the word allows.
package encoded

import (
	"encoding/base64"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// maxBefore is how far before its first telling letters an encoded token may begin. It bounds
// the work for a text that is one long run of base64.
const maxBefore = 4096

// beginnings are those of the tokens that are looked for.
const beginnings = "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- sk-ant- sk-proj- xoxb- xoxp- npm_ sk_live_ AKIA AIza dckr_pat_ pypi- whsec_"

// Cost is the work of a call of [Token] that finds nothing.
const Cost = 3 * 64

// Token returns the run of base64 in which a token is encoded, with its padding. The letters at
// [start, end) are those of an encoded beginning such as "ghp_"; they count only if decoding
// from the right place in a group of four gives a beginning with 16 letters of a token behind
// it.
func Token(text []byte, start, end int) (from, to int, ok bool) {
	for _, shift := range [...]int{0, 2, 3} { // letters of a group of four before these
		if start >= shift && holdsToken(text[start-shift:min(len(text), start-shift+4*16)]) {
			ok = true
		}
	}
	if !ok {
		return 0, 0, false
	}
	from, to = start, end
	for from > 0 && start-from < maxBefore && isBase64(text[from-1]) {
		from--
	}
	for to < len(text) && isBase64(text[to]) {
		to++
	}
	for n := 0; n < 2 && to < len(text) && text[to] == '='; n++ {
		to++
	}
	return from, to, true
}

// holdsToken reports whether base64 holds the beginning of a token in its first
// group, and enough of the token behind it.
func holdsToken(code []byte) bool {
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
		if k := beginning(plain[skip:size]); k > 0 {
			i := skip + k
			for i < size && ascii.IsJoined(plain[i]) {
				i++
			}
			return i-skip-k >= least
		}
	}
	return false
}

// beginning is the length of the beginning of a token that s begins with, in its own case; 0 if there is none.
func beginning(s []byte) int {
	for words := beginnings; words != ""; {
		var w string
		if w, words = looks.CutWord(words); len(s) >= len(w) && string(s[:len(w)]) == w {
			return len(w)
		}
	}
	return 0
}

// isBase64 reports whether a byte is a letter of base64, in either alphabet.
func isBase64(c byte) bool { return ascii.IsJoined(c) || c == '+' || c == '/' }
