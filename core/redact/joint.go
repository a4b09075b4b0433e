package redact

import (
	"bytes"
	"slices"

	"github.com/memscribe/memscribe/core/redact/internal/ascii"
	"github.com/memscribe/memscribe/core/redact/internal/assign"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// A joint is what interrupts a word that a reader or a compiler reads as one: markup, as in
// ghp_<b>16C7</b>e42F, and what parts two literals, as in "ghp_16C7" . "e42F". The view keeps
// joints, since they are frequent and mean nothing elsewhere; they are seen through where a
// token begins and behind a value that was found.

// Limits of joints, in bytes.
const (
	maxTag   = 64 // a tag or a comment of HTML
	maxStars = 3  // emphasis of Markdown
)

// joint is the length of the joints at an offset, where a word continues behind them; 0 if
// there are none. Elements of a list count as one word only if listed is set.
func joint(text []byte, at int, listed bool) int {
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

// isJoining reports whether a byte stands in operators that join texts, or parts elements.
func isJoining(c byte) bool {
	switch c {
	case '+', '.', '&', '|', '<', '>', '~', '^', ',':
		return true
	}
	return false
}

// piece is a part of a token with joints in it: where it begins in the token, and in the text.
type piece struct{ at, text int }

// Limits of tokens with joints: their pieces, and the bytes of all of them together.
const (
	maxPieces = 8
	maxJoined = 256
)

// isPieceByte reports whether a byte stands in tokens and in no joints.
func isPieceByte(c byte) bool { return c != '~' && ascii.IsTokenByte(c) }

// pieceEnd is where the piece ends that begins at an offset.
func pieceEnd(text []byte, at int) int {
	limit := min(len(text), at+maxJoined)
	for at < limit && isPieceByte(text[at]) {
		at++
	}
	return at
}

// joinedToken tries a rule whose pattern begins with the word at [start, end) on a token with
// joints in it. Without its joints the token must have the form to the letter, and end with
// one of its pieces.
func (e *Engine) joinedToken(rule int32, start, end int) {
	text := e.view.Text
	at := pieceEnd(text, end)
	n := 0
	if at < len(text) {
		n = joint(text, at, true)
	}
	if n == 0 {
		return
	}
	var buf [maxPieces]piece
	pieces := append(buf[:0], piece{at: 0, text: start})
	word := append(e.joined[:0], text[start:at]...)
	for n > 0 && len(pieces) < maxPieces && len(word) < maxJoined {
		from := at + n
		at = pieceEnd(text, from)
		pieces = append(pieces, piece{at: len(word), text: from})
		word = append(word, text[from:at]...)
		if n = 0; at < len(text) {
			n = joint(text, at, true)
		}
	}
	e.joined = word
	e.work += at - start
	m := e.pattern(rule).Match(word, 0)
	isEnd := func(p piece) bool { return p.at == m.End }
	if !m.Ok || m.End < len(word) && !slices.ContainsFunc(pieces, isEnd) || looks.IsTemplate(word[:m.End]) || !isDrawn(word[:m.End]) {
		return
	}
	for i, p := range pieces {
		stop := m.Stop
		if i+1 < len(pieces) {
			stop = min(stop, pieces[i+1].at)
		}
		from := max(p.at, m.Start)
		e.report(rule, p.text+from-p.at, p.text+stop-p.at)
	}
}

// reportJoined reports what joints add to a secret that ends at an offset, if it looks drawn,
// too.
func (e *Engine) reportJoined(rule int32, end int) {
	text := e.view.Text
	for n := 0; n < maxPieces && end < len(text); n++ {
		k := joint(text, end, false)
		if k == 0 {
			return
		}
		from := end + k
		end = pieceEnd(text, from)
		e.work += 4 * (end - from)
		if m := looks.Inspect(text[from:end]); m.Random < minJoined && (!m.Upper || !m.Lower || m.Digits == 0) {
			return
		}
		e.found = append(e.found, found{start: from, end: end, rule: rule})
	}
}

// minJoined is how many drawn letters and digits make what follows a joint a part of a secret.
const minJoined = 5
