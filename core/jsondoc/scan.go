package jsondoc

import (
	"encoding/binary"
	"math/bits"
)

const (
	word  = 8
	block = 64

	// shortString is how much of a string is read word by word before blocks
	// are worth their price. Names, ids and timestamps end before.
	shortString = 32
)

// scanString scans the rest of a string whose body begins at b[i]. It returns
// the offset after the closing quote and the meta of the entry.
//
// This loop is for the many strings that are short, and for the end of the
// input; scanBlocks for the few that make up most of the bytes.
func scanString(b []byte, i int) (end int, meta uint32, reason string) {
	meta = uint32(String)
	last := len(b) - word
	if i+shortString+block <= len(b) {
		last = i + shortString
	}
	var seen uint64 // all bytes of the body or-ed together
	for i <= last {
		w := binary.LittleEndian.Uint64(b[i:])
		m := special(w)
		if m == 0 {
			seen |= w
			i += word
			continue
		}
		seen |= w & (m - 1) &^ m
		k := bits.TrailingZeros64(m) &^ 7
		i += k >> 3
		switch byte(w >> k) {
		case '"':
			return i + 1, meta | nonASCII(seen), ""
		case '\\':
			if i+1 < len(b) && shortEscape(b[i+1]) != 0 {
				meta |= flagEscape
				i += 2
				continue
			}
			var flags uint32
			if i, flags, reason = scanEscape(b, i); reason != "" {
				return i, 0, reason
			}
			meta |= flags
		default:
			return i, 0, errControl
		}
	}
	return scanBlocks(b, i, meta, seen)
}

// scanBlocks continues scanString for as long as there are blocks. What costs
// time in text with many escapes is not reading the bytes but guessing wrong
// how far the next escape is. So the special bytes of a whole block are found
// first, without a branch, and then visited one after the other.
func scanBlocks(b []byte, i int, meta uint32, seen uint64) (end int, _ uint32, reason string) {
	for i+block <= len(b) {
		p := (*[block]byte)(b[i:])
		m, all := specials(p)
		seen |= all // beyond the end of the string too: it may say non-ASCII in vain
		next := i + block
		for m != 0 {
			k := bits.TrailingZeros64(m)
			switch p[k%block] {
			case '"':
				return i + k + 1, meta | nonASCII(seen), ""
			case '\\':
				at, flags := i+k+2, uint32(flagEscape)
				if at > len(b) || shortEscape(b[at-1]) == 0 {
					if at, flags, reason = scanEscape(b, i+k); reason != "" {
						return at, 0, reason
					}
				}
				meta |= flags
				next = max(next, at) // it may end in the next block
				m &^= 0b11 << k      // what is escaped may look special
			default:
				return i + k, 0, errControl
			}
		}
		i = next
	}
	return scanTail(b, i, meta, seen)
}

// specials returns the set of the special bytes of p, and all bytes or-ed
// together.
//
// Shifted by another amount for each word, the answers for eight words fit in
// one: bit k of byte j is for byte j of word k.
func specials(p *[block]byte) (set, all uint64) {
	var ok uint64
	w := binary.LittleEndian.Uint64(p[0:])
	ok, all = plain(w)>>7, w
	w = binary.LittleEndian.Uint64(p[8:])
	ok, all = ok|plain(w)>>6, all|w
	w = binary.LittleEndian.Uint64(p[16:])
	ok, all = ok|plain(w)>>5, all|w
	w = binary.LittleEndian.Uint64(p[24:])
	ok, all = ok|plain(w)>>4, all|w
	w = binary.LittleEndian.Uint64(p[32:])
	ok, all = ok|plain(w)>>3, all|w
	w = binary.LittleEndian.Uint64(p[40:])
	ok, all = ok|plain(w)>>2, all|w
	w = binary.LittleEndian.Uint64(p[48:])
	ok, all = ok|plain(w)>>1, all|w
	w = binary.LittleEndian.Uint64(p[56:])
	ok, all = ok|plain(w), all|w
	if ok == 1<<64-1 {
		return 0, all
	}
	return transpose(^ok), all
}

// scanTail continues scanBlocks for less than a block.
func scanTail(b []byte, i int, meta uint32, seen uint64) (end int, _ uint32, reason string) {
	for i < len(b) {
		if i+word <= len(b) {
			if w := binary.LittleEndian.Uint64(b[i:]); special(w) == 0 {
				seen |= w
				i += word
				continue
			}
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1, meta | nonASCII(seen), ""
		case c == '\\':
			var flags uint32
			if i, flags, reason = scanEscape(b, i); reason != "" {
				return i, 0, reason
			}
			meta |= flags
		case c < ' ':
			return i, 0, errControl
		default:
			seen |= uint64(c)
			i++
		}
	}
	return i, 0, errEnd
}

// nonASCII returns the flag that is due when all bytes of a body, or-ed
// together, are seen.
func nonASCII(seen uint64) uint32 {
	if seen&highs != 0 {
		return flagNonASCII
	}
	return 0
}

// shortEscapes has, at the place of each byte that makes a two-byte escape of
// the kind AppendQuote writes, the character that it stands for. (The other
// two-byte escape is the slash.)
const shortEscapes = "" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\\\x00\x00\x00" +
	"\x00\x00\b\x00\x00\x00\f\x00\x00\x00\x00\x00\x00\x00\n\x00" +
	"\x00\x00\r\x00\t\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// shortEscape returns the character that a backslash and c stand for when
// AppendQuote writes it like that, else 0.
func shortEscape(c byte) byte {
	if int(c) < len(shortEscapes) {
		return shortEscapes[c]
	}
	return 0
}

// scanEscape scans the escape whose backslash is b[i]. It returns the offset
// after it and the flags that it calls for.
func scanEscape(b []byte, i int) (end int, flags uint32, reason string) {
	start := i
	i++
	switch {
	case i >= len(b):
		return i, 0, errEnd
	case shortEscape(b[i]) != 0:
		return i + 1, flagEscape, ""
	case b[i] == '/':
		return i + 1, flagEscape | flagForeign, ""
	case b[i] != 'u':
		return i, 0, errEscape
	}
	for range 4 {
		i++
		if i >= len(b) {
			return i, 0, errEnd
		}
		if _, ok := hexDigit(b[i]); !ok {
			return i, 0, errHex
		}
	}
	flags = flagEscape
	if !writtenLong(b[start : i+1]) {
		flags |= flagForeign
	}
	return i + 1, flags, ""
}

// hexDigit returns the value of the hexadecimal digit c.
func hexDigit(c byte) (digit rune, ok bool) {
	switch {
	case c-'0' <= 9:
		return rune(c - '0'), true
	case c|0x20-'a' <= 5:
		return rune(c|0x20-'a') + 10, true
	}
	return 0, false
}
