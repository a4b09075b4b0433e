package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// view is a text as a reader takes it, and where each byte of it comes from.
type view struct {
	text []byte
	from []int // of each byte, and one behind the last: an offset in the source
}

// newView folds a text. Line ends become spaces, two of them a line end.
func newView(s string) *view {
	v := &view{text: make([]byte, 0, len(s)), from: make([]int, 0, len(s)+1)}
	for at := 0; at < len(s); {
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
	v.from = append(v.from, len(s))
	v.unmix()
	v.undigit()
	return v
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

func (v *view) add(at int, bytes ...byte) {
	for _, b := range bytes {
		v.text = append(v.text, b)
		v.from = append(v.from, at)
	}
}

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

func isNameByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// isHidden reports whether a character takes no place on the page.
func isHidden(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2069 ||
		r == 0xfeff || r == 0x00ad || r == 0x034f || isTag(r) || r >= 0xfe00 && r <= 0xfe0f
}

// isTag reports whether a character is one of those in which text can hide whole:
// they mirror ASCII and nobody sees them.
func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

// tagEnd returns the end of the markup that begins at a place: a tag that may
// stand inside a word, as <b> does.
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

// unmix replaces, in words that have letters of ASCII too, letters of other
// scripts that look like one.
func (v *view) unmix() {
	text, from := v.text[:0:0], v.from[:0:0]
	for start := 0; start < len(v.text); {
		end, mixed := wordEnd(v.text, start)
		for at := start; at < end; {
			r, size := utf8.DecodeRune(v.text[at:end])
			if b := latin(r); mixed && b != 0 {
				text, from = append(text, b), append(from, v.from[at])
			} else {
				text, from = append(text, v.text[at:at+size]...), append(from, v.from[at:at+size]...)
			}
			at += size
		}
		start = end
	}
	v.text, v.from = text, append(from, v.from[len(v.from)-1])
}

// wordEnd returns where the word that begins at a place ends, and whether it
// mixes ASCII with look-alikes. What is no word is one of its own.
func wordEnd(text []byte, at int) (end int, mixed bool) {
	ascii, alike := false, false
	for end = at; end < len(text); {
		r, size := utf8.DecodeRune(text[end:])
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

// latin is the letter that a lower case letter of another script looks like.
func latin(r rune) byte {
	const others, letters = "аеорсухіїјѕһԁԛԝвкмнтгαεορυινκτχ", "aeopcyxiijshdqwbkmhtraeopuivktx"
	i := 0
	for _, o := range others {
		if o == r {
			return letters[i]
		}
		i++
	}
	return 0
}
