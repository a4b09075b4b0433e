package cut

import (
	"bytes"
	"strings"
)

// A secret may be in several strings of one node or event, and be one by its
// context in only one of them: the text says "password Zk39…", the name of the
// memory is "Zk39…" alone. What was cut from one string is therefore cut from all
// others. Nodes and events without secrets, which are nearly all, pay nothing for it.

// Echoes are the secrets that were cut from the strings of one thing, to be cut
// from its other strings, too.
type Echoes struct{ known []known }

// known is a secret that was cut from a string.
type known struct {
	secret string
	mark   string // what is there now
}

// Limits of what is looked for again. Shorter secrets, and those of only letters or
// only digits, are words and numbers elsewhere.
const (
	minEcho  = 8
	maxEcho  = 512
	maxKnown = 64
	minPiece = 6 // of a string that is itself a piece of a secret
)

// Learn remembers what was cut from a string, if it can be told from words.
func (e *Echoes) Learn(s, clean []byte, cuts []Cut) {
	shift := 0
	for _, c := range cuts {
		mark := clean[c.At+shift : c.At+shift+c.With]
		e.Know(s[c.At:c.At+c.Len], mark)
		shift += c.With - c.Len
	}
}

// Know remembers a secret with the placeholder that is in its place, so that it is
// recognised where nothing around it gives it away. What is too short or too plain to be
// told from other words is not remembered, and neither is anything beyond maxKnown.
func (e *Echoes) Know(secret, mark []byte) {
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

// Cut cuts from a string what is known to be secret from others. What is left
// of the string by itself goes in, and comes out as if it had been cut there.
func (e *Echoes) Cut(s, clean []byte, cuts []Cut) ([]byte, []Cut) {
	var more []Stretch
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
			more = append(more, Stretch{At: at + n, End: at + n + len(k.secret), Mark: k.mark})
			at += n + len(k.secret)
		}
	}
	if len(more) == 0 {
		return clean, cuts
	}
	return Join(s, clean, cuts, more)
}

// Forget empties it.
func (e *Echoes) Forget() { e.known = e.known[:0] }
