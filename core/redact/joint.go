package redact

import (
	"slices"

	"github.com/memscribe/memscribe/core/redact/internal/joint"
	"github.com/memscribe/memscribe/core/redact/internal/looks"
)

// The view keeps joints, since they are frequent and mean nothing elsewhere. They are seen
// through where a token begins and behind a value that was found.

// piece is a part of a token with joints in it: where it begins in the token, and in the text.
type piece struct{ at, text int }

// maxPieces bounds the pieces of a token with joints.
const maxPieces = 8

// joinedToken tries a rule whose pattern begins with the word at [start, end) on a token with
// joints in it. Without its joints the token must have the form to the letter, and end with
// one of its pieces.
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

// reportJoined reports what joints add to a secret that ends at an offset, if it looks drawn,
// too.
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
