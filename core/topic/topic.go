package topic

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Words are the hashes of the different words of a text, in order.
type Words []uint32

// Most is how many words of a text count; the first ones do.
const Most = 96

// Of lists what texts say together.
func Of(texts ...string) Words {
	var space [Most]uint32
	all := Words(space[:0])
	for _, text := range texts {
		Each(text, func(hash uint32) bool {
			if at, found := slices.BinarySearch(all, hash); !found && len(all) < Most {
				all = slices.Insert(all, at, hash)
			}
			return len(all) < Most
		})
	}
	if len(all) == 0 {
		return nil
	}
	return slices.Clone(all)
}

// Find returns where among them a word is, and whether it is one of them.
func (w Words) Find(hash uint32) (at int, found bool) { return slices.BinarySearch(w, hash) }

// Has reports whether a word is one of them.
func (w Words) Has(hash uint32) bool {
	_, found := w.Find(hash)
	return found
}

// With returns all words of both.
func (w Words) With(o Words) Words {
	if len(o) == 0 {
		return w
	}
	all := slices.Concat(w, o)
	slices.Sort(all)
	return slices.Compact(all)
}

// Without returns the words that the others are not.
func (w Words) Without(o Words) Words {
	var left Words
	for _, hash := range w {
		if !o.Has(hash) {
			left = append(left, hash)
		}
	}
	return left
}

// Shared counts the words that both have.
func (w Words) Shared(o Words) int {
	n := 0
	for _, hash := range w {
		if o.Has(hash) {
			n++
		}
	}
	return n
}

// Near reports whether two texts speak of the same: they share a fifth of the words of the
// shorter one, and one at least.
func (w Words) Near(o Words) bool {
	const part = 5
	shorter := min(len(w), len(o))
	return w.Shared(o) >= max(1, (shorter+part-1)/part)
}

// maxWord is how many bytes a word may have; what is longer names nothing that anybody says.
const maxWord = 48

// Each calls f with the hash of each word of a text, until f returns false.
func Each(text string, f func(hash uint32) bool) {
	c := cutter{text: text}
	for more := true; more; {
		more = c.step()
		for _, hash := range c.given[:c.gives] {
			if !f(hash) {
				return
			}
		}
	}
}

// cutter cuts a text into words. It lives on the stack: a text is cut for every turn, every
// decision and every edit.
type cutter struct {
	text  string
	at    int           // of the next character
	word  [maxWord]byte // in small letters
	size  int           // of the word
	long  bool          // it has more than maxWord bytes
	last  kind          // of the character before
	glyph rune          // the character before, of a script without blanks
	given [2]uint32     // hashes of what the last step found
	gives int           // how many
}

// step reads until a word is found. At the end of the text nothing is left.
func (c *cutter) step() (more bool) {
	c.gives = 0
	for c.at < len(c.text) {
		r, size := rune(c.text[c.at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(c.text[c.at:])
		}
		c.add(r)
		c.at += size
		if c.gives > 0 {
			return true
		}
	}
	c.end()
	return false
}

// kind is what a character is to a word.
type kind uint8

const (
	other kind = iota
	small      // a letter
	large
	digit
	sign // a character of a script without blanks
)

// kindOf tells the characters that part words from those that are in them. Characters of scripts
// without blanks are a kind of their own: each pair of them is a word.
func kindOf(r rune) kind {
	const jamo = 0x1100 // the first character of a script without blanks
	switch {
	case 'a' <= r && r <= 'z':
		return small
	case 'A' <= r && r <= 'Z':
		return large
	case '0' <= r && r <= '9':
		return digit
	case r < utf8.RuneSelf:
		return other
	case r >= jamo && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return sign
	case unicode.IsUpper(r):
		return large
	case unicode.IsLetter(r):
		return small
	}
	return other
}

// add takes in the character at hand.
func (c *cutter) add(r rune) {
	k := kindOf(r)
	switch {
	case k == sign:
		c.end()
		if c.last == sign {
			c.give(hash2(c.glyph, r))
		}
		c.glyph = r
	case k == other:
		if c.size > 0 {
			c.end()
		}
	case k == large && c.last == large && c.startsWord():
		c.end() // "HTTPServer" is "http" and "server"
		c.letter(r)
	case k == large && c.last == small, (k == digit) != (c.last == digit):
		c.end()
		c.letter(r)
	default:
		c.letter(r)
	}
	c.last = k
}

// startsWord reports whether a small letter follows the large one at hand.
func (c *cutter) startsWord() bool {
	return c.at+1 < len(c.text) && kindOf(rune(c.text[c.at+1])) == small
}

// letter adds a character to the word at hand, in lower case. A word that gets too long is none.
func (c *cutter) letter(r rune) {
	if c.long = c.long || c.size+utf8.UTFMax > maxWord; c.long {
		return
	}
	switch {
	case 'A' <= r && r <= 'Z':
		r |= 0x20
	case r >= utf8.RuneSelf:
		c.size += utf8.EncodeRune(c.word[c.size:], unicode.ToLower(r))
		return
	}
	c.word[c.size] = byte(r)
	c.size++
}

// end gives the word that has come to its end.
func (c *cutter) end() {
	w := c.word[:c.size]
	c.size = 0
	switch {
	case c.long:
		c.long = false
	case len(w) < 2, len(w) == 2 && kindOf(rune(w[0])) != digit, stop(string(w)):
	default:
		c.give(hash(stem(w)))
	}
}

// give hands out a word by its hash.
func (c *cutter) give(h uint32) {
	c.given[c.gives] = h
	c.gives++
}

// stem takes the endings of English off a word: "keys" is "key", "wiring" and "wire" are
// "wir".
func stem(w []byte) []byte {
	const least = 3 // letters of what is left
	switch w[len(w)-1] {
	case 'g', 's', 'd', 'e', 'y':
	default:
		return w
	}
	for _, ending := range [...]string{"ing", "ies", "ed", "es", "s", "e", "y"} {
		n := len(w) - len(ending)
		if n < least || string(w[n:]) != ending || ending == "s" && w[n-1] == 's' {
			continue
		}
		w = w[:n]
		if n > least && w[n-1] == w[n-2] && ending != "s" && ending != "e" && ending != "y" {
			w = w[:n-1] // "stopping" is "stop"
		}
		break
	}
	return w
}

// hash is FNV-1a.
func hash(w []byte) uint32 {
	h := uint32(2166136261)
	for _, b := range w {
		h = (h ^ uint32(b)) * 16777619
	}
	return h
}

// hash2 returns the hash of a word of two characters.
func hash2(a, b rune) uint32 {
	var space [2 * utf8.UTFMax]byte
	return hash(utf8.AppendRune(utf8.AppendRune(space[:0], a), b))
}
