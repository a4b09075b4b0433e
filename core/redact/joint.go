package redact

import (
	"slices"

	"github.com/memscribe/memscribe/core/redact/internal/joint"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// A joint parts the pieces of one text in a program or a page: "ghp_16C7" + "e42F", ghp_<b>16C7</b>.
// The view keeps joints, because nearly all of them part other things. Only behind the first letters of a
// token, and behind a value that was found, the pieces are read as one.

// piece says where a piece of a token begins: in the token without its joints, and in the text.
type piece struct{ at, text int }

// maxPieces bounds the pieces of a token with joints.
const maxPieces = 8

// joinedToken tries a rule whose pattern begins with the word at [start, end) on a token with joints in it.
// The token must match to the letter without its joints, and end where one of its pieces does.
func (e *Engine) joinedToken(rule int32, start, end int) {
	text := e.view.Text
	at := joint.PieceEnd(text, end)
	n := 0
	if at < len(text) {
		n = joint.Len(text, at, true)
	}
	if n == 0 {
		return
	}
	var buf [maxPieces]piece
	pieces := append(buf[:0], piece{at: 0, text: start})
	word := append(e.joined[:0], text[start:at]...)
	for n > 0 && len(pieces) < maxPieces && len(word) < joint.MaxWord {
		from := at + n
		at = joint.PieceEnd(text, from)
		pieces = append(pieces, piece{at: len(word), text: from})
		word = append(word, text[from:at]...)
		if n = 0; at < len(text) {
			n = joint.Len(text, at, true)
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

// reportJoined reports the pieces that joints add to a secret, which ends at an offset, if they look drawn.
func (e *Engine) reportJoined(rule int32, end int) {
	text := e.view.Text
	for n := 0; n < maxPieces && end < len(text); n++ {
		k := joint.Len(text, end, false)
		if k == 0 {
			return
		}
		from := end + k
		end = joint.PieceEnd(text, from)
		e.work += 4 * (end - from)
		if m := looks.Inspect(text[from:end]); m.Random < minJoined && (!m.Upper || !m.Lower || m.Digits == 0) {
			return
		}
		e.found = append(e.found, found{start: from, end: end, rule: rule})
	}
}

// minJoined is how many drawn letters and digits make what follows a joint a part of a secret.
const minJoined = 5
