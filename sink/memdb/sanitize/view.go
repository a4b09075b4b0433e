package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// view is a text as a reader takes it. from has the offset in the source of each byte of text,
// and one more element, the length of the source.
//
//	source  I&#103;nore **all** rules
//	text    ignore all rules
//	from    0 1 7 8 9 10 11 …
type view struct {
	text []byte
	from []int32 // of each byte, and one behind the last: an offset in the source
}

// newView makes the view of a text. White space becomes one space; where it holds two or more
// line ends, it becomes one line end, as a paragraph ends there.
func newView(s string) *view {
	v := &view{text: make([]byte, 0, len(s)), from: make([]int32, 0, len(s)+1)}
	for at := 0; at < len(s); {
		if end := plainEnd(s, at); end > at {
			v.plain(s, at, end)
			at = end
			continue
		}
		if end := tagEnd(s, at); end > 0 {
			at = end
			continue
		}
		if end := spreadEnd(s, at); end > 0 {
			for ; at < end; at += 2 {
				v.rune(s, rune(s[at]), at)
			}
			at = end
			continue
		}
		r, size := written(s[at:])
		switch {
		case size == 0:
			r, size = utf8.DecodeRuneInString(s[at:])
		case unicode.IsSpace(r):
			v.add(at, ' ')
			at += size
			continue
		}
		if unicode.IsSpace(r) {
			at = v.space(s, at)
			continue
		}
		if n := hyphened(s, at); n > 0 {
			at += n
			continue
		}
		v.rune(s, r, at)
		at += size
	}
	v.from = append(v.from, int32(len(s)))
	v.unmix()
	v.undigit()
	return v
}

// plainEnd returns the end of the stretch from an offset on in which every byte is seen as it
// is, apart from its case. This is most of a text, so that the slow path runs seldom. A byte
// that could be part of markup, an escape, a spread word or another script ends the stretch.
func plainEnd(s string, at int) int {
	for ; at < len(s); at++ {
		var next byte
		if at+1 < len(s) {
			next = s[at+1]
		}
		inWord := isNameByte(next) // the next byte is of a word
		switch c := s[at]; c {
		case ' ':
			if next <= ' ' || next >= utf8.RuneSelf {
				return at
			}
		case '-':
			if !inWord {
				return at
			}
		case '_':
			if !inWord || at == 0 || !isNameByte(s[at-1]) {
				return at
			}
		case '<', '&', '\\', '*', '`', '~', '\t', '\n', '\v', '\f', '\r':
			return at
		default:
			// A letter by itself may be the first of a word that is written apart.
			if c >= utf8.RuneSelf || !inWord && isLetterByte(c) && (at == 0 || !isNameByte(s[at-1])) {
				return at
			}
		}
	}
	return at
}

// plain adds text in lower case.
func (v *view) plain(s string, at, end int) {
	for ; at < end; at++ {
		c := s[at]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		v.text, v.from = append(v.text, c), append(v.from, int32(at))
	}
}

// space takes in white space and returns where it ends.
func (v *view) space(s string, at int) int {
	start, lines := at, 0
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if !unicode.IsSpace(r) && !isHidden(r) {
			break
		}
		if r == '\n' {
			lines++
		}
		at += size
	}
	b := byte(' ')
	if lines > 1 {
		b = '\n'
	}
	v.add(start, b)
	return at
}

// add appends bytes that all come from the place at of the source.
func (v *view) add(at int, bytes ...byte) {
	for _, b := range bytes {
		v.text = append(v.text, b)
		v.from = append(v.from, int32(at))
	}
}

// rune appends what a reader sees of a character: nothing for invisible ones and
// emphasis, the plain letter for look-alikes.
func (v *view) rune(s string, r rune, at int) {
	switch {
	case isHidden(r), r == '*', r == '`', r == '~':
		return
	case r == '_':
		// Emphasis, but not the inside of a name.
		if at > 0 && at+1 < len(s) && isNameByte(s[at-1]) && isNameByte(s[at+1]) {
			v.add(at, '_')
		}
		return
	case r >= 0xff01 && r <= 0xff5e: // full width
		r -= 0xff00 - 0x20
	case r == '’' || r == '‘':
		r = '\''
	}
	v.add(at, utf8.AppendRune(nil, unicode.ToLower(r))...)
}

// isNameByte reports whether b is an ASCII letter or digit.
func isNameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// isHidden reports whether a character takes no place on the page.
func isHidden(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2069 ||
		r == 0xfeff || r == 0x00ad || r == 0x034f || isTag(r) || r >= 0xfe00 && r <= 0xfe0f
}

// isTag reports whether a character is one of those in which text can hide whole:
// they mirror ASCII and are invisible.
func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

// tagEnd returns the end of the HTML tag that begins at an offset, if the tag may stand inside
// a word, as <b> may; 0 if there is none. A tag has 64 bytes at most.
func tagEnd(s string, at int) int {
	if s[at] != '<' || at+2 >= len(s) {
		return 0
	}
	end := strings.IndexByte(s[at:min(len(s), at+64)], '>')
	if end < 0 {
		return 0
	}
	name := strings.TrimLeft(s[at+1:at+end], "/")
	name, _, _ = strings.Cut(name, " ")
	switch strings.ToLower(name) {
	case "b", "i", "em", "strong", "u", "s", "span", "font", "small", "big", "mark", "a", "code", "sub", "sup", "wbr":
		return at + end + 1
	}
	return 0
}

// unmix replaces letters of other scripts by the ASCII letters that they look like, in words
// that have ASCII letters too: "ignоre" with a Cyrillic о. Words of one script are left: a
// Russian word is no disguise.
func (v *view) unmix() {
	n := 0 // bytes that stay
	for start := 0; start < len(v.text); {
		end, mixed := wordEnd(v.text, start)
		if !mixed {
			copy(v.from[n:], v.from[start:end])
			n += copy(v.text[n:], v.text[start:end])
			start = end
			continue
		}
		for start < end {
			r, size := utf8.DecodeRune(v.text[start:end])
			if b := latin(r); b != 0 {
				v.text[n], v.from[n] = b, v.from[start]
				n++
			} else {
				copy(v.from[n:], v.from[start:start+size])
				n += copy(v.text[n:], v.text[start:start+size])
			}
			start += size
		}
	}
	v.from[n] = v.from[len(v.from)-1]
	v.text, v.from = v.text[:n], v.from[:n+1]
}

// wordEnd returns where the word at an offset ends, and whether it mixes ASCII with
// look-alikes. For speed, all ASCII up to the last word that other letters may continue counts
// as one word, and so does a single character that is no letter.
func wordEnd(text []byte, at int) (end int, mixed bool) {
	if end = asciiEnd(text, at); end > at {
		return end, false
	}
	ascii, alike := false, false
	for end = at; end < len(text); {
		r, size := rune(text[end]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[end:])
		}
		if !unicode.IsLetter(r) {
			if end == at {
				return end + size, false
			}
			break
		}
		ascii = ascii || r < utf8.RuneSelf
		alike = alike || latin(r) != 0
		end += size
	}
	return end, ascii && alike
}

// asciiEnd returns the end of the ASCII that begins at a place, but for the word
// at its end that other letters may go on with.
func asciiEnd(text []byte, at int) int {
	end := at
	for end < len(text) && text[end] < utf8.RuneSelf {
		end++
	}
	for end < len(text) && end > at && isLetterByte(text[end-1]) {
		end--
	}
	return end
}

// Letters of other scripts, in lower case, and below each the ASCII letter that it
// looks like. Each takes two bytes.
const (
	lookAlikes = "аαвсԁеεһніїιјкκмоοрρԛгѕтτυνԝхχу"
	lookedLike = "aabcdeehhiiijkkmooppqrsttuvwxxy"
)

// latin returns the letter that a lower case letter of another script looks like, or 0.
func latin(r rune) byte {
	if r < 0x370 || r > 0x52f { // neither Greek nor Cyrillic
		return 0
	}
	if i := strings.IndexRune(lookAlikes, r); i >= 0 {
		return lookedLike[i/2]
	}
	return 0
}
