package jsondoc

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Unquote appends the text of a string to dst, given its body: what stands
// between the quotes. Escapes are decoded and surrogate pairs joined; a
// surrogate without its partner, and each byte that is not UTF-8, becomes
// U+FFFD. The body is one that Parse has accepted; in any other, a backslash that
// begins no escape stands for itself.
func Unquote(dst, body []byte) []byte {
	start := len(dst)
	dst, ascii := appendUnescaped(dst, body)
	if !ascii && !validUTF8(body) {
		return unquoteMended(dst[:start], body)
	}
	return dst
}

// unquoteMended is Unquote for a body that is not UTF-8 everywhere.
func unquoteMended(dst, body []byte) []byte {
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 {
			return appendValid(dst, body)
		}
		dst = appendValid(dst, body[:i])
		r, size := decodeEscape(body[i:])
		dst = utf8.AppendRune(dst, r)
		body = body[i+size:]
	}
}

// appendUnescaped appends body without its escapes, and reports whether all of it
// is ASCII. It appends word after word, and takes back the part from a backslash
// on.
func appendUnescaped(dst, body []byte) (_ []byte, ascii bool) {
	dst = slices.Grow(dst, len(body))
	var seen uint64
	i := 0
	for i+word <= len(body) {
		w := binary.LittleEndian.Uint64(body[i:])
		dst = binary.LittleEndian.AppendUint64(dst, w)
		m := hasSlash(w)
		if m == 0 {
			seen |= w
			i += word
			continue
		}
		seen |= w & (m - 1) &^ m
		k := bits.TrailingZeros64(m) >> 3
		dst = dst[:len(dst)-word+k]
		i += k
		if i+1 < len(body) {
			if c := shortEscape(body[i+1]); c != 0 {
				dst = append(dst, c)
				i += 2
				continue
			}
		}
		r, size := decodeEscape(body[i:])
		dst = utf8.AppendRune(dst, r)
		i += size
	}
	for i < len(body) {
		if body[i] != '\\' {
			seen |= uint64(body[i])
			dst = append(dst, body[i])
			i++
			continue
		}
		r, size := decodeEscape(body[i:])
		dst = utf8.AppendRune(dst, r)
		i += size
	}
	return dst, seen&highs == 0
}

// appendValid appends s with U+FFFD for each byte that is not UTF-8.
func appendValid(dst, s []byte) []byte {
	if validUTF8(s) {
		return append(dst, s...)
	}
	for len(s) > 0 {
		r, size := utf8.DecodeRune(s)
		dst = utf8.AppendRune(dst, r)
		s = s[size:]
	}
	return dst
}

// validUTF8 is utf8.Valid, which is quick only up to the first byte beyond
// ASCII; most text has one somewhere and is ASCII on both sides of it.
func validUTF8(s []byte) bool {
	for i := 0; i < len(s); {
		if s[i] >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && size == 1 {
				return false
			}
			i += size
			continue
		}
		for i+word <= len(s) {
			if m := binary.LittleEndian.Uint64(s[i:]) & highs; m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += word
		}
		for i < len(s) && s[i] < utf8.RuneSelf {
			i++
		}
	}
	return true
}

// decodeEscape returns the character that the escape at the start of b stands
// for, and the length of that escape: two bytes, six, or twelve for a pair. A
// backslash that begins none stands for itself.
func decodeEscape(b []byte) (r rune, size int) {
	if len(b) < 2 {
		return '\\', 1
	}
	if c := shortEscape(b[1]); c != 0 {
		return rune(c), 2
	}
	if b[1] == '/' {
		return '/', 2
	}
	r, ok := decodeHex(b)
	switch {
	case !ok:
		return '\\', 1
	case !utf16.IsSurrogate(r):
		return r, 6
	}
	if low, ok := decodeHex(b[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// decodeHex returns the code unit of the \u escape at the start of b, if there
// is one.
func decodeHex(b []byte) (unit rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		digit, ok := hexDigit(c)
		if !ok {
			return 0, false
		}
		unit = unit<<4 | digit
	}
	return unit, true
}

// equalText reports whether s is the text of the string with the given body.
func equalText(body []byte, s string) bool {
	for len(body) > 0 && len(s) > 0 {
		var r rune
		var size int
		if body[0] == '\\' {
			r, size = decodeEscape(body)
		} else {
			r, size = utf8.DecodeRune(body)
		}
		// A byte of s that is not UTF-8 decodes to U+FFFD as well, but is shorter.
		want, n := utf8.DecodeRuneInString(s)
		if r != want || n != utf8.RuneLen(r) {
			return false
		}
		body, s = body[size:], s[n:]
	}
	return len(body) == 0 && len(s) == 0
}
