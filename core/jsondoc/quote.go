package jsondoc

import (
	"encoding/binary"
	"math/bits"
)

// AppendQuote appends s to dst as a JSON string, in the one form that we write:
// escaped are only the quote, the backslash and the control characters below
// 0x20, these as \b, \f, \n, \r, \t or else \u00xx in lower case. Each byte
// of s that is not UTF-8 becomes U+FFFD. Nothing is escaped for the sake of HTML
// or JavaScript.
func AppendQuote(dst, s []byte) []byte {
	dst = append(dst, '"')
	for {
		n, ascii := plainPrefix(s)
		if ascii {
			dst = append(dst, s[:n]...)
		} else {
			dst = appendValid(dst, s[:n]) // the end is ASCII: it splits no character
		}
		if n == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[n])
		s = s[n+1:]
	}
}

// AppendQuoteString is [AppendQuote] for a string.
func AppendQuoteString(dst []byte, s string) []byte {
	return AppendQuote(dst, []byte(s)) // the compiler does not copy what is only read
}

// plainPrefix returns how many bytes of s come before the first that has to be
// escaped, and whether they are all ASCII.
func plainPrefix(s []byte) (n int, ascii bool) {
	var seen uint64
	i := 0
	for ; i+word <= len(s); i += word {
		w := binary.LittleEndian.Uint64(s[i:])
		if m := special(w); m != 0 {
			seen |= w & (m - 1) &^ m
			return i + bits.TrailingZeros64(m)>>3, seen&highs == 0
		}
		seen |= w
	}
	for ; i < len(s) && s[i] >= ' ' && s[i] != '"' && s[i] != '\\'; i++ {
		seen |= uint64(s[i])
	}
	return i, seen&highs == 0
}

// appendEscape appends the escape for c, which is a quote, a backslash or a
// control character.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		const hex = "0123456789abcdef"
		return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
	}
}

// writtenLong reports whether AppendQuote writes a character with the six-byte
// escape esc.
func writtenLong(esc []byte) bool {
	r, ok := decodeHex(esc)
	return ok && r < ' ' && string(appendEscape(make([]byte, 0, 6), byte(r))) == string(esc)
}
