// Package view decodes a text as a reader would see it and maps each byte back to
// its source.
//
//	raw    pass\x1b[31mword=hun&shy;ter2
//	text   password=hunter2
//	edges  {at 4, raw 9} {at 12, raw 17, width 6}    behind it in step with the source again
//
// Rules search the text; what they find is cut from the source. So a secret goes with
// everything in it that a reader does not see, and the rules need not know of any quoting.
//
//	raw                text           byte     stands for
//	a\u0022b           a"b            1        source bytes 1 to 7: its width is 6
//	"ghp_" + "16C7"    "ghp_16C7"              the joint is gone
//	password%3Da       password=a     8        8 to 11
//
// A source without anything special is the text itself: nothing is copied.
package view

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
)

// View is a text as a reader sees it: terminal escape sequences and characters
// without a width are gone, and escapes of string literals (however often a text was
// quoted into another), entities of HTML, percent encoding and letters of full width stand
// for the character that they mean. Literals that a plus joins are one. It remembers where
// everything comes from.
type View struct {
	Text  []byte
	edges edges // none where text is the original itself
	buf   []byte
}

// MaxText is the longest text that can be viewed.
const MaxText = math.MaxUint32

// PlaceholderOpen is how what stands for a secret begins.
const PlaceholderOpen = "[REDACTED:"

const esc = 0x1b

// shortText is the length up to which a text is looked through byte by byte.
const shortText = 192

// Trim gives memory back that is larger than most, its own and the source's. The text is gone then.
func (v *View) Trim(most int) {
	if max(cap(v.buf), len(v.Text)) > most {
		*v = View{}
	}
}

// Of makes the view of raw, which it may alias. The view may be used until the next call of Of.
// Its text must not be changed where it aliases raw.
func (v *View) Of(raw []byte) {
	v.edges.reset()
	if len(raw) <= shortText && !slices.ContainsFunc(raw, ascii.IsSpecial) {
		v.Text = raw
		return
	}
	next := specials{raw: raw, at: [len(specialBytes)]int{-1, -1, -1, -1, -1, -1, -1, -1, -1}}
	i := next.from(0)
	if i == len(raw) {
		v.Text = raw
		return
	}
	b := append(slices.Grow(v.buf[:0], len(raw)), raw[:i]...) // it is never longer than the source
	for i < len(raw) {
		x := readSpecial(raw[i:])
		switch {
		case raw[i] == '+':
			b = b[:len(b)-v.drop(b, closing(b))]
		case x.broken:
			if x.length += skipSign(b, raw[i+x.length:]); isJoin(b, raw[i+x.length:]) {
				x.stands = 0 // the line breaks within a word
			}
		}
		if x.stands != 0 {
			v.edges.put(len(b), i, x.length)
			b = append(b, x.stands)
		}
		if x.beyond != 0 {
			var buf [utf8.UTFMax]byte
			for _, c := range buf[:utf8.EncodeRune(buf[:], x.beyond)] {
				v.edges.put(len(b), i, x.length)
				b = append(b, c)
			}
		}
		if x.plain {
			b = append(b, raw[i:i+x.length]...)
		} else {
			v.edges.put(len(b), i+x.length, 1)
		}
		i += x.length
		end := next.from(i)
		b = append(b, raw[i:end]...)
		i = end
	}
	v.edges.commit()
	v.Text, v.buf = b, b
}

// drop takes back the last n bytes of the text, and returns n.
func (v *View) drop(text []byte, n int) int {
	v.edges.cut(len(text) - n)
	return n
}

// Raw maps the range [from, to) of the text to the original.
func (v *View) Raw(from, to int) (int, int) {
	start, end := from, to
	if e, ok := v.edges.before(from); ok {
		start = e.source(from)
	}
	if e, ok := v.edges.before(to - 1); ok {
		end = int(e.raw+e.width) + to - 1 - int(e.at)
	}
	return start, end
}

// Width is how many bytes of the original the byte at an offset stands for.
func (v *View) Width(at int) int {
	if e, ok := v.edges.before(at); ok && int(e.at) == at {
		return int(e.width)
	}
	return 1
}

// maxCSI is the longest terminal sequence that is seen through.
const maxCSI = 64

// ansi returns the length of the terminal escape sequence at the start of s, of
// which the first intro bytes stand for ESC. It is at least intro. Of sequences
// that carry text, such as hyperlinks and titles, only what opens and closes
// them is meant: the text stays, and is searched like all other.
func ansi(s []byte, intro int) int {
	if len(s) <= intro {
		return intro
	}
	switch c := s[intro]; {
	case c == '[':
		return csi(s, intro)
	case c == ']' || c == '\\':
		return intro + 1
	case c == '(' || c == ')':
		return min(intro+2, len(s))
	case c >= '7' && c <= '>' || c == 'M' || c == 'c':
		return intro + 1
	}
	return intro
}

// csi measures a control sequence: parameters, and the letter that ends it.
func csi(s []byte, intro int) int {
	if bytes.HasPrefix(s[intro:], []byte(PlaceholderOpen)) {
		return intro // a placeholder behind a stray ESC
	}
	for i := intro + 1; i < len(s) && i < maxCSI; i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
		if s[i] < 0x20 || s[i] > 0x7e {
			break
		}
	}
	return intro
}

// escape is what stands where an escape may begin.
type escape struct {
	length int
	stands byte // what it stands for; 0 is nothing at all
	beyond rune // what it stands for beyond ASCII, if it is not 0
	broken bool // it is a backslash that continues the line
	plain  bool // it is no escape
}

// readEscape reads at the start of s, which is ESC or a backslash.
func readEscape(s []byte) escape {
	if s[0] == esc {
		return escape{length: ansi(s, 1)}
	}
	k := 1
	for k < len(s) && s[k] == '\\' {
		k++
	}
	plain := escape{length: k, plain: true}
	if k == len(s) {
		return plain
	}
	switch c := s[k]; c {
	case 'n', 'r':
		if c == 'n' && isQuotedBreak(k) {
			return escape{length: k + 1, stands: ' ', broken: true}
		}
		return escape{length: k + 1, stands: '\n'}
	case 't':
		return escape{length: k + 1, stands: ' '}
	case '\n':
		return escape{length: k + 1, stands: ' ', broken: k == 1}
	case '"', '\'', '`', '/':
		return escape{length: k + 1, stands: c}
	case 'u':
		return readHex(s, k, 4)
	case 'x':
		return readHex(s, k, 2)
	case '0':
		if bytes.HasPrefix(s[k:], []byte("033[")) {
			return escape{length: ansi(s, k+3)}
		}
	case 'e':
		if k+1 < len(s) && s[k+1] == '[' {
			return escape{length: ansi(s, k+1)}
		}
	}
	return plain
}

// isQuotedBreak reports whether so many backslashes before an n are a backslash at the end of a
// line, and that end: three if they were quoted once, six if twice.
func isQuotedBreak(backslashes int) bool {
	for backslashes > 3 && backslashes%2 == 0 {
		backslashes /= 2
	}
	return backslashes == 3
}

// readHex reads \u or \x, whose letter is at offset k. What is no character of its own, as half
// of a pair, stays as it is.
func readHex(s []byte, k, digits int) escape {
	plain := escape{length: k, plain: true}
	if k+1+digits > len(s) {
		return plain
	}
	v := 0
	for _, c := range s[k+1 : k+1+digits] {
		d := ascii.HexValue(c)
		if d < 0 {
			return plain
		}
		v = v<<4 | d
	}
	switch {
	case v == esc:
		return escape{length: ansi(s, k+1+digits)}
	case v == '\n' || v >= 0x20 && v < 0x7f:
		return escape{length: k + 1 + digits, stands: byte(v)}
	case digits < 4 || v < 0x80:
		return plain
	case isUnseen(v):
		return escape{length: k + 1 + digits}
	case v > fullWidth && v <= fullWidth+'~':
		return escape{length: k + 1 + digits, stands: byte(v - fullWidth)}
	case utf8.ValidRune(rune(v)):
		return escape{length: k + 1 + digits, beyond: rune(v)}
	}
	return plain
}

// fullWidth is what a letter of full width is ahead of its ASCII character.
const fullWidth = 0xff01 - '!'

// isUnseen reports whether a reader sees nothing of a character.
func isUnseen(c int) bool {
	return c == 0xad || c >= 0x200b && c <= 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2060 && c <= 0x206f || c == 0xfeff || c >= 0xfe00 && c <= 0xfe0f
}
