package jsondoc

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// AppendQuote appends s to dst as a JSON string, in the one form that we write:
// escaped are only the quote, the backslash and the control characters below
// 0x20, these as \b, \f, \n, \r, \t or else \u00xx in lower case. Each byte
// of s that is not UTF-8 becomes U+FFFD. Nothing is escaped for the sake of HTML
// or JavaScript.
func AppendQuote(dst, s []byte) []byte {
	start := len(dst)
	dst = slices.Grow(dst, QuotedLen(s))
	dst = append(dst, '"')
	dst, ascii := appendEscaped(dst, s)
	if !ascii && !validUTF8(s) {
		dst = appendMended(dst[:start+1], s)
	}
	return append(dst, '"')
}

// minCounted is the length from which the escapes of a string are counted before it is written.
// A shorter one may need memory a second time, a longer one must not.
const minCounted = 64 << 10

// QuotedLen returns how many bytes [AppendQuote] appends. Of a short string it is a guess that
// counts no escapes.
func QuotedLen(s []byte) int {
	n := len(s) + len(`""`)
	if len(s) < minCounted {
		return n
	}
	for {
		s = s[plainPrefix(s):]
		if len(s) == 0 {
			return n
		}
		n += len(appendEscape(make([]byte, 0, 6), s[0])) - 1
		s = s[1:]
	}
}

// appendEscaped appends s with its escapes, and reports whether all of it is
// ASCII. It appends word after word, and takes back the part from a special byte
// on: text has one every few words.
func appendEscaped(dst, s []byte) (_ []byte, ascii bool) {
	var seen uint64
	i := 0
	for i+word <= len(s) {
		w := binary.LittleEndian.Uint64(s[i:])
		dst = binary.LittleEndian.AppendUint64(dst, w)
		m := special(w)
		if m == 0 {
			seen |= w
			i += word
			continue
		}
		seen |= w & (m - 1) &^ m
		k := bits.TrailingZeros64(m) >> 3
		dst = appendEscape(dst[:len(dst)-word+k], s[i+k])
		i += k + 1
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			dst = appendEscape(dst, c)
			continue
		}
		seen |= uint64(c)
		dst = append(dst, c)
	}
	return dst, seen&highs == 0
}

// appendMended is appendEscaped for bytes that are not UTF-8 everywhere.
func appendMended(dst, s []byte) []byte {
	for {
		n := plainPrefix(s)
		dst = appendValid(dst, s[:n]) // the end is ASCII: it splits no character
		if n == len(s) {
			return dst
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
// escaped.
func plainPrefix(s []byte) int {
	i := 0
	for ; i+word <= len(s); i += word {
		if m := special(binary.LittleEndian.Uint64(s[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for i < len(s) && s[i] >= ' ' && s[i] != '"' && s[i] != '\\' {
		i++
	}
	return i
}

// appendEscape appends the escape for c, which is a quote, a backslash or a
// control character.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '\n': // the most frequent by far
		return append(dst, '\\', 'n')
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
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
