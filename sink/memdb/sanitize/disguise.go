package sanitize

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// written reads a character that is written as an entity of HTML (&#103;) or as an escape of
// JSON (\u0067) at the start of s. A program that shows the text shows the character. size is
// the number of bytes that it takes in s; 0 means that there is none.
func written(s string) (r rune, size int) {
	const longestEntity = 10
	switch {
	case strings.HasPrefix(s, "&"):
		end := strings.IndexByte(s[:min(len(s), longestEntity)], ';')
		if end < 0 {
			return 0, 0
		}
		text := html.UnescapeString(s[:end+1])
		r, n := utf8.DecodeRuneInString(text)
		if n != len(text) || r == utf8.RuneError {
			return 0, 0
		}
		return r, end + 1
	case strings.HasPrefix(s, `\u`) && len(s) >= len(`\u0000`):
		code, err := strconv.ParseUint(s[2:len(`\u0000`)], 16, 16)
		if err != nil || !utf8.ValidRune(rune(code)) {
			return 0, 0
		}
		return rune(code), len(`\u0000`)
	}
	return 0, 0
}

// spreadEnd returns the end of a word whose letters are set apart, as "i g n o r e" or
// "i-g-n-o-r-e". The word has at least three letters and the same sign between all of them: a
// space, a dot, a hyphen or an underscore. 0 means that no such word begins at the offset.
func spreadEnd(s string, at int) int {
	const fewest = 3 // letters
	if at+2 >= len(s) || !isLetterByte(s[at]) || at > 0 && isNameByte(s[at-1]) || strings.IndexByte(" .-_", s[at+1]) < 0 {
		return 0
	}
	between, letters := s[at+1], 1
	for at+2 < len(s) && s[at+1] == between && isLetterByte(s[at+2]) && (at+3 == len(s) || !isNameByte(s[at+3])) {
		at, letters = at+2, letters+1
	}
	if letters < fewest {
		return 0
	}
	return at + 1
}

// isLetterByte reports whether b is an ASCII letter.
func isLetterByte(b byte) bool { return isNameByte(b) && (b < '0' || b > '9') }

// hyphened returns the length of a hyphen with the line end behind it, which break a word in
// two at the end of a line. 0 means that there is none. A word that continues with a capital is
// two words.
func hyphened(s string, at int) int {
	if s[at] != '-' || at == 0 || !isLetterByte(s[at-1]) {
		return 0
	}
	end := at + 1
	if end < len(s) && s[end] == '\r' {
		end++
	}
	if end+1 < len(s) && s[end] == '\n' && s[end+1] >= 'a' && s[end+1] <= 'z' {
		return end + 1 - at
	}
	return 0
}

// undigit replaces digits by the letters that they look like, in words such as 1gn0re. A word
// counts only if it has more letters than digits and a letter behind a digit: v1.2 and sha256
// are left as they are.
func (v *view) undigit() {
	for from := 0; from < len(v.text); {
		to := from
		letters, digits, inside := 0, 0, false
		for ; to < len(v.text) && isNameByte(v.text[to]); to++ {
			if isLetterByte(v.text[to]) {
				inside = inside || to > from && !isLetterByte(v.text[to-1])
				letters++
			} else {
				digits++
			}
		}
		if inside && letters > digits {
			for i := from; i < to; i++ {
				if letter := letterOf(v.text[i]); letter != 0 {
					v.text[i] = letter
				}
			}
		}
		from = to + 1
	}
}

// letterOf returns the letter that a digit looks like.
func letterOf(b byte) byte {
	const digits, letters = "013457", "oieast"
	if i := strings.IndexByte(digits, b); i >= 0 {
		return letters[i]
	}
	return 0
}
