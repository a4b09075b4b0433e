// Package joint finds joints in texts. A joint is what interrupts a word that a reader or a
// compiler reads as one: markup, as in ghp_<b>16C7</b>e42F, and what parts two literals, as in
// "ghp_16C7" . "e42F".
//
//	ghp_<b>16C7</b>e42F       pieces ghp_, 16C7, e42F
//	ghp_16C7" . "e42F         pieces ghp_16C7, e42F
//	ghp_16C7", "e42F          two words, or one if elements of a list may be joined
//
// [PieceEnd] says where a piece ends, [Len] how long the joint behind it is.
package joint

import (
	"bytes"
	"strings"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
)

// Limits of joints, in bytes.
const (
	maxTag   = 64 // a tag or a comment of HTML
	maxStars = 3  // emphasis of Markdown
)

// Len is the length of the joints at an offset, where a word continues behind them; 0 if there
// are none. Elements of a list count as one word only if listed is set.
func Len(text []byte, at int, listed bool) int {
	end := at
	for end < len(text) && end-at < 4*maxTag {
		n := oneJoint(text, end, listed)
		if n == 0 {
			break
		}
		end += n
	}
	if end == at || end == len(text) || !ascii.IsJoined(text[end]) {
		return 0
	}
	return end - at
}

// oneJoint is the length of the joint at an offset; 0 if there is none.
func oneJoint(text []byte, at int, listed bool) int {
	switch c := text[at]; c {
	case '<':
		return tag(text[at:min(len(text), at+maxTag)])
	case '*', '~', '`', '"', '\'':
		if c == '"' || c == '\'' || c == '`' {
			if n := betweenLiterals(text, at, listed); n > 0 || c != '`' {
				return n
			}
		}
		n := 1
		for n < maxStars && at+n < len(text) && text[at+n] == c {
			n++
		}
		return n
	}
	return 0
}

// tag is the length of the tag or comment at the start of s; 0 if there is none.
func tag(s []byte) int {
	end := bytes.IndexByte(s, '>')
	if end < 2 || bytes.IndexByte(s[:end], '\n') >= 0 {
		return 0
	}
	i := 1
	if s[i] == '/' || s[i] == '!' {
		i++
	}
	if !ascii.IsLetter(s[i]) && s[i] != '-' {
		return 0
	}
	return end + 1
}

// betweenLiterals is the length of what stands between two literals that are one: the quotes,
// and the operator and space between them; 0 if there is no such thing.
func betweenLiterals(text []byte, at int, listed bool) int {
	i := assign.SkipLines(text, at+1)
	operator := i
	for i < len(text) && i-operator < 2 && isJoining(text[i]) {
		i++
	}
	switch string(text[operator:i]) {
	case "", "+", ".", "..", "&", "||", "<>", "++", "~", "^":
	case ",":
		if !listed {
			return 0
		}
	default:
		return 0
	}
	if i = assign.SkipLines(text, i); i == at+1 || i >= len(text) || text[i] != text[at] {
		return 0
	}
	return i + 1 - at
}

// isJoining reports whether a byte is in operators that join texts, or parts elements.
func isJoining(c byte) bool {
	return strings.IndexByte("+.&|<>~^,", c) >= 0
}

// MaxWord bounds the pieces of a word, and all of them together, in bytes.
const MaxWord = 256

// PieceEnd is where the piece of a word ends that begins at an offset: with the next joint, or
// with the word.
func PieceEnd(text []byte, at int) int {
	limit := min(len(text), at+MaxWord)
	for at < limit && text[at] != '~' && ascii.IsTokenByte(text[at]) {
		at++
	}
	return at
}
