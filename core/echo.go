package core

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// A secret may stand in several strings of one node or event, and be one by its
// context in only one of them: the text says "password Zk39…", the name of the
// memory is "Zk39…" alone. What was cut from one string is therefore cut from all
// others. Nodes and events without secrets, which are nearly all, pay nothing for it.

// Echoes are the secrets that were cut from the strings of one thing, to be cut
// from its other strings, too.
type Echoes struct{ known []known }

// known is a secret that was cut from a string.
type known struct {
	secret string
	mark   string // what stands there now
}

// Limits of what is looked for again. Shorter secrets, and those of only letters or
// only digits, are words and numbers elsewhere.
const (
	minEcho  = 8
	maxEcho  = 512
	maxKnown = 64
	minPiece = 6 // of a string that is itself a piece of a secret
)

// Learn remembers what a [Scrubber] cut from a string, if it can be told from words.
func (e *Echoes) Learn(s, clean []byte, cuts []Cut) {
	shift := 0
	for _, c := range cuts {
		mark := clean[c.At+shift : c.At+shift+c.With]
		e.know(s[c.At:c.At+c.Len], mark)
		shift += c.With - c.Len
	}
}

// know remembers a secret with the placeholder that stands in its place, so that it is
// recognised where nothing around it gives it away. What is too short or too plain to be
// told from other words is not remembered, and neither is anything beyond maxKnown.
func (e *Echoes) know(secret, mark []byte) {
	if len(secret) < minEcho || len(secret) > maxEcho || len(e.known) == maxKnown || !drawn(secret) || len(mark) == 0 {
		return
	}
	for _, k := range e.known {
		if k.secret == string(secret) {
			return
		}
	}
	e.known = append(e.known, known{secret: string(secret), mark: string(mark)})
}

// isMark reports whether nothing is left of a string but a placeholder.
func isMark(clean []byte) bool {
	return bytes.HasPrefix(clean, []byte("[REDACTED:")) && bytes.IndexByte(clean, ']') == len(clean)-1
}

// drawn reports whether a secret has letters and digits, and no blanks.
func drawn(s []byte) bool {
	letters, digits := false, false
	for _, c := range s {
		if c <= ' ' {
			return false
		}
		letters = letters || c|0x20 >= 'a' && c|0x20 <= 'z'
		digits = digits || c >= '0' && c <= '9'
	}
	return letters && digits
}

// Any reports whether there are any.
func (e *Echoes) Any() bool { return len(e.known) > 0 }

// Cut cuts from a string what is known to be secret from others. What a Scrubber
// made of the string goes in, and comes out as it would have.
func (e *Echoes) Cut(s, clean []byte, cuts []Cut) ([]byte, []Cut) {
	var more []echo
	for i := range e.known {
		k := &e.known[i]
		if piece := bytes.TrimSpace(s); len(cuts) == 0 && len(piece) >= minPiece && drawn(piece) && strings.Contains(k.secret, string(piece)) {
			return []byte(k.mark), []Cut{{Len: len(s), With: len(k.mark)}}
		}
		for at := 0; ; {
			n := bytes.Index(s[at:], []byte(k.secret))
			if n < 0 {
				break
			}
			more = append(more, echo{at: at + n, end: at + n + len(k.secret), mark: k.mark})
			at += n + len(k.secret)
		}
	}
	if len(more) == 0 {
		return clean, cuts
	}
	return join(s, clean, cuts, more)
}

// echo is a stretch of a string to be replaced.
type echo struct {
	at, end int
	mark    string
}

// join adds cuts to those that a string has. One that overlaps another is left
// out: it is gone already.
func join(s, clean []byte, cuts []Cut, more []echo) ([]byte, []Cut) {
	shift := 0
	for _, c := range cuts {
		more = append(more, echo{at: c.At, end: c.At + c.Len, mark: string(clean[c.At+shift : c.At+shift+c.With])})
		shift += c.With - c.Len
	}
	slices.SortStableFunc(more, func(a, b echo) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.end, a.end)) })
	var out []byte
	var all []Cut
	at := 0
	for _, m := range more {
		if m.end <= at {
			continue
		}
		if m.at < at { // what is left of one that was cut in part
			m.at, m.mark = at, ""
		}
		out = append(append(out, s[at:m.at]...), m.mark...)
		all = append(all, Cut{At: m.at, Len: m.end - m.at, With: len(m.mark)})
		at = m.end
	}
	return append(out, s[at:]...), all
}

// begin readies the encoder for a node or an event.
func (e *Encoder) begin() {
	e.err, e.echoes.known, e.again = nil, e.echoes.known[:0], false
	e.forget()
	e.unjudge()
}

// repeat reports whether what was encoded must be encoded again, now that it is
// known what is secret in it.
func (e *Encoder) repeat() bool {
	if !e.echoes.Any() || e.err != nil || e.again {
		return false
	}
	e.forget()
	e.again = true
	return true
}
